// Codes pictures of few colours, such as drawings and screenshots: each pixel is an index into a list of colours (ISO
// 32000-1, 8.6.6.3), in as few bits as possible.

import type { NewEntries } from '../../file/copy/new-entries.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import { hexString, serialize } from '../../syntax/serialize.ts';
import { type Dict, Name, type Value } from '../../syntax/values.ts';
import type { RowLayout } from '../flate/predict.ts';
import { type ImageForm, isInverted } from './image-form.ts';
import type { Referring } from './reduced.ts';

interface Paletted {
  readonly bytes: Uint8Array;
  readonly rows: RowLayout;
  /** The colours of the indexes, 8 bits a sample; undefined for shades of grey, from black to white. */
  readonly palette: { readonly bytes: Uint8Array; readonly size: number } | undefined;
}

/** Most colours: more would not save a bit. */
const MOST_COLORS = 256;
const MOST_SINGLE = 16;
/** From one shade of grey to the next in 1, 2 and 4 bits. */
const STEPS = [255, 85, 17];

/** Whether a picture may be coded in fewer bits: samples of 8, whose meaning is in the colour space alone. */
export function palettable(
  file: PdfFile,
  dict: Dict,
  form: ImageForm | undefined,
): form is ImageForm & { rows: RowLayout } {
  if (form?.rows === undefined || form.bits !== 8 || form.mask || form.space === 'other') return false;
  const keyed = Array.isArray(file.resolve(dict.get('Mask')));
  if (keyed || dict.has('Matte') || file.dict(dict.get('SMask'))?.has('Matte') === true) return false;
  if (isInverted(file.resolve(dict.get('Decode')), form) !== false) return false;
  if (form.space === 'indexed') return form.palette !== undefined;
  // Readers convert inks and profiles a little differently in a palette: poppler by one in 255.
  const space = file.resolve(dict.get('ColorSpace'));
  const family = Array.isArray(space) ? file.resolve(space[0]) : space;
  return form.space !== 'cmyk' && !(family instanceof Name && family.value === 'ICCBased');
}

/** The colour space of its colours; for an indexed picture that of the palette. */
export function baseOf(file: PdfFile, dict: Dict, { space }: Pick<ImageForm, 'space'>): Value {
  const colorSpace = dict.get('ColorSpace') ?? null;
  const target = file.resolve(colorSpace);
  return space !== 'indexed' ? colorSpace : Array.isArray(target) ? (target[1] ?? null) : null;
}

/** The same pixels; undefined where they have too many colours for fewer bits, or are incomplete. */
export function palettedExactly(
  samples: Uint8Array,
  { columns, colors, count }: RowLayout,
  known: ImageForm['palette'],
): Paletted | undefined {
  const size = columns * count;
  if (samples.length < size * colors) return undefined;
  const most = colors === 1 ? MOST_SINGLE : MOST_COLORS;
  const numbers = new Uint8Array(size);
  const places = new Map<number, number>();
  let last = -1;
  let place = 0;
  for (let i = 0, from = 0; i < size; i++) {
    let color = samples[from++]!;
    for (let k = 1; k < colors; k++) color = (color << 8) | samples[from++]!;
    if (color !== last) {
      const before = places.get(color);
      if (before === undefined && places.size === most) return undefined;
      place = before ?? places.size;
      if (before === undefined) places.set(color, place);
      last = color;
    }
    numbers[i] = place;
  }
  const colours = [...places.keys()];
  const step =
    colors > 1 || known !== undefined ? undefined : STEPS.find((divisor) => colours.every((v) => v % divisor === 0));
  if (step !== undefined) {
    for (let i = 0; i < size; i++) numbers[i] = (colours[numbers[i]!] ?? 0) / step;
    return { ...packed(numbers, columns, 255 / step + 1), palette: undefined };
  }
  const channels = known?.colors ?? colors;
  const bytes = new Uint8Array(colours.length * channels);
  for (const [at, color] of colours.entries())
    for (let k = 0; k < channels; k++)
      bytes[at * channels + k] =
        known === undefined ? color / 256 ** (channels - 1 - k) : (known.bytes[color * channels + k] ?? 0);
  return { ...packed(numbers, columns, colours.length), palette: { bytes, size: colours.length } };
}

/** Packs rows in as few bits as so many different indexes need. */
function packed(numbers: Uint8Array, columns: number, different: number): Pick<Paletted, 'bytes' | 'rows'> {
  const bits = different <= 2 ? 1 : different <= 4 ? 2 : different <= 16 ? 4 : 8;
  const count = numbers.length / columns;
  const rows = { columns, colors: 1, bits, count };
  if (bits === 8) return { bytes: numbers, rows };
  const stride = Math.ceil((columns * bits) / 8);
  const bytes = new Uint8Array(stride * count);
  for (let y = 0, at = 0; y < count; y++)
    for (let x = 0; x < columns; x++, at++)
      bytes[y * stride + ((x * bits) >> 3)]! |= numbers[at]! << (8 - bits - ((x * bits) & 7));
  return { bytes, rows };
}

/** The entries of its dictionary. `base`: the colour space of the palette's colours. */
export function paletteEntries({ rows, palette }: Omit<Paletted, 'bytes'>, base: Value, ref: Referring): NewEntries {
  const entries = new Map([['BitsPerComponent', String(rows.bits)]]);
  if (palette === undefined) return entries;
  const space = serialize(base, ({ num }) => `${ref(num)} 0 R`);
  return entries.set('ColorSpace', `[/Indexed ${space} ${palette.size - 1}${hexString(palette.bytes)}]`);
}
