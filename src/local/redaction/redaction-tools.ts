import { Failure } from '../../contract/failure.ts';
import type { Context, OtherEyes } from '../../contract/ports.ts';
import { Pace } from '../../pdf/pace.ts';

interface RedactionTools {
  readonly eyes: OtherEyes;
  turn(): Promise<void>;
  progress(phase: string, done: number, total: number): void;
}

/** Gives work the other readers that it asks, and ends them with it. */
export async function withEyes<T>(ctx: Context, work: (tools: RedactionTools) => Promise<T>): Promise<T> {
  if (ctx.otherEyes === undefined)
    throw new Failure('unavailable', 'nothing here can prove a redaction: other readers cannot be started');
  const eyes = ctx.otherEyes();
  const pace = new Pace(ctx);
  try {
    return await work({
      eyes,
      async turn() {
        await pace.yield();
      },
      progress: (phase, done, total) => ctx.progress({ phase, done, total, unit: 'pages' }),
    });
  } finally {
    eyes.close();
  }
}
