import type { Engine } from '../../contract/engine.ts';
import type { FileField } from '../../contract/field.ts';
import type { ByteSource, Context } from '../../contract/ports.ts';
import { openInputs, refuseStdinTwice } from '../../runtime/files/inputs.ts';
import type { InputIdentity } from '../../runtime/files/target.ts';
import type { Workspace } from '../../runtime/folders/workspace.ts';
import type { Invocation } from '../invocation.ts';
import { resolvePageFields } from './page-fields.ts';
import type { RunPlan } from './plan.ts';

/** One run of an operation and what it is given. */
export interface Run extends Invocation {
  readonly plan: RunPlan;
  readonly engine: Engine;
  /** What else an operation asks whose output has to be proved. */
  readonly proof?: Pick<Context, 'otherEyes' | 'match'>;
}

export interface OpenedFiles {
  readonly sources: readonly ByteSource[];
  /** Files that options name, by their fields. */
  readonly others: Readonly<Record<string, ByteSource>>;
  readonly identities: readonly InputIdentity[];
}

/** Bytes of inputs from which on young garbage decides how much memory a run takes. */
const LARGE = 8 * 1024 * 1024;

export async function openFiles({ plan, engine, signal, proof }: Run, workspace: Workspace): Promise<OpenedFiles> {
  const named = Object.entries(plan.others);
  refuseStdinTwice([...plan.files, ...named.map(([, name]) => name)]);
  const opened = await openInputs(plan.files, plan.fileField?.field.types ?? [], workspace, signal, {
    listed: plan.listed,
    // What has to be proved to be gone must not lie about.
    unnamed: proof !== undefined,
  });
  if (engine.name === 'local' && plan.op.work === 'copy' && bytesOf(opened.sources) > LARGE) {
    (await import('../../runtime/processes/heap.ts')).collectBuffersEarly();
  }
  const others: Record<string, ByteSource> = {};
  const identities = [...opened.identities];
  for (const [field, name] of named) {
    const { types } = plan.op.input[field] as FileField<boolean>; // the plan names fields of files here
    const { sources, identities: own } = await openInputs([name], types, workspace, signal);
    if (sources[0] !== undefined) others[field] = sources[0];
    identities.push(...own);
  }
  return { sources: opened.sources, identities, others };
}

function bytesOf(sources: readonly ByteSource[]): number {
  return sources.reduce((sum, { size }) => sum + (size ?? 0), 0);
}

/** The input of the row: values, files, and page ranges counted in the file that they are for. */
export async function readInput(
  { plan, engine }: Run,
  { sources, others }: Pick<OpenedFiles, 'sources' | 'others'>,
  ctx: Context,
): Promise<Record<string, unknown>> {
  const { op, fileField, values, pages } = plan;
  const input: Record<string, unknown> = { ...values, ...others };
  if (fileField !== undefined) input[fileField.name] = fileField.field.kind === 'files' ? sources : sources[0];
  // The engine on this machine asks for it where the file turns out to need it; a service has nobody to ask.
  const password = Object.entries(op.input).find(([, field]) => field.kind === 'secret' && field.ofFile === true);
  if (password !== undefined && engine.name === 'remote' && ctx.password !== undefined) {
    const [name] = password;
    const found = await ctx.password(sources[0]?.name ?? 'the document', 1);
    if (found !== undefined) input[name] = found;
  }
  // A row with page fields has one file.
  return { ...input, ...(await resolvePageFields(op, pages, sources[0], engine.name, ctx)) };
}
