import * as v from 'valibot';
import { Failure } from '../../contract/base/failure.ts';
import type { SecretField } from '../../contract/field.ts';
import { wordsOf } from '../../contract/operation.ts';
import { findSecret, readPasswordSources } from '../../runtime/terminal/passwords.ts';
import { canAsk } from '../../runtime/terminal/prompt.ts';
import type { Invocation } from './call.ts';
import type { Options } from './flags.ts';
import type { RunPlan } from './plan.ts';
import { optionFlag, optionKey } from './row-command.ts';

/** Adds passwords and secret fields to a plan. Refuses to read two of them from standard input. */
export async function withSecrets(
  plan: RunPlan,
  options: Options,
  invocation: Pick<Invocation, 'streams' | 'signal'>,
): Promise<RunPlan> {
  const fromInput = [
    plan.files.includes('-') ? 'a file' : undefined,
    plan.passwords.file === '-' ? '--password-file' : undefined,
    ...Object.entries(plan.op.input).map(([name, field]) => {
      const flag = optionFlag(name, field);
      return field.kind === 'secret' && options[optionKey(flag)] === '-' ? flag : undefined;
    }),
  ].filter((name) => name !== undefined);
  if (fromInput.length > 1) {
    throw new Failure('usage', `${fromInput.join(' and ')} would both be read from standard input`, {
      hint: 'Save one of them to a file first.',
    });
  }
  const passwords = await readPasswordSources(plan.passwords, invocation.signal);
  const secrets = await readSecrets(plan, options, invocation);
  return { ...plan, passwords, values: { ...plan.values, ...secrets } };
}

/**
 * The values of a row's secret fields: from the named file, the environment, or a person at the terminal. With --plan
 * nobody is asked, and such a secret is left out.
 */
async function readSecrets(
  { op, flags }: RunPlan,
  options: Options,
  { streams, signal }: Pick<Invocation, 'streams' | 'signal'>,
): Promise<Record<string, string>> {
  const secrets: Record<string, string> = {};
  const find = async (name: string, field: SecretField<boolean>, wanted: boolean) => {
    const flag = optionFlag(name, field);
    const given = options[optionKey(flag)];
    const sources = {
      file: typeof given === 'string' ? given : undefined,
      environment: field.environment,
      question: wanted && !flags.plan ? `${field.summary}: ` : undefined,
      again: field.fresh === true ? 'The same again: ' : undefined,
    };
    const value = await findSecret(sources, streams, signal);
    if (value === undefined) {
      if (wanted && !(flags.plan && canAsk(streams))) {
        throw new Failure('usage', `${wordsOf(op)} needs ${flag}: a file whose first line is it`, {
          hint: `Or set ${field.environment}, or run it at a terminal, which asks for it.`,
        });
      }
      return;
    }
    const checked = v.safeParse(field.schema(), value);
    if (!checked.success) {
      const from = given === undefined ? field.environment : flag;
      throw new Failure('usage', `${from}: ${checked.issues.map(({ message }) => message).join('; ')}`);
    }
    secrets[name] = checked.output;
  };
  // The password that opens the document is asked for only when it is needed.
  const fields = Object.entries(op.input).flatMap(([name, field]) =>
    field.kind === 'secret' && field.ofFile !== true ? [[name, field] as const] : [],
  );
  for (const [name, field] of fields) await find(name, field, field.required);
  const [first] = fields.filter(([name]) => op.needsOneOf?.includes(name) === true);
  if (first !== undefined && !fields.some(([name]) => name in secrets)) await find(...first, true);
  return secrets;
}
