// Draws missing appearances of annotations as readers do (ISO 32000-1, 12.5.6).
import { Dict, dictOf, Name, type Ref, type Value } from '../syntax/values.ts';
import { type Conversion, reportChange } from './job.ts';

/** The appearance; undefined where none can be drawn, which is reported where readers draw something. */
export function drawnAppearance(job: Conversion, note: Dict): Ref | undefined {
  const { changes } = job;
  const kind = changes.name(note, 'Subtype') ?? '';
  const content = contentOf(job, note, kind);
  if (content === undefined) {
    const isBlank = kind === 'Widget' && changes.resolve(note.get('V')) === null;
    if (!isBlank) reportChange(job, `an annotation (${kind}) without an appearance, of which nothing is drawn now,`);
    return undefined;
  }
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = numbersIn(job, note.get('Rect'));
  const resources = new Dict();
  if (kind === 'Highlight') {
    const state = new Dict([['BM', new Name('Multiply')]]);
    resources.set('ExtGState', new Dict([['M', state]]));
  }
  const box = [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)];
  return appearanceForm(job, box, content, resources);
}

function contentOf(job: Conversion, note: Dict, kind: string): string | undefined {
  const { changes } = job;
  const colour = (key: string, stroke: boolean): string | undefined => {
    const parts = numbersIn(job, note.get(key));
    const operator = { 1: 'gG', 3: ['rg', 'RG'], 4: 'kK' }[parts.length]?.[stroke ? 1 : 0];
    return operator === undefined || parts.length === 4 ? undefined : `${parts.join(' ')} ${operator}`;
  };
  const width = changes.number(changes.dict(note.get('BS')), 'W') ?? numbersIn(job, note.get('Border'))[2] ?? 1;
  const line = `${width} w ${colour('C', true) ?? '0 G'}`;
  const quads = numbersIn(job, note.get('QuadPoints'));
  const rows = Array.from({ length: Math.floor(quads.length / 8) }, (_, i) => quads.slice(8 * i, 8 * i + 8));
  const path = (points: readonly number[]): string =>
    points.flatMap((x, i) => (i % 2 === 0 ? `${x} ${points[i + 1]} ${i === 0 ? 'm' : 'l'}` : [])).join(' ');
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = numbersIn(job, note.get('Rect'));
  const fill = colour('IC', false);
  switch (kind) {
    case 'Highlight':
      return rows
        .map(([ax, ay, bx, by, cx, cy, dx, dy]) => `${path([ax, ay, bx, by, dx, dy, cx, cy] as number[])} f`)
        .reduce((all, row) => `${all} ${row}`, `/M gs ${colour('C', false) ?? '1 1 0 rg'}`);
    case 'Underline':
    case 'Squiggly':
      return `${line} ${rows.map((row) => `${path(row.slice(4))} S`).join(' ')}`;
    case 'StrikeOut':
      return `${line} ${rows.map(([ax = 0, ay = 0, bx = 0, by = 0, cx = 0, cy = 0, dx = 0, dy = 0]) => `${path([(ax + cx) / 2, (ay + cy) / 2, (bx + dx) / 2, (by + dy) / 2])} S`).join(' ')}`;
    case 'Square':
      return `${line} ${fill ?? ''} ${x0 + width / 2} ${y0 + width / 2} ${x1 - x0 - width} ${y1 - y0 - width} re ${fill === undefined ? 'S' : 'B'}`;
    case 'Line':
      return `${line} ${path(numbersIn(job, note.get('L')))} S`;
    case 'PolyLine':
      return `${line} ${path(numbersIn(job, note.get('Vertices')))} S`;
    case 'Polygon':
      return `${line} ${fill ?? ''} ${path(numbersIn(job, note.get('Vertices')))} ${fill === undefined ? 's' : 'b'}`;
    case 'Ink':
      return `${line} ${changes
        .list(note.get('InkList'))
        .map((stroke) => `${path(numbersIn(job, stroke))} S`)
        .join(' ')}`;
    default:
      return undefined;
  }
}

export function appearanceForm(job: Conversion, box: Value[], content: string, resources = new Dict()): Ref {
  const form = dictOf({ Type: new Name('XObject'), Subtype: new Name('Form'), BBox: box, Resources: resources });
  return job.changes.add(form, Buffer.from(content, 'latin1'));
}

export function numbersIn({ changes }: Conversion, value: Value | undefined): number[] {
  return changes.list(value).map((item) => {
    const number = changes.resolve(item);
    return typeof number === 'number' ? number : 0;
  });
}
