// Owns meeting a target: the best pictures that fit in so many bytes, found in a bounded number of rounds.
// Knows nothing of how a picture is coded.
import type { Context, RandomAccess } from '../../contract/ports.ts';
import { attempt } from './candidates.ts';
import type { Codec } from './codec.ts';
import { type Analysis, type Compacted, compact } from './compact.ts';
import { type Candidate, type Effort, pixelsOf, type Reduced } from './pictures.ts';
import { PIXELS_AT_ONCE, Turns } from './turns.ts';

export interface TargetTask {
  readonly analysis: Analysis;
  readonly candidates: ReadonlyMap<number, Candidate>;
  readonly codec: Codec;
  /** What the document takes with its pictures as they are. */
  readonly compacted: Compacted;
  readonly targetBytes: number;
  readonly plain: boolean;
  readonly name: string;
}

/** From hardly visible to hardly recognisable; between two neighbours everything is possible. */
const LADDER: readonly (readonly [dpi: number, quality: number])[] = [
  [600, 94], [400, 92], [300, 88], [225, 84], [175, 80], [150, 74], [130, 68], [110, 62], [96, 55], [84, 48], [72, 42],
  [60, 36], [50, 31], [40, 26], [32, 22], [24, 18], [18, 14], [12, 10],
]; // biome-ignore format: a table
/** Rounds with the quick coder, which find the place, and rounds with the thorough one, which make the result. */
const QUICK_ROUNDS = 7;
const THOROUGH_ROUNDS = 6;
/** A result that uses so much of the budget is good enough. */
const ENOUGH = 0.97;
/** What the thorough coder makes of the quick one's bytes, before any picture of the document was seen. */
const USUAL_GAIN = 0.88;
/** How far from the place that was found the thorough rounds look, in rungs. */
const NEAR = 0.5;
/** A round is given up when it is this far over: its result would not be used. */
const FAR_OVER = 1.3;
/** Bytes by which dictionaries and tables may differ from what was measured. */
const SLACK_EACH = 24;
const SLACK = 96;
const TRIES = 3;

interface Version {
  readonly bytes: number;
  /** Undefined: the picture as it is. */
  readonly reduced: Reduced | undefined;
}
type Versions = ReadonlyMap<number, Version>;

/** Writes the document at or below the target where that can be, else as small as it gets. */
export async function meetTarget(task: TargetTask, ctx: Context): Promise<RandomAccess> {
  const { analysis, candidates, compacted, targetBytes } = task;
  const others = [...compacted.images].reduce((sum, [num, bytes]) => sum + (candidates.has(num) ? 0 : bytes), 0);
  let budget = targetBytes - compacted.besides - others - candidates.size * SLACK_EACH - SLACK;
  for (let tries = 1; ; tries++) {
    const chosen = await search(task, budget, ctx);
    const draft = ctx.temp.create(`${tries}-${task.name}`);
    const images = async (num: number, ref: (num: number) => number) => {
      const reduced = chosen.get(num)?.reduced;
      return reduced === undefined ? undefined : { ...reduced, entries: reduced.entries(ref) };
    };
    await compact(analysis, draft, { plain: task.plain, images }, ctx);
    const body = draft.finish();
    const over = body.size - targetBytes;
    if (over <= 0 || tries === TRIES || sizeOf(chosen) > budget) return body;
    budget -= over + SLACK;
  }
}

async function search(task: TargetTask, budget: number, ctx: Context): Promise<Versions> {
  const last = LADDER.length - 1;
  const said = (done: number) =>
    ctx.progress({ phase: 'fit', done, total: QUICK_ROUNDS + THOROUGH_ROUNDS, unit: 'rounds', note: task.name });
  let fine = 0;
  let coarse = last;
  for (let round = 0; round < QUICK_ROUNDS; round++) {
    said(round);
    const middle = (fine + coarse) / 2;
    const quick = await versionsAt(task, middle, false, (budget * FAR_OVER) / USUAL_GAIN, ctx);
    if (quick !== undefined && sizeOf(quick) * USUAL_GAIN <= budget) coarse = middle;
    else fine = middle;
  }
  let place = (fine + coarse) / 2;
  let below: Found | undefined;
  let above: Found | undefined;
  for (let round = 0; round < THOROUGH_ROUNDS; round++) {
    said(QUICK_ROUNDS + round);
    const versions = await versionsAt(task, place, true, budget * FAR_OVER * 2, ctx);
    const found = {
      versions: versions ?? new Map(),
      place,
      bytes: versions === undefined ? undefined : sizeOf(versions),
    };
    if (found.bytes !== undefined && found.bytes <= budget) below = found;
    else above = found;
    if ((below?.bytes ?? 0) >= budget * ENOUGH || (below?.place ?? 1) === 0) break;
    if (below !== undefined && above !== undefined) place = between(below, above, budget);
    else place = below === undefined ? Math.min(last, place + NEAR) : Math.max(0, place - NEAR);
  }
  // Nothing on the way fitted: the last rung, whatever it takes.
  const found = below?.versions ?? (await versionsAt(task, last, true, Number.POSITIVE_INFINITY, ctx));
  // What is still left takes pictures back to what they were, bit by bit.
  return spend(spend(found ?? new Map(), above?.versions, budget), asTheyAre(task), budget);
}

interface Found {
  readonly versions: Versions;
  readonly place: number;
  /** Undefined where it was given up. */
  readonly bytes: number | undefined;
}

/** Where the budget would just be met if sizes grew evenly, by factors, from one place to the other. */
function between(below: Found, above: Found, budget: number): number {
  const { bytes: from = 0 } = below;
  const { bytes: to = from * 4 } = above;
  const part = Math.log((budget * (1 + ENOUGH)) / 2 / from) / Math.log(to / from);
  return below.place + (above.place - below.place) * Math.min(0.85, Math.max(0.15, Number.isFinite(part) ? part : 0.5));
}

/** What is left of the budget buys better versions, the cheapest first, so that as many pictures as possible gain. */
function spend(below: Versions, above: Versions | undefined, budget: number): Versions {
  const chosen = new Map(below);
  let left = budget - sizeOf(below);
  const steps = [...(above ?? [])]
    .map(([num, version]) => ({ num, version, price: version.bytes - (below.get(num)?.bytes ?? 0) }))
    .sort((a, b) => a.price - b.price);
  for (const { num, version, price } of steps) {
    // Halves of a pair keep the size they have together.
    if (price > left || price <= 0 || version.reduced?.paired || below.get(num)?.reduced?.paired) continue;
    chosen.set(num, version);
    left -= price;
  }
  return chosen;
}

function asTheyAre({ candidates, compacted }: TargetTask): Versions {
  return new Map(
    [...candidates.values()].map(({ num, stored }) => [
      num,
      { bytes: compacted.images.get(num) ?? stored, reduced: undefined },
    ]),
  );
}

function sizeOf(versions: Versions): number {
  let sum = 0;
  for (const { bytes } of versions.values()) sum += bytes;
  return sum;
}

/** All pictures at a place of the ladder; undefined as soon as they take more than `most` together. */
async function versionsAt(
  task: TargetTask,
  place: number,
  thorough: boolean,
  most: number,
  ctx: Context,
): Promise<Versions | undefined> {
  const { analysis, candidates, codec, compacted } = task;
  const effort = effortAt(place, thorough);
  const versions = new Map<number, Version>();
  const turns = new Turns(PIXELS_AT_ONCE);
  let sum = 0;
  await Promise.all(
    [...candidates.values()].map((picture) =>
      turns.take(pixelsOf(picture), async () => {
        if (sum > most) return;
        const own = compacted.images.get(picture.num) ?? picture.stored;
        const reduced = await attempt(analysis.source.file, picture, effort, codec, ctx);
        const version = reduced !== undefined && (reduced.paired || reduced.data.length < own) ? reduced : undefined;
        versions.set(picture.num, { bytes: version?.data.length ?? own, reduced: version });
        sum += version?.data.length ?? own;
      }),
    ),
  );
  return sum > most ? undefined : versions;
}

function effortAt(place: number, thorough: boolean): Effort {
  const rung = Math.min(Math.floor(place), LADDER.length - 2);
  const part = place - rung;
  const [fromDpi, fromQuality] = LADDER[rung]!;
  const [toDpi, toQuality] = LADDER[rung + 1]!;
  return {
    dpi: fromDpi * (toDpi / fromDpi) ** part,
    margin: 1,
    quality: Math.round(fromQuality + (toQuality - fromQuality) * part),
    grayscale: false,
    worth: 1,
    thorough,
  };
}
