import type { ByteSource, Context, OtherCount, OtherReader, RandomAccess } from '../../../contract/ports.ts';
import { pagesOf } from '../../../contract/wording.ts';
import { fill, onDisk } from '../read/random-access.ts';

/** Readers that were ended because they took too long, after which nobody is asked any more in a call. */
const MOST_LATE = 4;

/** Bytes of two files that are compared at a time. */
const STEP = 256 * 1024;

interface Asked {
  readonly reader: OtherReader;
  readonly file: RandomAccess;
  readonly password: string | undefined;
  readonly count: OtherCount;
}

/**
 * The same context, for one call: a file that is given twice is asked about once, and files made to keep readers busy
 * are asked about a few times only. Neither depends on a clock, so that the outcome is the same on a busy machine.
 */
export function askingOnce(ctx: Context): Context {
  const { countElsewhere } = ctx;
  if (countElsewhere === undefined) return ctx;
  const all: Asked[] = [];
  let late = 0;
  const count = async (reader: OtherReader, input: ByteSource, password: string | undefined): Promise<OtherCount> => {
    const file = onDisk(input);
    const before = all.find(
      (earlier) => earlier.reader === reader && earlier.password === password && isSame(earlier.file, file),
    );
    if (before !== undefined) return before.count;
    const answer: OtherCount =
      late < MOST_LATE ? await countElsewhere(reader, input, password) : { why: 'was not asked: others took too long' };
    if ('late' in answer) late += 1;
    ctx.detail(`${input.name}: ${reader} ${countWords(answer)}`);
    all.push({ reader, file, password, count: answer });
    return answer;
  };
  return { ...ctx, countElsewhere: count };
}

export function countWords(count: OtherCount): string {
  return 'why' in count ? count.why : `finds ${pagesOf(count.pages)}`;
}

function isSame(one: RandomAccess, other: RandomAccess): boolean {
  if (one.name !== other.name || one.size !== other.size) return false;
  const [a, b] = [Buffer.alloc(STEP), Buffer.alloc(STEP)];
  for (let at = 0; at < one.size; at += STEP) {
    const length = fill(one, a, at);
    if (fill(other, b, at) !== length || a.compare(b, 0, length, 0, length) !== 0) return false;
  }
  return true;
}
