import { closing } from '../../contract/base/closing.ts';
import { Failure } from '../../contract/base/failure.ts';
import type { Context } from '../../contract/base/ports.ts';
import { Pace } from '../../pdf/file/read/pace.ts';
import type { Tools } from '../../pdf/redact/output/plain-copy.ts';

/** Starts the other readers for `work`, and ends them after it. */
export async function withEyes<T>(ctx: Context, work: (tools: Tools) => Promise<T>): Promise<T> {
  if (ctx.otherEyes === undefined)
    throw new Failure('unavailable', 'nothing here can prove a redaction: other readers cannot be started');
  using eyes = closing(ctx.otherEyes());
  const pace = new Pace(ctx);
  return await work({
    openProbe: (bytes) => eyes.open(bytes),
    async yieldNow() {
      await pace.yield();
    },
    progress: (phase, done, total) => ctx.progress({ phase, done, total, unit: 'pages' }),
  });
}
