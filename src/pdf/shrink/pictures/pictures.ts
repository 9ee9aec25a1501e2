// Reduces one picture: fewer pixels, a JPEG of lower quality, grey in place of colour, fewer colours, or layers.
//
// In: a picture that `candidate` allows, and an `Effort` with its limits. Out: the new stream with the entries of its
// dictionary, or undefined where too few bytes would be gained. The picture keeps its place, its colours (unless grey
// is asked for) and its mask. The cost is one decoding and one or two encodings in the codec's process.
import type { NewEntries } from '../../file/copy/new-entries.ts';
import { decodable, decode, type Filter } from '../../file/read/filters.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import { Dict, Name, Ref, type Value } from '../../syntax/values.ts';
import type { RasterLayers } from '../layers/mixed-raster.ts';
import { isBilevelCoded, rowsOfBilevel } from './bilevel.ts';
import type { Codec, Raster, Recoded, Size, Source } from './codec.ts';
import { MOST_PIXELS, type Quality } from './codec-process.ts';
import { type ImageForm, imageFormOf, isInverted } from './image-form.ts';
import { jpegQuality } from './jpeg-quality.ts';
import { formOfLayers } from './layered-form.ts';
import { inSixteenSteps } from './mask-steps.ts';
import { baseOf, paletteEntries } from './palette.ts';
import type { Shown } from './placement.ts';
import { MOST_DECODED, smallest } from './recode.ts';
import { type Reduced, type Referring, reducedBytes } from './reduced.ts';

/** The limits to which pictures are reduced. */
export interface Effort {
  /** Target resolution on the page. */
  readonly dpi: number;
  /** Pictures with less than so many times that resolution keep their size. */
  readonly margin: number;
  /** JPEG quality; undefined: as high as needed to look the same. */
  readonly quality: number | undefined;
  readonly grayscale: boolean;
  /** The largest part of its stored size that a new coding may take. */
  readonly worth: number;
  /** Take longer for fewer bytes. */
  readonly thorough: boolean;
  /** Whether a scanned page comes in layers where it looks as good, as its ink alone in black on white, or always. */
  readonly layers: 'none' | 'alike' | 'ink' | 'always';
}

/** A picture that can be reduced. */
export interface Candidate {
  readonly num: number;
  readonly form: ImageForm;
  readonly filters: readonly Filter[];
  readonly shown: Shown | undefined;
  readonly stored: number;
  /** Whether it is the soft mask of another picture. */
  readonly mask: boolean;
  /** Its colours are premultiplied with its soft mask, or it is such a mask: both must keep one size (11.6.5.3). */
  readonly matte: boolean;
  /** Whether it is a scanned page, or a strip of one, which a form may replace. */
  readonly page: boolean;
  /** Its /Decode inverts all samples. */
  readonly inverted: boolean;
  /** For an Indexed picture, the colour space under its palette. */
  readonly base: Value | undefined;
}

export function pixelsOf({ form }: Candidate): number {
  return form.width * form.height;
}

/** Smaller streams are not worth recoding. */
const SMALLEST_STORED = 1500;
const SMALLEST_PIXELS = 32 * 32;
/** Larger pictures that keep their size are not decoded to be examined. */
const MOST_LOOKED_AT = 30_000_000;
/** Each pixel of two colours takes up to three bytes while it is processed. */
const MOST_BILEVEL = 40_000_000;
const BLACK_AND_WHITE = { bytes: Uint8Array.of(0, 255), colors: 1 };
/** Bytes per pixel in a lossless coding below which a picture is a drawing, or nearly empty: no JPEG comes to less. */
const DRAWING = 0.03;
const USUAL_QUALITY = 75;
const MASK_QUALITY = 85;

/** Facts from the document about a picture. */
export interface Setting {
  readonly shown: Shown | undefined;
  /** The objects that are soft masks of others. */
  readonly masks: ReadonlySet<number>;
  /** Pictures of two colours may become grey, where every byte counts; else they keep their pixels. */
  readonly bilevel: boolean;
}

/** The picture, if it may be reduced. */
export function candidate(
  file: PdfFile,
  num: number,
  dict: Dict,
  stored: number,
  { shown, masks, bilevel }: Setting,
): Candidate | undefined {
  const form = imageFormOf(file, dict);
  if (form === undefined || form.mask || (form.bits === 1 && !bilevel)) return undefined;
  const pixels = form.width * form.height;
  if (pixels > (form.bits === 1 ? MOST_BILEVEL : MOST_PIXELS)) return undefined;
  // A masked-out colour would no longer match exactly, unless a soft mask replaces it anyway (11.6.5.3).
  const soft = file.dict(dict.get('SMask'));
  if (soft === undefined && Array.isArray(file.resolve(dict.get('Mask')))) return undefined;
  const matte = dict.has('Matte') || soft?.has('Matte') === true;
  if (dict.has('SMaskInData') || ((stored < SMALLEST_STORED || pixels < SMALLEST_PIXELS) && !matte)) return undefined;
  const filters = file.filters(dict);
  const jpeg = filters.at(-1)?.name === 'DCTDecode';
  const bits = form.bits === 1 && isBilevelCoded(filters);
  if (!bits && !decodable(jpeg ? filters.slice(0, -1) : filters)) return undefined;
  const inverted = isInverted(file.resolve(dict.get('Decode')), form);
  if (inverted === undefined || (inverted && form.space === 'indexed')) return undefined;
  if (form.space === 'other') return undefined;
  if (form.space === 'indexed' ? form.palette === undefined || jpeg : !wholeBytes(form)) return undefined;
  const space = file.resolve(dict.get('ColorSpace'));
  const page = isPage(form, dict, shown) && !inverted && !masks.has(num);
  const base = form.space === 'indexed' && Array.isArray(space) ? space[1] : undefined;
  if (form.space === 'indexed' && baseText(base, () => 0) === undefined) return undefined;
  return { num, form, filters, shown, stored, mask: masks.has(num), matte, base, page, inverted };
}

/** Below this resolution no edges are worth keeping. */
const LEAST_PAGE_DPI = 140;

function isPage(form: ImageForm, dict: Dict, shown: Shown | undefined): boolean {
  if (shown?.covers !== true || !shown.plain || form.bits !== 8 || spaceOf(form) === 'cmyk') return false;
  if (['SMask', 'Mask', 'Alternates', 'OPI'].some((key) => dict.has(key))) return false;
  return (form.width * 72) / shown.width >= LEAST_PAGE_DPI && (form.height * 72) / shown.height >= LEAST_PAGE_DPI;
}

function wholeBytes({ bits, space }: ImageForm): boolean {
  return bits === 8 || (bits === 1 && space === 'gray');
}

/** The size at which the picture has `dpi` where it is shown largest; its own size where it has little more. */
function sizeAt(picture: Candidate, { dpi, margin }: Pick<Effort, 'dpi' | 'margin'>): Size {
  const { width, height } = picture.form;
  const shownDpi = dpiOf(picture, picture.form);
  if (shownDpi === undefined || shownDpi <= dpi * margin) return { width, height };
  const scale = dpi / shownDpi;
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** The resolution of the picture at a size, where it is shown largest. */
function dpiOf({ shown }: Candidate, { width, height }: Size): number | undefined {
  if (shown === undefined || !(shown.width > 0) || !(shown.height > 0)) return undefined;
  return Math.min((width * 72) / shown.width, (height * 72) / shown.height);
}

/** The matte colour is given in the picture's own colours, so such a picture keeps them. */
function toGrayOf({ form, matte }: Candidate, { grayscale }: Effort): boolean {
  return grayscale && form.space !== 'gray' && !matte;
}

/** The reduced picture; undefined where that is not worth it. */
export async function reduce(
  file: PdfFile,
  picture: Candidate,
  effort: Effort,
  codec: Codec,
  samples?: () => Uint8Array,
): Promise<Reduced | undefined> {
  const { form, filters } = picture;
  const size = sizeAt(picture, effort);
  const kept = size.width === form.width && size.height === form.height;
  const paired = picture.matte && !kept;
  const isJpeg = filters.at(-1)?.name === 'DCTDecode';
  const toGray = toGrayOf(picture, effort);
  if (!isJpeg && kept && effort.worth < 1 && !toGray && picture.stored < pixelsOf(picture) * DRAWING) return undefined;
  const stored = await decoded(file, picture, isJpeg, codec, samples);
  if (stored === undefined) return undefined;
  if (effort.layers === 'ink' && picture.page) {
    const ink = await inkOf(picture, sourceOf(stored, form, isJpeg), codec);
    if (ink !== undefined && ink.data.length < picture.stored) return ink;
  }
  // Nothing worth a loss would be gained, unless every byte counts.
  const enough = (effort.quality ?? USUAL_QUALITY) + 4;
  if (isJpeg && kept && !toGray && effort.worth < 1 && jpegQuality(stored) <= enough) return undefined;
  const inks = spaceOf(form) === 'cmyk';
  const raw = inks ? await inkJpeg(stored, picture, toGray, codec) : stored;
  const jpeg = isJpeg || inks;
  const most = paired ? Number.POSITIVE_INFINITY : picture.stored * effort.worth;
  const asSeen = { dpi: dpiOf(picture, size), most, once: !effort.thorough };
  if (inks && !toGray) {
    const data = await codec.recodeInks(raw, size, effort.quality ?? asSeen);
    if (data === undefined || data.length > most) return undefined;
    return { data, paired, entries: inkEntriesOf(picture, size, isJpeg) };
  }
  const space = toGray || spaceOf(form) === 'gray' ? 'gray' : 'rgb';
  const source = sourceOf(raw, form, jpeg);
  if (picture.mask) {
    const raster =
      'jpeg' in source ? await codec.decode(source.jpeg, size, space) : await codec.scale(source, size, space);
    return reduceMask(picture, raster, effort, codec);
  }
  const drawing =
    toGray && !('jpeg' in source)
      ? await greyDrawing(await codec.scale(source, size, space), picture.inverted)
      : undefined;
  const isDrawn = kept && !toGray && !picture.matte && effort.quality === undefined && effort.thorough;
  const dpi = effort.layers === 'alike' && picture.page ? dpiOf(picture, form) : undefined;
  const quality: Quality = effort.quality ?? (size.width * size.height <= MOST_LOOKED_AT ? asSeen : USUAL_QUALITY);
  const recoded = await codec.recode(source, {
    size,
    space,
    quality,
    thorough: effort.thorough,
    ...(isDrawn && !jpeg ? { fewer: most } : {}),
    ...(dpi === undefined ? {} : { layers: { size: { width: form.width, height: form.height }, dpi, most } }),
  });
  const reduced = recoded === undefined ? undefined : reducedOf(recoded, file, picture, { size, toGray, most, paired });
  if (drawing === undefined) return reduced;
  return reduced === undefined || drawing.data.length < reducedBytes(reduced) ? drawing : reduced;
}

/** Undefined where it takes more than `most` bytes. Outside of `reduce`, so that no closure keeps all of its buffers. */
function reducedOf(
  recoded: Recoded,
  file: PdfFile,
  picture: Candidate,
  { size, toGray, most, paired }: { size: Size; toGray: boolean; most: number; paired: boolean },
): Reduced | undefined {
  const { form } = picture;
  if ('layers' in recoded)
    return formOfLayers(recoded.layers, form, toGray ? new Name('DeviceGray') : colorsOf(file, picture));
  if ('fewer' in recoded) {
    const { fewer, data } = recoded;
    const base = colorsOf(file, picture);
    const rows = { columns: form.width, colors: 1, bits: fewer.bits, count: form.height };
    const palette = { bytes: fewer.palette, size: fewer.palette.length / (isGreyPicture(picture) ? 1 : 3) };
    const entries = (ref: Referring) =>
      new Map([...flateEntries(size, fewer.parms), ...paletteEntries({ rows, palette }, base, ref)]);
    return { data, paired: false, entries: (ref) => entries(ref).set('Decode', undefined) };
  }
  if (recoded.jpeg.length > most) return undefined;
  return { data: recoded.jpeg, paired, entries: jpegEntriesOf(picture, size, toGray) };
}

/** A drawing in grey without loss. It replaces the original, whatever that takes in colour. */
async function greyDrawing({ pixels, width, height }: Raster, inverted: boolean): Promise<Reduced> {
  const flat = await smallest(pixels, { columns: width, colors: 1, bits: 8, count: height });
  const entries = new Map([
    ...flateEntries({ width, height }, flat.parms),
    ['ColorSpace', '/DeviceGray'],
    ['Decode', inverted ? '[1 0]' : undefined],
  ]);
  return { data: flat.data, paired: true, entries: always(entries) };
}

/** A picture in the form in which the codec takes it. */
function sourceOf(raw: Uint8Array, form: ImageForm, jpeg: boolean): Source {
  return jpeg ? { jpeg: raw, size: { width: form.width, height: form.height } } : rasterOf(raw, form);
}

/** A page in layers that are coded further; undefined where it is no page of ink. */
export async function layersToCode(file: PdfFile, picture: Candidate, codec: Codec): Promise<RasterLayers | undefined> {
  const { form, filters } = picture;
  const dpi = dpiOf(picture, form);
  const jpeg = filters.at(-1)?.name === 'DCTDecode';
  const raw = picture.page && dpi !== undefined ? await decoded(file, picture, jpeg, codec) : undefined;
  if (raw === undefined || dpi === undefined) return undefined;
  return codec.inLayers(sourceOf(raw, form, jpeg), dpi, isGreyPicture(picture) ? 'gray' : 'rgb');
}

/** A page of text as its ink alone. */
async function inkOf(picture: Candidate, source: Source, codec: Codec): Promise<Reduced | undefined> {
  const dpi = dpiOf(picture, picture.form);
  if (dpi === undefined) return undefined;
  const layers = await codec.inLayers(source, dpi, 'gray');
  if (layers?.paper !== true) return undefined;
  const entries = new Map([
    ['BitsPerComponent', '1'],
    ['ColorSpace', '/DeviceGray'],
    ['Decode', undefined],
    ['Filter', '/JBIG2Decode'],
    ['DecodeParms', undefined],
  ]);
  return { data: layers.stencil, paired: false, entries: () => entries };
}

/** The colour space of its samples; for an indexed picture that of the palette. */
export function colorsOf(file: PdfFile, { num, form }: Candidate): Value {
  const dict = file.object(num);
  return dict instanceof Dict ? baseOf(file, dict, form) : null;
}

/** The JPEG, or the samples; undefined where these are incomplete. */
async function decoded(
  file: PdfFile,
  { num, filters, form }: Candidate,
  jpeg: boolean,
  codec: Codec,
  samples?: () => Uint8Array,
): Promise<Uint8Array | undefined> {
  const bilevel = form.rows !== undefined && isBilevelCoded(filters);
  if (samples !== undefined && !jpeg && !bilevel) return samples();
  const { dict, raw } = file.rawStream(num, MOST_DECODED);
  if (form.rows !== undefined && bilevel) return rowsOfBilevel(file, num, dict, form.rows, codec);
  return decode(raw, jpeg ? filters.slice(0, -1) : filters, MOST_DECODED);
}

function jpegEntriesOf({ form, base, inverted }: Candidate, size: Size, toGray: boolean): Reduced['entries'] {
  return (ref) => {
    const colors = toGray ? '/DeviceGray' : form.space === 'indexed' ? baseText(base, ref) : undefined;
    const entries = new Map(jpegEntries(size));
    if (colors === undefined) return entries;
    // The codec has inverted inks already.
    const decode = inverted && form.space !== 'cmyk' ? '[1 0]' : undefined;
    return entries.set('ColorSpace', colors).set('Decode', decode);
  };
}

/** `wasJpeg`: it was a JPEG before, whose samples keep their meaning. */
function inkEntriesOf({ form, base, inverted }: Candidate, size: Size, wasJpeg: boolean): Reduced['entries'] {
  return (ref) => {
    const entries = new Map(jpegEntries(size));
    if (!wasJpeg) entries.set('Decode', inverted ? undefined : TURNED_INKS);
    return form.space === 'indexed' ? entries.set('ColorSpace', baseText(base, ref)) : entries;
  };
}

/** The polarity in which the codec writes inks, and takes them to be in any JPEG. */
const TURNED_INKS = '[1 0 1 0 1 0 1 0]';

/** Inks as a JPEG: the original, unless it must become grey and is not inverted. */
async function inkJpeg(stored: Uint8Array, picture: Candidate, toGray: boolean, codec: Codec): Promise<Uint8Array> {
  const { form, inverted, filters } = picture;
  const isJpeg = filters.at(-1)?.name === 'DCTDecode';
  if (isJpeg) return toGray && !inverted ? inksAt100(stored, form, true, codec) : stored;
  const { width, height } = form;
  const pixels =
    form.palette === undefined ? wholeOf(stored, width * height * 4) : colorsIn(stored, form, form.palette, 4);
  return inksAt100({ width, height, pixels }, form, toGray && inverted, codec);
}

async function inksAt100(
  source: Parameters<Codec['recodeInks']>[0],
  size: Size,
  turn: boolean,
  codec: Codec,
): Promise<Uint8Array> {
  const jpeg = await codec.recodeInks(source, size, 100, turn);
  if (jpeg === undefined) throw new TypeError('a quality that is given makes a JPEG');
  return jpeg;
}

/** A soft mask's edges are visible: it is scaled down and gets fewer steps, but no JPEG unless it is a smooth gradient. */
async function reduceMask(
  picture: Candidate,
  raster: Raster,
  effort: Effort,
  codec: Codec,
): Promise<Reduced | undefined> {
  const { width, height, pixels } = raster;
  const kept = width === picture.form.width && height === picture.form.height;
  const size = { width, height };
  const steps = picture.matte && !kept ? undefined : inSixteenSteps(raster);
  if (steps !== undefined) {
    const { data, parms } = await smallest(steps, { columns: width, colors: 1, bits: 4, count: height });
    if (!isWorth(data, picture, effort, kept)) return undefined;
    return { data, paired: false, entries: always(flateEntries(size, parms, 4)) };
  }
  const flat = await smallest(pixels, { columns: width, colors: 1, bits: 8, count: height });
  // A JPEG is taken only where it has less than half the bytes.
  const tried = flat.data.length > pixels.length * DRAWING;
  const wish = { size, space: 'gray', quality: effort.quality ?? MASK_QUALITY, thorough: effort.thorough } as const;
  const recoded = tried ? await codec.recode(raster, wish) : undefined;
  const jpeg = recoded !== undefined && 'jpeg' in recoded ? recoded.jpeg : undefined;
  const best =
    jpeg !== undefined && jpeg.length < flat.data.length / 2
      ? { data: jpeg, entries: jpegEntries(size) }
      : { data: flat.data, entries: flateEntries(size, flat.parms) };
  const { data, entries } = best;
  return isWorth(data, picture, effort, kept)
    ? { data, paired: picture.matte && !kept, entries: always(entries) }
    : undefined;
}

function always(entries: NewEntries): Reduced['entries'] {
  return () => entries;
}

function isWorth(data: Uint8Array, { stored, matte }: Candidate, { worth }: Effort, kept: boolean): boolean {
  return (matte && !kept) || data.length <= stored * worth;
}

export function isGreyPicture({ form }: Candidate): boolean {
  return spaceOf(form) === 'gray';
}

function spaceOf(form: ImageForm): 'gray' | 'rgb' | 'cmyk' {
  if (form.space === 'indexed') return form.palette?.space ?? 'rgb';
  return form.space === 'gray' || form.space === 'cmyk' ? form.space : 'rgb';
}

function jpegEntries({ width, height }: Size): NewEntries {
  return new Map([
    ['Width', String(width)],
    ['Height', String(height)],
    ['BitsPerComponent', '8'],
    ['Filter', '/DCTDecode'],
    ['DecodeParms', undefined],
  ]);
}

function flateEntries(size: Size, parms: string | undefined, bits = 8): NewEntries {
  const coding = [
    ['BitsPerComponent', String(bits)],
    ['Filter', '/FlateDecode'],
    ['DecodeParms', parms],
  ] as const;
  return new Map([...jpegEntries(size), ...coding]);
}

/** The colour space under a palette as text: a name, a reference, or a profile. */
function baseText(base: Value | undefined, ref: (num: number) => number): string | undefined {
  if (base instanceof Name) return /^Device(RGB|Gray|CMYK)$/.test(base.value) ? `/${base.value}` : undefined;
  if (base instanceof Ref) return `${ref(base.num)} 0 R`;
  if (!Array.isArray(base)) return undefined;
  const [family, profile] = base;
  if (!(family instanceof Name) || family.value !== 'ICCBased' || !(profile instanceof Ref)) return undefined;
  return `[/ICCBased ${ref(profile.num)} 0 R]`;
}

/** Samples of 8 bits; a palette's indexes become its colours. Missing rows are white. */
function rasterOf(bytes: Uint8Array, form: ImageForm): Raster {
  const { width, height, bits } = form;
  const palette = form.palette ?? (bits === 1 ? BLACK_AND_WHITE : undefined);
  const channels = (palette?.colors ?? form.colors) === 1 ? 1 : 3;
  const pixels =
    palette === undefined ? wholeOf(bytes, width * height * channels) : colorsIn(bytes, form, palette, channels);
  return { pixels, width, height, channels };
}

function wholeOf(bytes: Uint8Array, size: number): Uint8Array {
  if (bytes.length >= size) return bytes.subarray(0, size);
  const whole = new Uint8Array(size).fill(255);
  whole.set(bytes);
  return whole;
}

function colorsIn(
  bytes: Uint8Array,
  { width, height, bits }: ImageForm,
  palette: { readonly bytes: Uint8Array },
  channels: number,
): Uint8Array {
  const pixels = new Uint8Array(width * height * channels);
  const rowBytes = Math.ceil((width * bits) / 8);
  const most = (1 << bits) - 1;
  const colours = new Uint8Array(channels << bits);
  colours.set(palette.bytes.subarray(0, colours.length));
  for (let y = 0, to = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const bit = x * bits;
      const index = ((bytes[y * rowBytes + (bit >> 3)] ?? 0) >> (8 - bits - (bit & 7))) & most;
      for (let from = index * channels, end = from + channels; from < end; from++) pixels[to++] = colours[from] ?? 0;
    }
  return pixels;
}
