import { Failure } from '../contract/failure.ts';
import type { AnyOperation } from '../contract/operation.ts';
import type { Context } from '../contract/ports.ts';
import type { Probe } from './check.ts';
import { checkInput } from './checks.ts';
import { estimate } from './estimate.ts';

/** What would be spoken, all of it known. Throws where a limit is not kept, or the file cannot be read. */
export async function measureWithin(
  op: AnyOperation,
  input: Readonly<Record<string, unknown>>,
  ctx: Context,
  probe: Probe,
): Promise<{ pages: number; characters: number; minutes: number; chapters: number }> {
  const failed = (await checkInput(op, input, ctx, probe)).find(({ failure }) => failure !== undefined);
  if (failed?.failure !== undefined) throw failed.failure;
  const { pages, characters, minutes, chapters = 0 } = await estimate(op, input, ctx, probe);
  // Whoever reads it says what is wrong with it.
  if (minutes === undefined) await probe.measureSpeech?.(op, input, ctx);
  if (pages === undefined || characters === undefined || minutes === undefined) {
    throw new Failure(
      'unprocessable',
      `${op.name}: the file cannot be read here: it is damaged, or it needs a password`,
    );
  }
  return { pages: pages.length, characters, minutes, chapters };
}
