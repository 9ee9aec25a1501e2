import type { Context, Means } from '../../contract/base/ports.ts';
import type { Engine } from '../../contract/engine.ts';
import { resolvePageFields } from '../../contract/page-fields.ts';
import type { Workspace } from '../../runtime/files/outputs/workspace.ts';
import type { OpenFiles, RowRun } from '../../runtime/rows/run-row.ts';
import { countLocalPages } from '../engines/local.ts';
import type { Invocation } from '../line/call.ts';
import type { RunPlan } from '../line/plan.ts';

export interface Run extends Invocation {
  readonly plan: RunPlan;
  readonly engine: Engine;
  readonly means: Means;
  /** For an operation that proves its output. */
  readonly proof?: Pick<Context, 'otherEyes' | 'match'>;
}

/** The row of a plan for runtime/rows, without a destination and a context. */
export function rowRunOf({ plan, engine, signal, proof }: Run, workspace: Workspace): Omit<RowRun, 'context'> {
  const { op, values, fileField, others } = plan;
  const named = Object.fromEntries(Object.entries(others).map(([field, name]) => [field, [name]]));
  return {
    op,
    engine,
    values,
    workspace,
    signal,
    files: fileField === undefined ? named : { [fileField.name]: plan.files, ...named },
    // Contents to be removed must not lie about in a temporary file.
    inputs: { from: 'names', listed: plan.listed, unnamed: proof !== undefined },
    complete: (files, ctx) => completed(plan, engine.name, files, ctx),
  };
}

/** Values known once the file is open: page ranges, and the password that a service is sent. */
async function completed(
  { op, pages }: RunPlan,
  engine: Engine['name'],
  { sources: [first] }: OpenFiles,
  ctx: Context,
): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  // The local engine asks for a password when it needs one; a service cannot ask.
  const password = Object.entries(op.input).find(([, field]) => field.kind === 'secret' && field.ofFile === true);
  if (password !== undefined && engine === 'remote') {
    const given = await ctx.password?.(first?.name ?? 'the document', 1);
    if (given !== undefined) values[password[0]] = given;
  }
  // A row with page fields has one file.
  return { ...values, ...(await resolvePageFields(op, pages, first, engine, ctx, countLocalPages)) };
}
