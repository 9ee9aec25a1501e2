import { guard } from '../../../src/flow/checks.ts';
import { createLocalEngine } from '../../../src/local/engine.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { openParent } from '../../../src/runtime/processes/child.ts';
import { serveTasks } from '../../../src/serve/worker/worker.ts';

const [SLOW, SHARE] = [Number(process.argv[2]), Number(process.argv[3] ?? 0.1)];
const local = createLocalEngine();
const engine = guard(
  {
    ...local,
    call(op, input, ctx) {
      // The thread stands still: no sign of life is given.
      if (Math.random() < SHARE) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SLOW);
      return local.call(op, input, ctx);
    },
  },
  { countPages: async () => undefined },
);

const parent = openParent();
if (parent === undefined) throw new Error('started by hand');
await serveTasks(parent, engine, { clock: systemClock });
