import { USUAL_DPI } from '../../contract/limits.ts';
import { PDF } from '../../contract/media.ts';
import type { ByteSource, BytesResult, Context } from '../../contract/ports.ts';
import { fingerprint } from '../file/copy/assemble.ts';
import { rewrite } from '../file/copy/rewrite.ts';
import { openSource, type Source, withSources } from '../file/open.ts';
import { archivePart } from '../file/read/claims.ts';
import { Pace } from '../file/read/pace.ts';
import { signatureWarning } from '../file/read/signature.ts';
import { checked } from '../file/write/check.ts';
import { markDamage } from '../syntax/damage.ts';
import { analyse, type CompactOptions, compact, type PictureRecord } from './compact.ts';
import { undecodedWarning } from './objects/undecoded.ts';
import { findCandidates, Reducer } from './pictures/candidates.ts';
import { Codec, codecMissing } from './pictures/codec.ts';
import { type Effort, pixelsOf } from './pictures/pictures.ts';
import { PIXELS_AT_ONCE, PixelBudget } from './pixel-budget.ts';
import { meetTarget, type Written } from './target.ts';

export interface ShrinkOptions {
  readonly targetBytes?: number | undefined;
  /** No pixel is touched. */
  readonly lossless?: boolean | undefined;
  readonly quality?: number | undefined;
  readonly dpi?: number | undefined;
  readonly grayscale?: boolean | undefined;
  /** Scanned pages of text become black and white. */
  readonly bilevel?: boolean | undefined;
  /** Scanned pages stay in one layer. */
  readonly no_mrc?: boolean | undefined;
  /** A target may be met with pictures in which text can no longer be read. */
  readonly allow_unreadable?: boolean | undefined;
  /** Bytes of the inputs that the file was made of, where its size is measured against them. */
  readonly originalBytes?: number | undefined;
  /** Each page was made from an image and is as large as that claims. */
  readonly fromImages?: boolean | undefined;
}

/** The mode of SERVICE.md's measurement. */
const MODE = 'best_effort_repack';
/** Pictures of a page are reduced to USUAL_DPI where they have more than 1.5 times as much. */
const USUAL_MARGIN = 1.5;
/** A resolution that was asked for is taken at its word, but a picture a little above is not worth a loss. */
const ASKED_MARGIN = 1.1;
const WORTH = 0.9;

export async function shrink(
  input: ByteSource,
  name: string,
  options: ShrinkOptions,
  ctx: Context,
): Promise<BytesResult> {
  return withSources([input], ctx, async ([source], temp) => {
    if (source === undefined) throw new TypeError('one input gives one source');
    const { file, tree } = source;
    const warnings = signatureWarning(file);
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

/** A document whose page tree is damaged, with its pages under a new root. */
async function straightened(source: Source, name: string, ctx: Context): Promise<Source> {
  const draft = ctx.temp.create(`pages-of-${name}`);
  const id = fingerprint([source], 'pages');
  await markDamage(source.file, () => rewrite(source, draft, id, new Pace(ctx), () => new Map()));
  return openSource({ ...draft.finish(), name: source.file.name }, {});
}

async function write(
  source: Source,
  name: string,
  options: ShrinkOptions,
  warnings: string[],
  ctx: Context,
): Promise<Written> {
  const { targetBytes, quality, dpi, grayscale = false, lossless = false, bilevel = false } = options;
  const allowUnreadable = options.allow_unreadable === true;
  const inLayers = options.no_mrc !== true;
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
    const candidates = await findCandidates(analysis, searched, ctx);
    if (candidates.size > 0) {
      if (codec !== undefined && (await codec.hasSharp())) reducer = new Reducer(source.file, codec, ctx);
      else if (asked) throw codecMissing();
      else if (targetBytes === undefined)
        warnings.push('pictures were left as they are: the image library sharp is not installed');
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
      thorough: true,
      layers: bilevel ? 'ink' : !inLayers || quality !== undefined || dpi !== undefined ? 'none' : 'alike',
    };
    const pixelBudget = new PixelBudget(PIXELS_AT_ONCE);
    const reducing = reducer;
    const images: CompactOptions['images'] =
      reducing === undefined
        ? undefined
        : async (num, ref) => {
            const picture = candidates.get(num);
            if (picture === undefined) return undefined;
            const reduced = await pixelBudget.take(pixelsOf(picture), () => reducing.reduce(picture, effort));
            return reduced === undefined ? undefined : { ...reduced, entries: (parts) => reduced.entries(ref, parts) };
          };
    const draft = ctx.temp.create(name);
    const { pictures } = await compact(analysis, draft, { codec, plain, images, quick: true }, ctx);
    return { body: draft.finish(), pictures };
  } finally {
    warnings.push(...(reducer?.warnings() ?? []), ...undecodedWarning(source, analysis.undecoded));
    codec?.close();
  }
}
