import type { ByteSource, Context, OtherCount, OtherReader, RandomAccess } from '../../../contract/base/ports.ts';
import { pagesOf } from '../../../contract/base/wording.ts';
import { fill, onDisk } from '../read/random-access.ts';

/** After so many readers that took too long, no reader is asked again in this call. */
const MOST_LATE = 4;

const STEP = 256 * 1024;

interface Asked {
  readonly reader: OtherReader;
  readonly file: RandomAccess;
  readonly password: string | undefined;
  readonly count: OtherCount;
}

/** Asks about each file once, and stops after a few made to keep readers busy. No clock decides: outcomes repeat. */
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
