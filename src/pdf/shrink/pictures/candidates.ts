import type { Context } from '../../../contract/base/ports.ts';
import { Pace } from '../../file/read/pace.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import type { Source } from '../../file/read/source.ts';
import { scaleToSheet } from '../../images/place.ts';
import { Dict, Ref, type Value } from '../../syntax/values.ts';
import type { Survey } from '../objects/survey.ts';
import { Budgeted } from './budgeted.ts';
import { type Codec, CodecLost, isCodecMissing, isUncodable } from './codec.ts';
import { type Candidate, candidate, type Effort, reduce, type Setting } from './pictures.ts';
import { findShown, type Shown } from './placement.ts';
import type { Reduced } from './reduced.ts';

interface Surveyed {
  readonly source: Source;
  readonly survey: Survey;
  /** The representative of each object. */
  readonly same: Int32Array;
  readonly masks: ReadonlySet<number>;
}

/**
 * The pictures that may be reduced, by object number. Pages are read only where there are any. `onSheets`: the pages
 * were made from the pictures and have their size, so none counts as larger than a sheet of paper.
 */
export async function findCandidates(
  { source, survey, same, masks }: Surveyed,
  { bilevel, onSheets }: Pick<Setting, 'bilevel'> & { readonly onSheets: boolean },
  ctx: Context,
): Promise<ReadonlyMap<number, Candidate>> {
  const { file } = source;
  const images: [num: number, dict: Dict, stored: number][] = [];
  for (const [num, stored] of survey.lengths) {
    if (same[num] !== num) continue;
    const dict = file.object(num);
    if (!(dict instanceof Dict) || dict.name('Subtype') !== 'Image') continue;
    images.push([num, dict, stored]);
  }
  const may = images.filter(
    ([num, dict, stored]) => candidate(file, num, dict, stored, { shown: undefined, masks, bilevel }) !== undefined,
  );
  if (may.length === 0) return new Map();
  const shown = await findShown(source, same, new Pace(ctx));
  const candidates = new Map<number, Candidate>();
  for (const [num, dict, stored] of may) {
    const picture = candidate(file, num, dict, stored, {
      shown: onSheets ? shownOnSheet(shown.get(num)) : shown.get(num),
      masks,
      bilevel,
    });
    if (picture !== undefined) candidates.set(num, picture);
  }
  for (const [num, dict] of images) if (dict.has('SMask')) keepPair(candidates, num, dict.get('SMask'), same);
  return candidates;
}

/** Cameras write 72 dpi into photos that nobody prints 25 inches wide. */
function shownOnSheet(shown: Shown | undefined): Shown | undefined {
  if (shown === undefined) return undefined;
  const scale = Math.min(1, scaleToSheet(shown.width, shown.height, 0));
  return { ...shown, width: shown.width * scale, height: shown.height * scale };
}

/** A premultiplied picture and its mask are reduced together or not at all. */
function keepPair(candidates: Map<number, Candidate>, num: number, value: Value | undefined, same: Int32Array): void {
  if (!(value instanceof Ref)) return;
  const other = same[value.num] ?? value.num;
  const picture = candidates.get(num);
  const mask = candidates.get(other);
  if (picture?.matte !== true && mask?.matte !== true) return;
  const alike =
    picture !== undefined &&
    mask !== undefined &&
    picture.form.width === mask.form.width &&
    picture.form.height === mask.form.height &&
    picture.shown?.width === mask.shown?.width &&
    picture.shown?.height === mask.shown?.height;
  if (alike) return;
  candidates.delete(num);
  candidates.delete(other);
}

export const WITHOUT_CODEC = 'pictures were left as they are: the image library sharp is not installed';
/** After losing the codec over so many pictures none is tried any more: the document is made to waste time. */
const MOST_LOST = 3;

/**
 * Reduces the pictures of one document, as often as asked; one that cannot be decoded stays unchanged. No process is started
 * for pictures of which their headers say enough.
 */
export class Reducer {
  private readonly file: PdfFile;
  private readonly codec: Codec;
  private readonly ctx: Context;
  private readonly budgeted: Budgeted;
  private readonly lost = new Set<number>();
  private readonly mustReduce: boolean;
  private isMissing = false;

  /** `mustReduce`: without a codec it fails. */
  constructor(file: PdfFile, codec: Codec, ctx: Context, mustReduce: boolean) {
    this.file = file;
    this.codec = codec;
    this.ctx = ctx;
    this.mustReduce = mustReduce;
    this.budgeted = new Budgeted(file, codec);
  }

  /** `samples`: decodes it, where that has been done before. */
  async reduce(picture: Candidate, effort: Effort, samples?: () => Uint8Array): Promise<Reduced | undefined> {
    const { ctx, lost } = this;
    ctx.signal.throwIfAborted();
    if (this.isMissing || lost.has(picture.num) || lost.size >= MOST_LOST) return undefined;
    try {
      return await this.attempt(picture, effort, samples);
    } catch (error) {
      if (isCodecMissing(error) && !this.mustReduce) {
        this.isMissing = true;
        return undefined;
      }
      if (ctx.signal.aborted || !(error instanceof Error) || !isUncodable(error)) throw error;
      if (error instanceof CodecLost) lost.add(picture.num);
      ctx.detail(`picture ${picture.num} stays as it is: ${error.message}`);
      return undefined;
    }
  }

  warnings(): string[] {
    const { lost } = this;
    if (this.isMissing) return [WITHOUT_CODEC];
    if (lost.size === 0) return [];
    const rest = lost.size >= MOST_LOST ? ', and no others were tried after them' : '';
    const which = `${lost.size === 1 ? 'a picture' : 'pictures'} (object ${[...lost].join(', ')})`;
    return [`${this.file.name}: ${which} stayed as found, because decoding took too long${rest}`];
  }

  private async attempt(
    picture: Candidate,
    effort: Effort,
    samples: (() => Uint8Array) | undefined,
  ): Promise<Reduced | undefined> {
    const { file, codec } = this;
    try {
      const inLayers = effort.layers === 'always' && picture.page;
      return await (inLayers ? this.budgeted.reduce(picture, effort) : reduce(file, picture, effort, codec, samples));
    } catch (error) {
      if (!(error instanceof CodecLost)) throw error;
    }
    // Another picture of the same time may be at fault.
    const single = codec.alone();
    try {
      return await reduce(file, picture, effort, single, samples);
    } finally {
      single.close();
    }
  }
}
