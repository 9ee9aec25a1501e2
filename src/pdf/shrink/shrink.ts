// The compression of a document: opened or repaired, written with fewer bytes, checked by reading it again. The input
// is returned where it was sound and the result is not smaller.

import type { ByteSource, BytesResult, Context } from '../../contract/base/ports.ts';
import { USUAL_DPI } from '../../contract/limits.ts';
import { PDF } from '../../contract/media.ts';
import { documentId } from '../file/copy/assemble.ts';
import { rewrite } from '../file/copy/rewrite.ts';
import { openSource, withSources } from '../file/open.ts';
import { archivePart } from '../file/read/claims.ts';
import { Pace } from '../file/read/pace.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import type { Source } from '../file/read/source.ts';
import { checked } from '../file/write/check.ts';
import { pushAll } from '../syntax/arrays.ts';
import { markDamage, unlessDamaged } from '../syntax/damage.ts';
import { analyse, type CompactOptions, compact, type PictureRecord } from './compact.ts';
import { findCandidates, Reducer, WITHOUT_CODEC } from './pictures/candidates.ts';
import { Codec, codecMissing } from './pictures/codec.ts';
import { type Candidate, type Effort, pixelsOf } from './pictures/pictures.ts';
import { PIXELS_AT_ONCE, PixelBudget } from './pixel-budget.ts';
import { meetTarget, type WrittenBody } from './target.ts';

interface ShrinkOptions {
  readonly targetBytes?: number | undefined;
  /** No pixel changes. */
  readonly lossless?: boolean | undefined;
  readonly quality?: number | undefined;
  readonly dpi?: number | undefined;
  readonly grayscale?: boolean | undefined;
  /** Scanned pages of text become black and white. */
  readonly bilevel?: boolean | undefined;
  /** Scanned pages stay in one layer. */
  readonly no_mrc?: boolean | undefined;
  /** Take the first good answer: one layer, with the quality that one try suggests. */
  readonly fast?: boolean | undefined;
  /** A target may be met with pictures in which text can no longer be read. */
  readonly allow_unreadable?: boolean | undefined;
  /** Bytes of the original inputs, for the measurement. */
  readonly originalBytes?: number | undefined;
  /** Each page was made from an image and has the size that it claims. */
  readonly fromImages?: boolean | undefined;
}

/** The mode of SERVICE.md's measurement. */
const MODE = 'best_effort_repack';
/** Pictures are reduced to USUAL_DPI where they have more than 1.5 times that resolution. */
const USUAL_MARGIN = 1.5;
/** A requested resolution is met closely, but a picture slightly above is not worth a loss. */
const ASKED_MARGIN = 1.1;
const WORTH = 0.9;
/** Pictures that take a smaller share of the file keep their pixels: starting a codec takes 0.12 s of processor time. */
const FEW = 0.02;

export async function shrink(
  input: ByteSource,
  name: string,
  options: ShrinkOptions,
  ctx: Context,
): Promise<BytesResult> {
  return withSources([input], ctx, async ([source], temp) => {
    if (source === undefined) throw new TypeError('one input gives one source');
    const { file, tree } = source;
    const warnings: string[] = [];
    const pages = tree.pages.length;
    const inner = { ...ctx, temp, progress: ctx.progress.bind(ctx), detail: ctx.detail.bind(ctx) };
    const whole = tree.wellFormed ? source : await straightened(source, name, inner);
    const written = await markDamage(file, () => write(whole, name, options, warnings, inner));
    const body = await checked(written.body, pages);
    const smaller = body.size < file.size || file.repairs.size > 0 || !tree.wellFormed;
    const bytes = smaller ? body.size : file.size;
    const { targetBytes } = options;
    const target = targetBytes === undefined ? {} : { target_bytes: targetBytes, target_reached: bytes <= targetBytes };
    if (targetBytes !== undefined && bytes > targetBytes) {
      const [smallest, way] =
        written.atFloor === true ? [' that stays readable', '; allow-unreadable goes below'] : ['', ''];
      warnings.push(
        `${file.name}: ${bytes} bytes is the smallest size${smallest}, above the target of ${targetBytes}${way}`,
      );
    }
    return {
      kind: 'bytes',
      mediaType: PDF,
      body: smaller ? body : input,
      pages,
      warnings,
      ...(smaller ? toldOf(written.pictures, ctx) : {}),
      measurement: { original_bytes: options.originalBytes ?? file.size, output_bytes: bytes, ...target, mode: MODE },
    };
  });
}

/** Reports what happened to the pictures, as a record and, for `--verbose`, in words. */
function toldOf(pictures: readonly PictureRecord[], ctx: Context): Pick<BytesResult, 'details'> {
  for (const { object, original_bytes: before, output_bytes: after, coding, width, height } of pictures) {
    const size = width === undefined ? '' : ` of ${width} by ${height} pixels`;
    ctx.detail(`picture ${object}: ${coding}${size}, ${after} bytes instead of ${before}`);
  }
  return pictures.length === 0 ? {} : { details: { pictures } };
}

async function straightened(source: Source, name: string, ctx: Context): Promise<Source> {
  const draft = ctx.temp.create(`pages-of-${name}`);
  const id = documentId([source], 'pages');
  await markDamage(source.file, () => rewrite(source, draft, id, new Pace(ctx), () => new Map()));
  return openSource({ ...draft.finish(), name: source.file.name }, {});
}

async function write(
  source: Source,
  name: string,
  options: ShrinkOptions,
  warnings: string[],
  ctx: Context,
): Promise<WrittenBody> {
  const { targetBytes, quality, dpi, grayscale = false, lossless = false, bilevel = false, fast = false } = options;
  const allowUnreadable = options.allow_unreadable === true;
  const inLayers = options.no_mrc !== true && !fast;
  const plain = archivePart(source.file) === '1';
  const analysis = await analyse(source, ctx);
  const codec = Codec.open(ctx);
  const exactly = async () => {
    const draft = ctx.temp.create(`exact-${name}`);
    const compacted = await compact(analysis, draft, { codec, plain }, ctx);
    return { compacted, pictures: compacted.pictures, body: draft.finish() };
  };
  let reducer: Reducer | undefined;
  try {
    if (lossless) return await exactly();
    const asked = quality !== undefined || dpi !== undefined || grayscale || bilevel;
    const searched = { bilevel: targetBytes !== undefined && !asked, onSheets: options.fromImages === true };
    const found = await findCandidates(analysis, searched, ctx);
    const candidates = asked || targetBytes !== undefined || areWorth(found, source.file.size) ? found : new Map();
    if (candidates.size > 0) {
      if (codec !== undefined) reducer = new Reducer(source.file, codec, ctx, asked || targetBytes !== undefined);
      else if (asked) throw codecMissing();
      else if (targetBytes === undefined) warnings.push(WITHOUT_CODEC);
    }
    if (targetBytes !== undefined && !asked) {
      const { compacted, body, pictures } = await exactly();
      if (body.size <= targetBytes || candidates.size === 0) return { body, pictures };
      if (codec === undefined || reducer === undefined) throw codecMissing();
      const task = {
        analysis,
        candidates,
        codec,
        reducer,
        inLayers,
        compacted,
        targetBytes,
        plain,
        allowUnreadable,
        name: `target-${name}`,
      };
      return { ...(await meetTarget(task, ctx)), atFloor: !allowUnreadable };
    }
    const effort: Effort = {
      dpi: dpi ?? USUAL_DPI,
      margin: dpi === undefined ? USUAL_MARGIN : ASKED_MARGIN,
      quality,
      grayscale,
      worth: WORTH,
      thorough: !fast,
      layers: bilevel ? 'ink' : !inLayers || quality !== undefined || dpi !== undefined ? 'none' : 'alike',
    };
    const pixelBudget = new PixelBudget(PIXELS_AT_ONCE);
    const reducing = reducer;
    const images: CompactOptions['images'] =
      reducing === undefined
        ? undefined
        : async (num, ref, samples) => {
            const picture = candidates.get(num);
            if (picture === undefined) return undefined;
            const reduced = await pixelBudget.take(pixelsOf(picture), () => reducing.reduce(picture, effort, samples));
            return reduced === undefined ? undefined : { ...reduced, entries: (parts) => reduced.entries(ref, parts) };
          };
    const draft = ctx.temp.create(name);
    const { pictures } = await compact(analysis, draft, { codec, plain, images, quick: true }, ctx);
    return { body: draft.finish(), pictures };
  } finally {
    warnings.push(...(reducer?.warnings() ?? []), ...undecodedWarning(source, analysis.undecoded));
    const profile = codec?.profile();
    if (profile !== undefined) ctx.detail(`pictures took ${profile}`);
    codec?.close();
  }
}

function areWorth(candidates: ReadonlyMap<number, Candidate>, size: number): boolean {
  const stored = [...candidates.values()].reduce((sum, picture) => sum + picture.stored, 0);
  return stored >= size * FEW;
}

// Streams that cannot be decoded are copied: readers may show a part of them. Warnings name them.

/** Streams named one by one before the rest is only counted. */
const NAMED = 8;

/** A warning that names each object and the first page that leads to it. */
function undecodedWarning({ file, tree }: Source, undecoded: ReadonlySet<number>): string[] {
  if (undecoded.size === 0) return [];
  const pages = firstPages(file, tree, undecoded);
  const named = [...undecoded].slice(0, NAMED).map((num) => {
    const page = pages.get(num);
    return `object ${num}${page === undefined ? '' : ` of page ${page}`}`;
  });
  const more = undecoded.size - named.length;
  const what = undecoded.size === 1 ? 'a stream that cannot be decoded was' : 'streams that cannot be decoded were';
  return [`${file.name}: ${what} copied as found: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
}

/** The first page, from 1, that leads to each of these objects. Each object is visited once. */
function firstPages(file: PdfFile, { pages, nodes }: Source['tree'], wanted: ReadonlySet<number>): Map<number, number> {
  const sizes = new Map<number, number>();
  // Neither up the tree nor from one page to another.
  const seen = new Set([...nodes, ...pages.map(({ num }) => num)]);
  for (const [i, { num, resources }] of pages.entries()) {
    const todo = [...referencesOf(file, num), ...(resources > 0 ? [resources] : [])];
    for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      if (wanted.has(next)) sizes.set(next, i + 1);
      pushAll(todo, referencesOf(file, next));
    }
    if (sizes.size === wanted.size) break;
  }
  return sizes;
}

function referencesOf(file: PdfFile, num: number): readonly number[] {
  return unlessDamaged([], () => (num > 0 && file.has(num) ? [...(file.scanObject(num)?.references() ?? [])] : []));
}
