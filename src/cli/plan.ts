// Owns --plan: what a run would read, write, send and be charged. Writes nothing and sends nothing.
import type { ByteSource } from '../contract/ports.ts';
import { printableText } from '../runtime/printable.ts';
import { formatSize } from '../runtime/units.ts';
import { Workspace } from '../runtime/workspace.ts';
import { prepare, type Run } from './run.ts';

/** Looks at inputs and output as a run would, and fails as it would. Returns the exit code. */
export async function showPlan(run: Run): Promise<number> {
  const { op, engine, flags, streams } = run;
  const workspace = new Workspace();
  try {
    const { input, destination } = await prepare(run, workspace);
    const inputs = Object.values(input)
      .flat()
      .filter(isSource)
      .map(({ name, size }) => ({ name, bytes: size }));
    const remote = engine.name === 'remote';
    const plan = {
      operation: op.name,
      engine: engine.name,
      inputs,
      output: destination.kind === 'stdout' ? 'standard output' : destination.name,
      sends: remote ? `${op.method} ${op.path}` : null,
      credits: remote ? ('credits' in op.cost ? op.cost.credits : null) : 0,
    };
    if (flags.json) streams.out(`${JSON.stringify({ ok: true, plan })}\n`);
    else {
      const lines = [
        `Command  ${op.name}`,
        `Engine   ${engine.name}`,
        ...inputs.map(({ name, bytes }) => `Reads    ${name} (${formatSize(bytes ?? 0)})`),
        `Writes   ${plan.output}`,
        `Sends    ${plan.sends ?? 'nothing'}`,
        `Charges  ${plan.credits ?? 'by the minute'}${plan.credits === 0 ? ' credits' : ''}`,
      ];
      streams.out(`${lines.map(printableText).join('\n')}\n`);
    }
    return 0;
  } finally {
    workspace.close();
  }
}

function isSource(value: unknown): value is ByteSource {
  return typeof value === 'object' && value !== null && 'open' in value && 'name' in value;
}
