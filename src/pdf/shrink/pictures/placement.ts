import { IDENTITY, type Matrix, multiply } from '../../geometry.ts';
import type { Pace } from '../../pace.ts';
import { dictOfPage } from '../../read/page-dict.ts';
import type { PdfFile } from '../../read/pdf-file.ts';
import type { Source } from '../../read/source.ts';
import { padded } from '../../syntax/characters.ts';
import { Damage } from '../../syntax/damage.ts';
import { Parser } from '../../syntax/parser.ts';
import { type Dict, Ref, type Value } from '../../syntax/values.ts';
import { followDrawing } from '../content.ts';

/** Points. */
export interface Shown {
  readonly width: number;
  readonly height: number;
  /** Most of a page, or a strip across one. */
  readonly covers: boolean;
  /** Wherever it is shown nothing is transparent or of other colours than said, so that two pictures may take its place. */
  readonly plain: boolean;
}

const MOST_CONTENT = 32 << 20;
const MOST_NESTED = 12;
/** Parts of a page, and of its width or height, that a scan of it takes at least. */
const MOST_OF = 0.5;
const ACROSS = 0.85;
/** Forms drawn in forms multiply; a document does not come near, an attack does. */
const MOST_DRAWN = 200_000;

/**
 * The largest showing of each image XObject, by object number (`same` applied). What is shown otherwise, by a pattern,
 * an annotation or a glyph, is not in the map: nobody knows its size.
 */
export async function findShown(source: Source, same: Int32Array, pace: Pace): Promise<ReadonlyMap<number, Shown>> {
  const walk = new Walk(source.file, same);
  for (const page of source.tree.pages) {
    const dict = dictOfPage(source.file, page);
    if (dict === undefined) continue;
    const above = page.inherited.Resources;
    const box = page.inherited.MediaBox;
    const paper = dict.get('MediaBox') ?? (box === undefined ? null : new Parser(padded(box)).value());
    walk.page(dict, dict.get('Resources') ?? (above === undefined ? null : new Parser(padded(above)).value()), paper);
    await pace.yield();
  }
  return walk.shown;
}

class Walk {
  readonly shown = new Map<number, Shown>();
  private readonly file: PdfFile;
  private readonly same: Int32Array;
  private drawn = 0;
  /** Points, of the page that is walked. */
  private paper: { readonly width: number; readonly height: number } | undefined;
  /** What forms hold, by object: a form is often on every page. */
  private readonly forms = new Map<number, { bytes: Uint8Array; matrix: Matrix; resources: Value } | undefined>();
  private held = 0;

  constructor(file: PdfFile, same: Int32Array) {
    this.file = file;
    this.same = same;
  }

  page(dict: Dict, resources: Value, paper: Value): void {
    const objects = this.objects(resources);
    if (objects === undefined || objects.size === 0) return;
    const unit = dict.number('UserUnit') ?? 1;
    this.paper = this.sizeOf(paper, unit);
    const contents = this.contentsOf(dict.get('Contents'));
    if (contents !== undefined)
      this.follow(contents, [unit, 0, 0, unit, 0, 0], objects, resources, this.isPlain(resources), 0);
  }

  private follow(
    bytes: Uint8Array,
    start: Matrix,
    objects: Dict,
    resources: Value,
    plain: boolean,
    depth: number,
  ): void {
    followDrawing(bytes, start, (name, matrix) => {
      const ref = objects.get(name);
      if (!(ref instanceof Ref) || ++this.drawn > MOST_DRAWN) return;
      const dict = this.file.dict(ref);
      if (dict?.name('Subtype') === 'Image') this.note(ref, dict, matrix, plain);
      else if (dict?.name('Subtype') === 'Form' && depth < MOST_NESTED) {
        const form = this.form(ref.num, dict);
        const own = form === undefined ? undefined : (this.objects(form.resources ?? resources) ?? undefined);
        if (form !== undefined && own !== undefined && own.size > 0)
          this.follow(
            form.bytes,
            multiply(form.matrix, matrix),
            own,
            form.resources ?? resources,
            plain && this.isPlain(form.resources),
            depth + 1,
          );
      }
    });
  }

  private note(ref: Ref, dict: Dict, [a, b, c, d]: Matrix, plain: boolean): void {
    const width = Math.hypot(a, b);
    const height = Math.hypot(c, d);
    const covers = this.covers(width, height);
    for (const each of [ref, dict.get('SMask')]) {
      if (!(each instanceof Ref)) continue;
      const num = this.same[each.num] ?? each.num;
      const before = this.shown.get(num);
      this.shown.set(num, {
        width: Math.max(width, before?.width ?? 0),
        height: Math.max(height, before?.height ?? 0),
        covers: covers || before?.covers === true,
        plain: plain && before?.plain !== false,
      });
    }
  }

  private covers(width: number, height: number): boolean {
    const { paper } = this;
    if (paper === undefined) return false;
    const across = Math.min(1, Math.max(width / paper.width, height / paper.height));
    return width * height >= paper.width * paper.height * MOST_OF || across >= ACROSS;
  }

  private sizeOf(box: Value, unit: number): { readonly width: number; readonly height: number } | undefined {
    const found = this.file.resolve(box);
    const sides = Array.isArray(found) ? found.map((side) => this.file.resolve(side)) : [];
    const [left, bottom, right, top] = sides.map((side) => (typeof side === 'number' ? side * unit : 0));
    if (left === undefined || bottom === undefined || right === undefined || top === undefined) return undefined;
    return { width: Math.abs(right - left), height: Math.abs(top - bottom) };
  }

  /** Nothing in the resources makes what is drawn transparent, blends it, or gives device colours another meaning. */
  private isPlain(resources: Value): boolean {
    const { file } = this;
    const dict = file.dict(resources);
    const spaces = file.dict(dict?.get('ColorSpace'));
    if (['DefaultGray', 'DefaultRGB'].some((key) => spaces?.has(key) === true)) return false;
    return [...(file.dict(dict?.get('ExtGState')) ?? [])].every(([, value]) => {
      const state = file.dict(value);
      const opaque = ['ca', 'CA'].every((key) => (state?.number(key) ?? 1) === 1);
      const [mask, mode] = [state?.name('SMask') ?? 'None', state?.name('BM') ?? 'Normal'];
      return (
        opaque && (state?.has('SMask') !== true || mask === 'None') && (mode === 'Normal' || mode === 'Compatible')
      );
    });
  }

  private form(num: number, dict: Dict) {
    if (this.forms.has(num)) return this.forms.get(num);
    const found = this.decoded(num);
    const list = this.file.resolve(dict.get('Matrix'));
    const numbers = Array.isArray(list) ? list.map((item) => this.file.resolve(item)) : [];
    const [a, b, c, d, e, f] = numbers.map((item) => (typeof item === 'number' ? item : 0));
    const matrix: Matrix = f === undefined ? IDENTITY : [a!, b!, c!, d!, e!, f];
    const form = found === undefined ? undefined : { bytes: found, matrix, resources: dict.get('Resources') ?? null };
    this.held += found?.length ?? 0;
    // What is held is a convenience: it is read again when it has become too much.
    if (this.held > MOST_CONTENT) {
      this.forms.clear();
      this.held = 0;
    }
    this.forms.set(num, form);
    return form;
  }

  private objects(resources: Value): Dict | undefined {
    return this.file.dict(this.file.dict(resources)?.get('XObject'));
  }

  private contentsOf(value: Value | undefined): Uint8Array | undefined {
    const found = value instanceof Ref ? this.file.object(value.num) : value;
    const list = Array.isArray(found) ? found : [value];
    const parts = list.flatMap((item) => {
      const bytes = item instanceof Ref ? this.decoded(item.num) : undefined;
      return bytes === undefined ? [] : [bytes, Buffer.from('\n')];
    });
    return parts.length === 0 ? undefined : Buffer.concat(parts);
  }

  private decoded(num: number): Uint8Array | undefined {
    try {
      return this.file.streamBytes(num, MOST_CONTENT)?.bytes;
    } catch (error) {
      // Content that cannot be decoded shows nothing that we know of.
      if (error instanceof Damage || error instanceof Error) return undefined;
      throw error;
    }
  }
}
