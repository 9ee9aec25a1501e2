// Owns --plan: what a run would read, write, send and be charged. Writes nothing and sends nothing.
import { FAILURES } from '../contract/failure.ts';
import type { ByteSource } from '../contract/ports.ts';
import { printableText } from '../runtime/printable.ts';
import { count, formatSize } from '../runtime/units.ts';
import { Workspace } from '../runtime/workspace.ts';
import { prepare, type Run, withPages } from './run.ts';

/** Looks at inputs and output as a run would, and fails as it would; broken limits of the service are listed. Returns the exit code. */
export async function showPlan(run: Run, maxCredits?: number): Promise<number> {
  const { op, engine, flags, streams, signal, clock } = run;
  const workspace = new Workspace();
  try {
    const { input: given, destination } = await prepare(run, workspace);
    const [{ planOf }, { localProbe }] = await Promise.all([import('../flow/plan.ts'), import('./remote.ts')]);
    const ctx = { signal, clock, temp: workspace.temp({ name: op.name }), progress: () => {}, detail: () => {} };
    const input = await withPages(run, given, ctx);
    const { ok, ...plan } = await planOf(engine.name, op, input, ctx, localProbe, maxCredits);
    const inputs = Object.values(input)
      .flat()
      .filter(isSource)
      .map(({ name, size }) => ({ name, bytes: size }));
    const output = destination.kind === 'stdout' ? 'standard output' : destination.name;
    if (flags.json) streams.out(`${JSON.stringify({ ok, plan: { ...plan, inputs, output } })}\n`);
    else {
      const { request, checks, price } = plan;
      const lines = [
        `Command  ${op.name}`,
        `Engine   ${engine.name}`,
        ...inputs.map(({ name, bytes }) => `Reads    ${name} (${formatSize(bytes ?? 0)})`),
        `Writes   ${output}`,
        `Sends    ${request === undefined ? 'nothing' : `${request.method} ${request.path}`}`,
        ...checks.map(
          (check) => `Checks   ${check.what}: ${check.limit}; ${check.found}${check.ok ? '' : ' (refused)'}`,
        ),
        `Charges  ${price.at_most ? 'up to ' : ''}${count(price.credits, 'credit')} (${price.why})`,
      ];
      streams.out(`${lines.map(printableText).join('\n')}\n`);
    }
    return ok ? 0 : FAILURES.refused.exit;
  } finally {
    workspace.close();
  }
}

function isSource(value: unknown): value is ByteSource {
  return typeof value === 'object' && value !== null && 'open' in value && 'name' in value;
}
