// Owns a worker for the chaos test: the real engine, of which one task in ten holds its thread longer than its lease.
import { guard } from '../../../src/flow/checks.ts';
import { createLocalEngine } from '../../../src/local/engine.ts';
import { openParent } from '../../../src/runtime/child.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { serveTasks } from '../../../src/serve/worker/worker.ts';

const SLOW = Number(process.argv[2]);
const local = createLocalEngine();
const engine = guard(
  {
    ...local,
    call(op, input, ctx) {
      // The thread stands still: no sign of life is given.
      if (Math.random() < 0.1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SLOW);
      return local.call(op, input, ctx);
    },
  },
  { countPages: async () => undefined },
);

const parent = openParent();
if (parent === undefined) throw new Error('started by hand');
await serveTasks(parent, engine, { clock: systemClock });
