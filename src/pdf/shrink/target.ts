// Meets a target in bytes: the best pictures that fit, found in a bounded number of rounds.
//
// In: the candidates, and what the document takes without them. The target less that is the budget of the pictures. A ladder
// of resolutions and qualities orders all versions of a picture; a place between two rungs stands for one version of each.
// Seven quick rounds on up to 12 pictures halve the interval to find the place. Up to nine thorough rounds on all pictures
// step from there, twice as far each time, until one fits (`below`) and one does not (`above`), then interpolate between
// them until 97 % of the budget is used. What is left buys single pictures the version of `above`, then the original.
// Out: a document of at most the target where the ladder allows that, else the last rung. The document is written, and where
// it is over by dictionaries and tables, the budget shrinks and all is done again, three times at most.
// Invariant: one round's pictures are on disk, never in memory together. Cost: 9 times the coding of all pictures at most.
import type { Context, Draft, RandomAccess } from '../../contract/base/ports.ts';
import { fill } from '../file/read/random-access.ts';
import { type Analysis, type Compacted, type CompactOptions, compact, type PictureRecord } from './compact.ts';
import type { Reducer } from './pictures/candidates.ts';
import type { Codec } from './pictures/codec.ts';
import { type Candidate, type Effort, pixelsOf } from './pictures/pictures.ts';
import { type Reduced, reducedBytes } from './pictures/reduced.ts';
import { PIXELS_AT_ONCE, PixelBudget } from './pixel-budget.ts';

interface TargetTask {
  readonly analysis: Analysis;
  readonly candidates: ReadonlyMap<number, Candidate>;
  readonly codec: Codec;
  readonly reducer: Reducer;
  /** Scanned pages may come in layers. */
  readonly inLayers: boolean;
  /** The size of the document with its pictures unchanged. */
  readonly compacted: Compacted;
  readonly targetBytes: number;
  readonly plain: boolean;
  /** Pictures may fall below what stays readable. */
  readonly allowUnreadable: boolean;
  readonly name: string;
}

/**
 * The ladder, from hardly visible to hardly recognisable; places between two rungs are interpolated. Above the pixels
 * that paper shows, quality is given up first: with all its pixels at quality 40 a picture was 10 dB nearer to the
 * original than one of as many bytes with fewer pixels at quality 90.
 */
const LADDER: readonly (readonly [dpi: number, quality: number])[] = [
  [2400, 100], [1200, 95], [900, 90], [700, 84], [600, 78], [500, 70], [450, 62], [400, 55], [350, 48], [325, 42], [300, 36],
  [260, 35], [225, 37], [190, 43], [160, 50], [140, 52], [120, 50], [105, 46], [96, 42], [84, 38], [72, 36], [60, 32],
  [50, 28], [40, 24], [32, 20], [24, 16], [18, 13], [12, 10],
]; // biome-ignore format: a table
/** The last rung at which text of the usual size can be read: below 72 pixels to the inch letters run together. */
const READABLE = LADDER.findIndex(([dpi]) => dpi === 72);
/** Quick rounds find the setting, with the fast coder on a sample; thorough ones make the result with the slow coder. */
const QUICK_ROUNDS = 7;
const SAMPLE = 12;
const THOROUGH_ROUNDS = 9;
/** With this many pictures, two versions of each that lie a rung apart fill the budget: no third is made. */
const MANY = 24;
/** A result that uses this share of the budget is good enough. */
const ENOUGH = 0.97;
/** Bytes of the thorough coder per byte of the quick one, measured on photographs and scans. */
const USUAL_GAIN = 0.96;
/** Rungs of the first step away from the place that the quick rounds found; each further step is twice as long. */
const NEAR = 0.5;
/** A round is given up when it exceeds the budget by this factor: its result would not be used. */
const FAR_OVER = 1.3;
/** Bytes reserved for dictionaries and tables: for each picture, and for the document. */
const SLACK_EACH = 24;
const SLACK = 96;
const TRIES = 3;

export interface WrittenBody {
  readonly body: RandomAccess;
  readonly pictures: readonly PictureRecord[];
  /** Whether text had to stay readable: a result above the target is then the smallest readable one. */
  readonly atFloor?: boolean;
}

interface Version {
  readonly bytes: number;
  /** Undefined for the original picture. */
  readonly reduced: StoredPicture | undefined;
}
type Versions = ReadonlyMap<number, Version>;

/** Writes the document at or below the target where possible, else as small as it gets. */
export async function meetTarget(task: TargetTask, ctx: Context): Promise<WrittenBody> {
  const { analysis, candidates, compacted, targetBytes } = task;
  const others = [...compacted.images].reduce((sum, [num, bytes]) => sum + (candidates.has(num) ? 0 : bytes), 0);
  let budget = targetBytes - compacted.besides - others - candidates.size * SLACK_EACH - SLACK;
  for (let tries = 1; ; tries++) {
    const stores: ReducedStore[] = [];
    const newStore = () => {
      const store = new ReducedStore(ctx.temp.create(`round-${tries}-${stores.length}-${task.name}`));
      stores.push(store);
      return store;
    };
    const chosen = await search(task, budget, newStore, ctx);
    const draft = ctx.temp.create(`${tries}-${task.name}`);
    const images: CompactOptions['images'] = async (num, ref) => {
      const reduced = chosen.get(num)?.reduced;
      if (reduced === undefined) return undefined;
      return { ...reduced.read(), paired: reduced.paired, entries: (parts) => reduced.entries(ref, parts) };
    };
    const { pictures } = await compact(analysis, draft, { codec: task.codec, plain: task.plain, images }, ctx);
    const body = draft.finish();
    for (const store of stores) store.clear();
    const over = body.size - targetBytes;
    if (over <= 0 || tries === TRIES || sizeOf(chosen) > budget) return { body, pictures };
    budget -= over + SLACK;
  }
}

async function search(task: TargetTask, budget: number, newStore: () => ReducedStore, ctx: Context): Promise<Versions> {
  const last = task.allowUnreadable ? LADDER.length - 1 : READABLE;
  const progress = (done: number) =>
    ctx.progress({
      phase: 'fit',
      done,
      total: QUICK_ROUNDS + THOROUGH_ROUNDS,
      unit: 'rounds',
      note: task.analysis.source.file.name,
    });
  const sample = sampleOf(task);
  let fine = 0;
  let coarse = last;
  for (let round = 0; round < QUICK_ROUNDS; round++) {
    progress(round);
    const middle = (fine + coarse) / 2;
    const quick = await estimate(task, sample, effortAt(task, middle, false));
    if (quick * USUAL_GAIN <= budget) coarse = middle;
    else fine = middle;
  }
  let place = (fine + coarse) / 2;
  let step = NEAR;
  let below: Found | undefined;
  let above: Found | undefined;
  for (let round = 0; round < THOROUGH_ROUNDS; round++) {
    progress(QUICK_ROUNDS + round);
    const versions = await versionsAt(task, place, budget * FAR_OVER * 2, newStore());
    const best = {
      versions: versions ?? new Map(),
      place,
      bytes: versions === undefined ? undefined : sizeOf(versions),
    };
    if (best.bytes !== undefined && best.bytes <= budget) below = best;
    else above = best;
    if ((below?.bytes ?? 0) >= budget * ENOUGH || (below?.place ?? 1) === 0) break;
    if (below !== undefined && above !== undefined) {
      if (above.versions.size >= MANY && below.place - above.place <= 1) break;
      place = between(below, above, budget);
      continue;
    }
    place = below === undefined ? Math.min(last, place + step) : Math.max(0, place - step);
    step *= 2;
  }
  // Nothing tried fitted: the last rung, whatever it takes.
  const versions = below?.versions ?? (await versionsAt(task, last, Number.POSITIVE_INFINITY, newStore()));
  // The remaining room improves pictures again, step by step.
  return spend(spend(versions ?? new Map(), above?.versions, budget), asTheyAre(task), budget);
}

interface Found {
  readonly versions: Versions;
  readonly place: number;
  /** Undefined where the round was given up. */
  readonly bytes: number | undefined;
}

/** The place where the budget would just be met if log sizes grew linearly between two places. */
function between(below: Found, above: Found, budget: number): number {
  const { bytes: from = 0 } = below;
  const { bytes: to = from * 4 } = above;
  const part = Math.log((budget * (1 + ENOUGH)) / 2 / from) / Math.log(to / from);
  return below.place + (above.place - below.place) * Math.min(0.85, Math.max(0.15, Number.isFinite(part) ? part : 0.5));
}

/** Spends the rest of the budget on better versions, the cheapest first, so that as many pictures as possible gain. */
function spend(below: Versions, above: Versions | undefined, budget: number): Versions {
  const chosen = new Map(below);
  let left = budget - sizeOf(below);
  const steps = [...(above ?? [])]
    .map(([num, version]) => ({ num, version, price: version.bytes - (below.get(num)?.bytes ?? 0) }))
    .sort((a, b) => a.price - b.price);
  for (const { num, version, price } of steps) {
    // Halves of a pair keep their common size.
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

/** A sample of pictures by size, so that each stands for the same number of bytes. */
function sampleOf({ candidates, compacted }: TargetTask): readonly Candidate[] {
  const all = [...candidates.values()];
  if (all.length <= SAMPLE) return all;
  const weigh = ({ num, stored }: Candidate) => compacted.images.get(num) ?? stored;
  all.sort((a, b) => weigh(a) - weigh(b));
  const share = all.reduce((sum, picture) => sum + weigh(picture), 0) / SAMPLE;
  const sample = new Set<Candidate>();
  let sum = 0;
  for (const picture of all) {
    if (Math.floor((sum + weigh(picture)) / share + 0.5) > Math.floor(sum / share + 0.5)) sample.add(picture);
    sum += weigh(picture);
  }
  return [...sample];
}

/** The estimated size of all pictures, from that of the sample. */
async function estimate(task: TargetTask, sample: readonly Candidate[], effort: Effort): Promise<number> {
  const { candidates, compacted } = task;
  const current = ({ num, stored }: Candidate) => compacted.images.get(num) ?? stored;
  const before = sample.reduce((sum, picture) => sum + current(picture), 0);
  const all = [...candidates.values()].reduce((sum, picture) => sum + current(picture), 0);
  let after = 0;
  await eachPicture(task, sample, effort, (_, bytes) => {
    after += bytes;
    return false;
  });
  return (after / Math.max(1, before)) * all;
}

/** All pictures at a place of the ladder; undefined as soon as they take more than `most` together. */
async function versionsAt(
  task: TargetTask,
  place: number,
  most: number,
  store: ReducedStore,
): Promise<Versions | undefined> {
  const versions = new Map<number, Version>();
  let sum = 0;
  await eachPicture(task, [...task.candidates.values()], effortAt(task, place, true), ({ num }, bytes, reduced) => {
    versions.set(num, { bytes, reduced: reduced === undefined ? undefined : store.put(reduced) });
    sum += bytes;
    return sum > most;
  });
  store.close();
  return sum > most ? undefined : versions;
}

/** Reduces pictures in parallel; `seen` gets the size of each so far and returns true to stop. */
async function eachPicture(
  { reducer, compacted }: TargetTask,
  pictures: readonly Candidate[],
  effort: Effort,
  seen: (picture: Candidate, bytes: number, reduced: Reduced | undefined) => boolean,
): Promise<void> {
  const pixelBudget = new PixelBudget(PIXELS_AT_ONCE);
  let over = false;
  await Promise.all(
    pictures.map((picture) =>
      pixelBudget.take(pixelsOf(picture), async () => {
        if (over) return;
        const current = compacted.images.get(picture.num) ?? picture.stored;
        const reduced = await reducer.reduce(picture, effort);
        const better =
          reduced !== undefined && (reduced.paired || reducedBytes(reduced) < current) ? reduced : undefined;
        over = seen(picture, better === undefined ? current : reducedBytes(better), better) || over;
      }),
    ),
  );
}

function effortAt(task: TargetTask, place: number, thorough: boolean): Effort {
  const rung = Math.floor(place);
  const [from, to = from] = LADDER.slice(rung, rung + 2);
  if (from === undefined || to === undefined) throw new RangeError(`place ${place} is outside of the ladder`);
  const part = place - rung;
  const [fromDpi, fromQuality] = from;
  const [toDpi, toQuality] = to;
  return {
    dpi: fromDpi * (toDpi / fromDpi) ** part,
    margin: 1,
    quality: Math.round(fromQuality + (toQuality - fromQuality) * part),
    grayscale: false,
    worth: 1,
    thorough,
    layers: task.inLayers ? 'always' : 'none',
  };
}

/** A reduced picture with its data on disk: readable after the store was closed and before it is cleared. */
interface StoredPicture extends Omit<Reduced, 'data' | 'parts'> {
  read(): Pick<Reduced, 'data' | 'parts'>;
}

/** Holds the reduced pictures of one round on disk: those of a large document do not fit in memory. */
class ReducedStore {
  private readonly draft: Draft;
  private source: RandomAccess | undefined;

  constructor(draft: Draft) {
    this.draft = draft;
  }

  put({ data, parts = [], ...rest }: Reduced): StoredPicture {
    const offset = this.place(data);
    const others = parts.map((part) => ({ entries: part.entries, data: this.place(part.data) }));
    return {
      ...rest,
      read: () => ({ data: offset(), parts: others.map(({ entries, data: read }) => ({ entries, data: read() })) }),
    };
  }

  private place(data: Uint8Array): () => Uint8Array {
    const from = this.draft.size;
    const { length } = data;
    this.draft.write(data);
    return () => this.bytes(from, length);
  }

  close(): void {
    this.source = this.draft.finish();
  }

  clear(): void {
    this.draft.discard();
  }

  private bytes(from: number, length: number): Uint8Array {
    if (this.source === undefined) throw new TypeError('the store is still being filled');
    const bytes = new Uint8Array(length);
    if (fill(this.source, bytes, from) < length) throw new Error('a picture put aside is no longer there');
    return bytes;
  }
}
