import { type ContentOperation, ContentScanner, readingOf } from '../../content/scanner.ts';
import { ContentWriter } from '../../content/writer.ts';
import { nameAt } from '../../file/read/entries.ts';
import { matrixOf } from '../../page/boxes.ts';
import { contentStream } from '../../page/contents.ts';
import { meets, type Rect, UNIT } from '../../page/geometry.ts';
import { Unreadable } from '../../syntax/damage.ts';
import { Dict, Name, PdfString, Ref, type Value } from '../../syntax/values.ts';
import { flateStream, formStream, name } from '../objects/output-document.ts';
import { STANDARD_NAMES } from '../objects/standard-names.ts';
import { GraphicsState, type Paint } from './graphics-state.ts';
import {
  type DocumentEdit,
  type Edited,
  Findings,
  type HiddenBy,
  type OpenContent,
  type PageEdit,
} from './page-edit.ts';
import { PathEditor } from './path-editor.ts';
import { showText } from './text-editor.ts';
import { UsedResources } from './used-resources.ts';

const TEXT = new Set(['Tj', 'TJ', "'", '"']);
const COLOURS = new Set(['sc', 'scn', 'SC', 'SCN']);
const MOST_NESTED = 24;
const MOST_MARKS = 200_000;
const MOST_OPERATORS = 3_000_000;

/** Edits content of a page, of a form on it, of a pattern or of a glyph. */
export function editContent(
  bytes: Uint8Array,
  resources: Dict | undefined,
  edit: PageEdit,
  state: GraphicsState,
  open: readonly number[] = [],
): Edited {
  if (open.length > MOST_NESTED) throw new Unreadable('forms nested too deep');
  return new ContentEditor(bytes, resources, edit, state, open).run();
}

class ContentEditor implements OpenContent {
  readonly edit: PageEdit;
  readonly state: GraphicsState;
  readonly writer: ContentWriter;
  readonly used: UsedResources;
  changed = false;
  private readonly scanner: ContentScanner;
  private readonly open: readonly number[];
  private readonly resources: Dict | undefined;
  private readonly path: PathEditor;
  private readonly marks: Mark[] = [];

  constructor(
    bytes: Uint8Array,
    resources: Dict | undefined,
    edit: PageEdit,
    state: GraphicsState,
    open: readonly number[],
  ) {
    this.edit = edit;
    this.state = state;
    this.open = open;
    this.resources = resources;
    this.scanner = new ContentScanner(bytes);
    this.writer = new ContentWriter(bytes);
    this.used = new UsedResources(() => edit.document.named++);
    this.path = new PathEditor(this);
  }

  run(): Edited {
    const { findings } = this.edit;
    for (let op = this.scanner.next(); op !== undefined; op = this.scanner.next()) {
      if (++findings.operators > MOST_OPERATORS) throw new Unreadable(`more than ${MOST_OPERATORS} drawing operators`);
      this.mark(op);
      const reading = readingOf(op);
      if (reading.kind === 'nothing') continue;
      this.operate(reading.kind === 'exact' ? op : { ...op, operands: reading.operands }, reading.kind === 'exact');
    }
    this.path.abandon();
    while (this.marks.length > 0) this.endMark();
    for (; this.state.depth > 0; this.state.restore()) this.writer.write([], 'Q');
    return { bytes: this.writer.bytes(), resources: this.used.dict(), changed: this.changed };
  }

  get isHidden(): boolean {
    return this.marks.some(({ isHidden }) => isHidden);
  }

  pass(op: ContentOperation, exact: boolean): void {
    if (exact) this.writer.keep(op);
    else if (op.image === undefined) this.writer.write(op.operands, op.name);
  }

  entry(category: string, key: string): Value | undefined {
    return this.edit.document.file.dict(this.resources?.get(category))?.get(key);
  }

  /** Keeps the MCID of marked content and texts about it that hold nothing secret (14.6); drops layers. */
  private mark(op: ContentOperation): void {
    if (op.name === 'EMC') this.endMark();
    if (op.name !== 'BMC' && op.name !== 'BDC') return;
    const { document, removal } = this.edit;
    const [tag, given] = op.name === 'BMC' ? op.operands.slice(-1) : op.operands.slice(-2);
    const value = given instanceof Name ? this.entry('Properties', given.value) : given;
    const isLayer = tag instanceof Name && tag.value === 'OC';
    const properties = isLayer ? undefined : document.file.dict(value);
    const isKeptText = (key: string, item: Value) =>
      TEXTS.has(key) && removal.keeps?.(document.file.resolve(item)) === true;
    const texts = new Dict([...(properties ?? [])].filter(([key, item]) => isKeptText(key, item)));
    const number = this.open.length === 0 && removal.keeps !== undefined ? properties?.number('MCID') : undefined;
    const mcid = number !== undefined && number >= 0 && number < MOST_MARKS ? number : undefined;
    const name = tag instanceof Name && STANDARD_NAMES.has(tag.value) ? tag : new Name('Span');
    const isKept = mcid !== undefined || texts.size > 0;
    this.marks.push({
      isHidden: isLayer && given instanceof Name && !document.layers.shows(value),
      place: isKept ? this.writer.hold() : undefined,
      changed: this.changed,
      name,
      mcid,
      texts,
    });
    this.changed = false;
  }

  private endMark(): void {
    const mark = this.marks.pop();
    if (mark === undefined) return;
    const { place, name, mcid, texts } = mark;
    if (place !== undefined) {
      // A description of partly removed content may reveal what was removed.
      const properties = new Dict(this.changed ? [] : texts);
      if (mcid !== undefined) {
        properties.set('MCID', mcid);
        const { marked } = this.edit.findings;
        marked.set(mcid, this.changed || marked.get(mcid) === true);
      }
      this.writer.fill(place, [name, properties], 'BDC');
      this.writer.write([], 'EMC');
    }
    this.changed ||= mark.changed;
  }

  private operate(op: ContentOperation, exact: boolean): void {
    const { state } = this;
    if (this.path.take(op, exact)) return;
    const numbers = op.operands.filter((value) => typeof value === 'number');
    if (state.take(op.name, numbers)) {
      this.pass(op, exact);
      return;
    }
    const key = op.operands.find((value) => value instanceof Name)?.value ?? '';
    if (TEXT.has(op.name)) showText(this, op, exact);
    else if (op.name === 'gs') this.setState(op, key, exact);
    else if (op.name === 'Do') this.draw(op, key, exact);
    else if (op.name === 'EI') this.inlineImage(op, exact);
    else if (this.follow(op.name, key, numbers)) this.pass(op, exact);
  }

  /** Follows what an operator sets; false where it must not stay. */
  private follow(operator: string, key: string, numbers: readonly number[]): boolean {
    const { state } = this;
    // An unmatched Q would restore the state around this content.
    if (operator === 'Q' && state.depth === 0) return false;
    if (operator === 'Q') state.restore();
    if (operator === 'q' && !state.save()) throw new Unreadable('too many saved states');
    if (operator === 'Tf') this.setFont(key, this.entry('Font', key), numbers[0] ?? 0);
    if (operator === 'cs' || operator === 'CS') this.colourSpace(key, operator === 'cs');
    if (operator === 'sh') return this.shading(key);
    return !COLOURS.has(operator) || this.pattern(key, operator.startsWith('s'));
  }

  private setFont(key: string, value: Value | undefined, size: number): void {
    const { now } = this.state;
    now.font = this.edit.document.fonts.use(value);
    now.size = size;
    if (now.font !== undefined) this.used.put('Font', key, now.font.ref);
  }

  private setState(op: ContentOperation, key: string, exact: boolean): void {
    const { document } = this.edit;
    const { file, copier } = document;
    const { now } = this.state;
    const dict = file.dict(this.entry('ExtGState', key));
    if (dict === undefined) return;
    const made = new Dict();
    let moved = false;
    for (const [entry, value] of dict) {
      if (entry === 'Font') {
        const list = file.resolve(value);
        if (!Array.isArray(list)) continue;
        now.font = document.fonts.use(list[0]);
        const size = file.resolve(list[1]);
        now.size = typeof size === 'number' ? size : 0;
        if (now.font !== undefined) made.set('Font', [now.font.ref, now.size]);
      } else if (entry === 'SMask') {
        const mask = file.dict(value);
        if (mask === undefined) made.set('SMask', name('None'));
        else {
          const group = this.form(mask.get('G'));
          moved ||= group.changed;
          const kind = copier.copy(mask.get('S'));
          made.set('SMask', new Dict([['S', kind], ['G', group.ref], ...copier.entries(mask, ['BC', 'TR'])]));
          now.translucent = true;
        }
      } else if (STATE.has(entry)) made.set(entry, copier.copy(value));
      const number = file.resolve(value);
      if (entry === 'LW' && typeof number === 'number') now.lineWidth = number;
      if (entry === 'ca') now.translucent = typeof number === 'number' && number < 1;
      if (entry === 'BM' && number instanceof Name && !/^(Normal|Compatible)$/.test(number.value))
        now.translucent = true;
    }
    if (moved) this.writer.write([new Name(this.used.fresh('ExtGState', made))], 'gs');
    else {
      this.used.put('ExtGState', key, made);
      this.pass(op, exact);
    }
  }

  private colourSpace(key: string, fill: boolean): void {
    const { now } = this.state;
    if (fill) now.fill = 'plain';
    else now.stroke = 'plain';
    const value = this.entry('ColorSpace', key);
    if (value !== undefined) this.used.put('ColorSpace', key, this.edit.document.copier.copy(value));
  }

  /** False where the pattern is missing. */
  private pattern(key: string, fill: boolean): boolean {
    const { now } = this.state;
    if (key === '') return true;
    const value = this.entry('Pattern', key);
    const { document } = this.edit;
    const { file, shared, output } = document;
    const dict = file.dict(value);
    if (dict === undefined) return false;
    let paint: Paint = 'pattern';
    if (dict.number('PatternType') === 2) {
      const shading = file.dict(dict.get('Shading'));
      if (isSmooth(shading)) paint = 'smooth';
      const entries = document.copier.entries(dict, ['PatternType', 'Shading', 'Matrix']);
      this.used.put('Pattern', key, new Dict([['Type', name('Pattern')], ...entries]));
    } else {
      if (!(value instanceof Ref)) throw new Unreadable('a tiling pattern that is not a stream');
      const known = shared.get(value.num);
      const ref = known ?? output.add(this.cell(value.num, dict));
      shared.set(value.num, ref);
      this.notePattern(value.num);
      this.used.put('Pattern', key, ref);
    }
    if (fill) now.fill = paint;
    else now.stroke = paint;
    return true;
  }

  private notePattern(num: number): void {
    const { findings, document } = this.edit;
    const cell = document.cells.get(num);
    if (cell === undefined) return;
    findings.inPatterns.push(...cell.letters, ...cell.inPatterns);
    findings.patterns += cell.pictureBoxes.length + cell.shapes.length + cell.patterns;
  }

  /** The cell of a tiling pattern, which has no place on the page. */
  private cell(num: number, dict: Dict) {
    const { document } = this.edit;
    const { file } = document;
    if (this.open.includes(num)) throw new Unreadable('a pattern that contains itself');
    const resources = file.dict(dict.get('Resources'));
    const { findings, ...made } = editUnplaced(contentStream(file, num), resources, document, [...this.open, num]);
    this.edit.findings.operators += findings.operators;
    this.edit.findings.whole.push(...findings.whole);
    document.cells.set(num, findings);
    const entries = document.copier.entries(dict, CELL);
    return flateStream([['Type', name('Pattern')], ...entries, ['Resources', made.resources]], made.bytes);
  }

  private shading(key: string): boolean {
    const { document, removal, findings } = this.edit;
    const value = this.entry('Shading', key);
    const dict = document.file.dict(value);
    if (dict === undefined || this.isHidden) return false;
    if (removal.regions.some((region) => meets(region, this.state.now.clip))) {
      // A mesh or a function of two variables can draw anything.
      if (!isSmooth(dict)) throw new Unreadable('a shading in a region');
      findings.crossing.push(this.state.now.clip);
    }
    this.used.put('Shading', key, document.copier.copy(value));
    return true;
  }

  private draw(op: ContentOperation, key: string, exact: boolean): void {
    const { document } = this.edit;
    const value = this.entry('XObject', key);
    const dict = document.file.dict(value);
    if (dict === undefined || !(value instanceof Ref)) return;
    if (this.isHidden || !document.layers.shows(dict.get('OC'))) {
      this.note('layer');
      return;
    }
    // Viewers draw an appearance stream as a form whatever its /Subtype.
    const isAppearance = this.edit.isOfAppearances === true && this.open.length === 0;
    const subtype = isAppearance ? 'Form' : nameAt(document.file, dict, 'Subtype');
    if (subtype !== 'Form' && subtype !== 'Image') return;
    const picture = () =>
      this.picture(
        () => document.pictures.copy(value.num, dict),
        (boxes) => document.pictures.blank({ num: value.num, dict }, boxes),
        isSpeck(dict) ? undefined : value.num,
      );
    const made = subtype === 'Form' ? this.form(value) : picture();
    if (made?.changed === true) this.writer.write([new Name(this.used.fresh('XObject', made.ref))], 'Do');
    else if (made !== undefined) {
      this.used.put('XObject', key, made.ref);
      this.pass(op, exact);
    }
  }

  private note(why: HiddenBy): void {
    this.edit.findings.hidden.push({ box: this.state.place(UNIT), why });
  }

  /** Copies a picture, or blanks its pixels in the regions; undefined where it lies off the page. */
  private picture(
    copy: () => Ref,
    blank: (boxes: readonly Rect[]) => Ref,
    num?: number,
  ): { readonly ref: Ref; readonly changed: boolean } | undefined {
    const { removal, shown, findings, document } = this.edit;
    const box = this.state.place(UNIT);
    if (![box.x0, box.x1, box.y0, box.y1].every(Number.isFinite))
      throw new Unreadable('a picture at an invalid position');
    if (!meets(box, shown) || !meets(box, this.state.now.clip)) {
      this.note('outside');
      this.changed = true;
      return undefined;
    }
    findings.pictureBoxes.push(box);
    const at = findings.at++;
    if (!this.state.now.translucent) findings.covers.push({ box, at, by: 'picture' });
    const boxes = removal.regions.some((region) => meets(region, box))
      ? document.pictures.boxesIn(removal.regions, this.state.now.ctm)
      : [];
    if (boxes.length === 0) {
      if (num !== undefined) findings.whole.push({ num, box, at });
      return { ref: copy(), changed: false };
    }
    if (num !== undefined) findings.cut.add(num);
    this.changed = true;
    return { ref: blank(boxes), changed: true };
  }

  private inlineImage(op: ContentOperation, exact: boolean): void {
    const { pictures } = this.edit.document;
    const { image } = op;
    if (image === undefined || this.isHidden) return;
    const space = image.dict.get('ColorSpace');
    const named = space instanceof Name ? this.entry('ColorSpace', space.value) : undefined;
    const dict = named === undefined ? image.dict : new Dict([...image.dict, ['ColorSpace', named]]);
    const made = this.picture(
      () => NOWHERE,
      (boxes) => pictures.blank({ dict: pictures.spelledOut(dict), data: image.data }, boxes),
    );
    if (made === undefined) return;
    if (made.changed) {
      this.writer.write([new Name(this.used.fresh('XObject', made.ref))], 'Do');
      return;
    }
    if (space instanceof Name && named !== undefined)
      this.used.put('ColorSpace', space.value, this.edit.document.copier.copy(named));
    // An image with entries that drawing does not need, which may hold secrets, becomes an XObject without them.
    const plain =
      exact && !op.commented && [...image.dict].every(([key, value]) => INLINE.has(key) && !holdsString(value));
    if (plain) this.writer.keep(op);
    else {
      const ref = pictures.inline(pictures.spelledOut(dict), image.data);
      this.writer.write([new Name(this.used.fresh('XObject', ref))], 'Do');
    }
  }

  private form(value: Value | undefined): { readonly ref: Ref; readonly changed: boolean } {
    const { document } = this.edit;
    const { file, output, shared } = document;
    const dict = file.dict(value);
    if (!(value instanceof Ref) || dict === undefined) throw new Unreadable('a form that is missing');
    const { num } = value;
    if (this.open.includes(num)) throw new Unreadable('a form that contains itself');
    const { state } = this;
    const inner = new GraphicsState(state.now.ctm, state.now.clip, state);
    const matrix = matrixOf(file, dict.get('Matrix'));
    if (matrix !== undefined) inner.transform(matrix);
    const formResources = file.dict(dict.get('Resources')) ?? this.resources;
    const made = editContent(contentStream(file, num), formResources, this.edit, inner, [...this.open, num]);
    const known = made.changed ? undefined : shared.get(num);
    if (made.changed) this.changed = true;
    if (known !== undefined) return { ref: known, changed: false };
    const entries = document.copier.entries(dict, ['FormType', 'BBox', 'Matrix']);
    const group = groupOf(document, dict.get('Group'));
    if (group !== undefined) entries.push(['Group', group]);
    const ref = output.add(formStream([...entries, ['Resources', made.resources]], made.bytes));
    if (!made.changed) shared.set(num, ref);
    return { ref, changed: made.changed };
  }
}

interface Mark {
  readonly isHidden: boolean;
  /** The writer's position for its BDC; undefined where it is dropped. */
  readonly place: number | undefined;
  /** The editor's `changed` from before it began. */
  readonly changed: boolean;
  readonly name: Name;
  readonly mcid: number | undefined;
  readonly texts: Dict;
}

const TEXTS = new Set(['ActualText', 'Alt', 'E', 'Lang']);

/** Pictures below this many pixels are illegible. */
const SPECK = 64;

/** Whether a picture is a spot of colour: the same one is drawn on every page of some scans. */
function isSpeck(dict: Dict): boolean {
  const pixels = (dict.number('Width') ?? SPECK) * (dict.number('Height') ?? SPECK);
  return pixels < SPECK && !dict.has('SMask') && !dict.has('Mask');
}

/** The reference of an inline image that stays inline. */
const NOWHERE = new Ref(0, 0);

/** Entries of a graphics state that drawing needs (Table 58). */
const STATE = new Set('Type LW LC LJ ML D RI OP op OPM BG BG2 UCR UCR2 TR TR2 HT FL SM SA BM CA ca AIS TK'.split(' '));
const CELL = 'PatternType PaintType TilingType BBox XStep YStep Matrix'.split(' ');
const INLINE = new Set(
  'BitsPerComponent ColorSpace Decode DecodeParms Filter Height ImageMask Interpolate Width'.split(' '),
);

function holdsString(value: Value): boolean {
  // Palettes may be strings too: those are searched when the output is verified.
  if (value instanceof PdfString) return true;
  return value instanceof Dict ? [...value.values()].some(holdsString) : false;
}

/** Axial and radial shadings go from colour to colour: nothing can be read in them. */
function isSmooth(shading: Dict | undefined): boolean {
  const type = shading?.number('ShadingType');
  return type === 2 || type === 3;
}

export function groupOf(document: DocumentEdit, value: Value | undefined): Dict | undefined {
  const group = document.file.dict(value);
  return group === undefined ? undefined : new Dict(document.copier.entries(group, ['S', 'CS', 'I', 'K']));
}

/** Edits content without a place on the page, such as glyphs and pattern cells: only invisible parts are removed. */
export function editUnplaced(
  content: Uint8Array,
  resources: Dict | undefined,
  document: DocumentEdit,
  open: readonly number[] = [],
): Edited & { readonly findings: Findings } {
  const findings = new Findings();
  const shown = { x0: -1e9, y0: -1e9, x1: 1e9, y1: 1e9 };
  const edit = { document, removal: { regions: [], erase: [] }, shown, findings };
  return { ...editContent(content, resources, edit, new GraphicsState([1, 0, 0, 1, 0, 0], shown), open), findings };
}
