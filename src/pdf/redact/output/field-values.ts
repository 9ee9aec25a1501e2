// Draws field values without an appearance as viewers do (ISO 32000-1, 12.7.3.3), to search and remove them.
import { decimal, operands } from '../../content/operands.ts';
import { catalogOf, listOf } from '../../file/read/entries.ts';
import { fieldType, inherited } from '../../file/read/form-fields.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import { encodingNamed } from '../../fonts/encodings.ts';
import type { Appearance } from '../../page/annotations.ts';
import { rectOf } from '../../page/boxes.ts';
import { quarterTurn } from '../../page/geometry.ts';
import { unlessDamaged } from '../../syntax/damage.ts';
import { textOf } from '../../syntax/text-strings.ts';
import type { Dict } from '../../syntax/values.ts';

/** The resource name of Helvetica. */
export const VALUE_FONT = 'CutValue';
const CAP = 1 << 20;
const LEADING = 1.15;
const MOST_SIZE = 12;
const PASSWORD = 0x2000;
const SHOWS = /\b(?:Tj|TJ|Do)\b|['"]\s/;

export interface DrawnValue {
  readonly operators: string;
  /** Some characters are not in WinAnsiEncoding. */
  readonly isLossy: boolean;
}

/** The operators that draw a field's value; undefined where its appearance shows it or there is none. */
export function drawnValue(file: PdfFile, widget: Dict, appearance: Appearance | undefined): DrawnValue | undefined {
  const rect = rectOf(file, widget.get('Rect'));
  const type = fieldType(file, widget);
  if (widget.name('Subtype') !== 'Widget' || rect === undefined || (type !== 'Tx' && type !== 'Ch')) return undefined;
  const form = file.dict(catalogOf(file).get('AcroForm'));
  if (appearance !== undefined) {
    if (file.resolve(form?.get('NeedAppearances')) !== true) return undefined;
    const drawn = unlessDamaged(undefined, () => file.streamBytes(appearance.form.num, CAP)?.bytes);
    if (drawn === undefined || SHOWS.test(Buffer.from(drawn).toString('latin1'))) return undefined;
  }
  const value = inherited(file, widget, 'V');
  const texts = (Array.isArray(value) ? listOf(file, value) : [value]).flatMap(
    (item) => textOf(file.resolve(item)) ?? [],
  );
  const flags = inherited(file, widget, 'Ff');
  const isSecret = type === 'Tx' && typeof flags === 'number' && (flags & PASSWORD) !== 0;
  const lines = texts.flatMap((text) => (isSecret ? '*'.repeat(text.length) : text).split(/\r\n|\r|\n/));
  if (lines.join('').trim() === '') return undefined;
  const defaults = textOf(inherited(file, widget, 'DA')) ?? textOf(file.resolve(form?.get('DA') ?? null)) ?? '';
  const asked = Math.abs(Number(/([-\d.]+)\s+Tf/.exec(defaults)?.[1] ?? 0));
  const rotation = file.dict(widget.get('MK'))?.number('R') ?? 0;
  const [wide, high] = [rect.x1 - rect.x0, rect.y1 - rect.y0];
  const [width, height] = rotation % 180 === 0 ? [wide, high] : [high, wide];
  const size = asked > 0 ? asked : Math.min(MOST_SIZE, Math.max(4, height / LEADING / lines.length));
  const [a, b, c, d, e, f] = quarterTurn(rotation, wide, high);
  // One line is centred, several start at the top.
  const top = lines.length === 1 ? (height - 0.7 * size) / 2 : height - size;
  const rows = lines.map((line) => `<${hexOf(line)}> Tj 0 ${decimal(-LEADING * size)} Td`).join(' ');
  const place = `${operands([a, b, c, d, rect.x0 + e, rect.y0 + f])} cm 0 0 ${operands([width, height])} re W n`;
  return {
    operators: `q ${place} BT /${VALUE_FONT} ${decimal(size)} Tf 0 g 2 ${decimal(top)} Td ${rows} ET Q`,
    isLossy: lines.some((line) => codesOf(line).includes(-1)),
  };
}

const codesOf = (line: string): number[] => {
  const encoding = encodingNamed('WinAnsiEncoding');
  return [...line].map((sign) => (sign === ' ' ? 0x20 : sign === '-' ? 0x2d : encoding.indexOf(sign)));
};

/** Characters outside the encoding become bullets, so that they are not lost silently. */
function hexOf(line: string): string {
  return codesOf(line)
    .map((code) => (code < 0 ? 0x95 : code).toString(16).padStart(2, '0'))
    .join('');
}
