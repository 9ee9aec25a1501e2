// Hidden commands of a server: the processes of its pool, and the thread of its database.
import { Failure } from '../../../contract/base/failure.ts';
import { openParent } from '../../../runtime/processes/child.ts';
import { openThreadParent } from '../../../runtime/processes/thread.ts';
import { machineMeans, speechMeans } from '../../children/means.ts';
import { proofTools } from '../../children/other-eyes.ts';
import { pageDrawers } from '../../children/page-drawer.ts';
import { loadLocal, localProbe } from '../../engines/local.ts';
import type { OwnCall } from '../../line/call.ts';

/** A process of the pool: works on tasks until its server is gone. */
export async function runPoolProcess({ clock, signal }: OwnCall): Promise<number> {
  const parent = openParent();
  if (parent === undefined) {
    throw new Failure('usage', 'serve worker is started by pdftool serve, not by hand', { hint: 'Run pdftool serve.' });
  }
  const [{ serveTasks }, { guard, measureWithin }] = await Promise.all([
    import('../../../serve/worker/worker.ts'),
    import('../../../flow/checks.ts'),
  ]);
  // A worker is a process that may be killed: pdf.js needs no thread of its own.
  const { startReader: _, ...means } = machineMeans(clock, parent.gone);
  const drawPages = pageDrawers(clock, parent.gone, true);
  await serveTasks(parent, guard(await loadLocal(), localProbe), {
    clock,
    ...means,
    drawPages,
    ...proofTools(clock, parent.gone),
    // Sentences that were spoken for one user are not kept for another.
    ...(await speechMeans(false)),
    measure: (op, input, ctx) => measureWithin(op, input, ctx, localProbe),
  });
  return signal.aborted ? 1 : 0;
}

/** The thread that holds a server's database. */
export async function database(): Promise<number> {
  const parent = openThreadParent();
  if (parent === undefined) {
    throw new Failure('usage', 'serve database is started by pdftool serve, not by hand', {
      hint: 'Run pdftool serve.',
    });
  }
  const { serveStore } = await import('../../../serve/data.ts');
  await serveStore(parent);
  return 0;
}
