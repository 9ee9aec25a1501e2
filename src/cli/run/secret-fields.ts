import * as v from 'valibot';
import { Failure } from '../../contract/failure.ts';
import type { SecretField } from '../../contract/field.ts';
import type { AnyOperation } from '../../contract/operation.ts';
import { findSecret } from '../../runtime/passwords.ts';
import { canAsk } from '../../runtime/prompt.ts';
import type { Streams } from '../../runtime/streams.ts';
import type { Options } from '../flags.ts';
import { keyOf, optionFlag } from '../row-command.ts';

/**
 * The values of a row's secret fields: from the file that the line names, the environment, or a person at the terminal.
 * A plan asks nobody: there a secret that would be asked for is left out.
 */
export async function readSecrets(
  op: AnyOperation,
  options: Options,
  { plan, streams, signal }: { readonly plan: boolean; readonly streams: Streams; readonly signal: AbortSignal },
): Promise<Record<string, string>> {
  const secrets: Record<string, string> = {};
  for (const [name, field] of Object.entries(op.input)) {
    if (field.kind !== 'secret') continue;
    const flag = optionFlag(name, field);
    const given = options[keyOf(flag)];
    const sources = {
      file: typeof given === 'string' ? given : undefined,
      environment: field.environment,
      question: field.required && !plan ? `${field.summary}: ` : undefined,
    };
    const value = await findSecret(sources, streams, signal);
    if (value === undefined) {
      if (field.required && !(plan && canAsk(streams))) throw missing(op, flag, field);
      continue;
    }
    const checked = v.safeParse(field.schema, value);
    if (!checked.success) {
      const from = given === undefined ? field.environment : flag;
      throw new Failure('usage', `${from}: ${checked.issues.map(({ message }) => message).join('; ')}`);
    }
    secrets[name] = checked.output;
  }
  return secrets;
}

function missing(op: AnyOperation, flag: string, field: SecretField): Failure {
  return new Failure('usage', `${op.name} needs ${flag}: a file whose first line is it`, {
    hint: `Or set ${field.environment}, or run it at a terminal, which asks for it.`,
  });
}
