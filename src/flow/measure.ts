import { Failure } from '../contract/failure.ts';
import type { AnyOperation } from '../contract/operation.ts';
import type { Context, Values } from '../contract/ports.ts';
import type { Probe } from './check.ts';
import { assertAllowed } from './checks.ts';
import { estimate } from './estimate.ts';

/** Measures how long the speech of a file would take. Throws where a limit is exceeded, or the file cannot be read. */
export async function measureWithin(
  op: AnyOperation,
  input: Values,
  ctx: Context,
  probe: Probe,
): Promise<{ pages: number; characters: number; minutes: number; chapters: number }> {
  await assertAllowed(op, input, ctx, probe);
  const { pages, characters, minutes, chapters = 0 } = await estimate(op, input, ctx, probe);
  // Measuring again throws the reason why the file cannot be read.
  if (minutes === undefined) await probe.measureSpeech?.(op, input, ctx);
  if (pages === undefined || characters === undefined || minutes === undefined) {
    const message = `${op.name}: the file cannot be read here: it is damaged, or it needs a password`;
    throw new Failure('unprocessable', message);
  }
  return { pages: pages.length, characters, minutes, chapters };
}
