import type { PdfFile } from '../../file/read/pdf-file.ts';
import { Dict, Name, PdfString, Ref, type Value } from '../../syntax/values.ts';
import type { RowLayout } from '../flate/predict.ts';

export interface ImageForm {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly mask: boolean;
  /** Samples per pixel; undefined for an unsupported colour space. */
  readonly colors: number | undefined;
  /** gray, rgb, cmyk: the nearest device space. indexed: samples point into `palette`. */
  readonly space: 'gray' | 'rgb' | 'cmyk' | 'indexed' | 'other';
  readonly palette?: { readonly bytes: Uint8Array; readonly colors: number; readonly space: 'gray' | 'rgb' | 'cmyk' };
  readonly rows: RowLayout | undefined;
}

/** Undefined where the dictionary lacks an entry that every image has. */
export function imageFormOf(file: PdfFile, dict: Dict): ImageForm | undefined {
  const whole = (...keys: string[]) => {
    for (const key of keys) {
      const value = file.resolve(dict.get(key));
      if (typeof value === 'number') return value;
    }
    return undefined;
  };
  const width = whole('Width', 'W');
  const height = whole('Height', 'H');
  if (width === undefined || height === undefined || !(width >= 1) || !(height >= 1)) return undefined;
  const mask = file.resolve(dict.get('ImageMask') ?? dict.get('IM')) === true;
  const bits = mask ? 1 : (whole('BitsPerComponent', 'BPC') ?? 8);
  const space = mask ? { space: 'gray' as const, colors: 1 } : spaceOf(file, dict.get('ColorSpace') ?? dict.get('CS'));
  const { colors } = space;
  const rows = colors === undefined ? undefined : { columns: width, colors, bits, count: height };
  return { width, height, bits, mask, rows, ...space };
}

type Space = Pick<ImageForm, 'space' | 'colors' | 'palette'>;

const NAMED: Record<string, Space> = {
  DeviceGray: { space: 'gray', colors: 1 },
  G: { space: 'gray', colors: 1 },
  CalGray: { space: 'gray', colors: 1 },
  DeviceRGB: { space: 'rgb', colors: 3 },
  RGB: { space: 'rgb', colors: 3 },
  CalRGB: { space: 'rgb', colors: 3 },
  DeviceCMYK: { space: 'cmyk', colors: 4 },
  CMYK: { space: 'cmyk', colors: 4 },
  Separation: { space: 'other', colors: 1 },
  Lab: { space: 'other', colors: 3 },
};
const UNKNOWN: Space = { space: 'other', colors: undefined };

function spaceOf(file: PdfFile, value: Value | undefined): Space {
  const target = file.resolve(value);
  if (target instanceof Name) return NAMED[target.value] ?? UNKNOWN;
  if (!Array.isArray(target)) return UNKNOWN;
  const family = file.resolve(target[0]);
  if (!(family instanceof Name)) return UNKNOWN;
  if (family.value === 'ICCBased') return iccSpace(file, target[1]);
  if (family.value === 'Indexed' || family.value === 'I') return indexedSpace(file, target);
  return NAMED[family.value] ?? UNKNOWN;
}

function iccSpace(file: PdfFile, profile: Value | undefined): Space {
  const components = file.dict(profile)?.number('N');
  if (components === 1) return { space: 'gray', colors: 1 };
  if (components === 3) return { space: 'rgb', colors: 3 };
  if (components === 4) return { space: 'cmyk', colors: 4 };
  return UNKNOWN;
}

const MOST_PALETTE = 4 * 256;

function indexedSpace(file: PdfFile, [, base, , lookup]: readonly Value[]): Space {
  const { colors, space } = spaceOf(file, base);
  const table = file.resolve(lookup);
  const plain: Space = { space: 'indexed', colors: 1 };
  if (colors === undefined || (space !== 'rgb' && space !== 'gray' && space !== 'cmyk')) return plain;
  if (table instanceof PdfString) return { ...plain, palette: { bytes: table.bytes, colors, space } };
  if (!(lookup instanceof Ref) || !(table instanceof Dict)) return plain;
  const decoded = file.streamBytes(lookup.num, MOST_PALETTE * 4);
  return decoded === undefined ? plain : { ...plain, palette: { bytes: decoded.bytes, colors, space } };
}

/** Whether its /Decode inverts all samples; undefined where it does something else. */
export function isInverted(decode: Value, { space, bits }: Pick<ImageForm, 'space' | 'bits'>): boolean | undefined {
  if (!Array.isArray(decode)) return false;
  const most = space === 'indexed' ? 2 ** bits - 1 : 1;
  if (decode.every((item, i) => item === (i % 2) * most)) return false;
  return decode.every((item, i) => item === (1 - (i % 2)) * most) ? true : undefined;
}
