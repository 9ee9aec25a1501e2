// All that a merged document has besides its pages: each kind is asked in turn and tied into the catalog.
import type { Copier } from '../copy/copier.ts';
import type { Pace } from '../pace.ts';
import { HELD } from '../read/source.ts';
import { WATCHED } from '../syntax/watched-names.ts';
import type { Writer } from '../write/writer.ts';
import { Forms } from './forms.ts';
import { type Input, listOf, type Numbered, readOrLeave, valueText } from './input.ts';
import { type LabelRange, labelsBetween, plainLabels, readLabels, writeLabels } from './labels.ts';
import { Layers } from './layers.ts';
import { type Metadata, type Pending, placeInfo, placeXmp } from './metadata.ts';
import { Names } from './names.ts';
import { Outlines } from './outlines.ts';
import { type Changes, Renaming } from './renaming.ts';
import { Tags } from './tags.ts';

export interface JoinOptions {
  /** One bookmark for each file under which its own go: their titles. */
  readonly titles?: readonly string[] | undefined;
  readonly metadata?: Metadata;
}

/** Entries of the catalog that are the first file's, for a document can have but one. */
const FIRST = [
  'ViewerPreferences',
  'PageMode',
  'PageLayout',
  'OpenAction',
  'OutputIntents',
  'URI',
  'AA',
  'Lang',
  'Extensions',
];
/** Entries that are lists and are joined. */
const LISTS = ['AF', 'Threads'];

export class MergedStructure {
  /** What the person should know. */
  readonly warnings: string[] = [];
  private readonly inputs: readonly Input[];
  private readonly writer: Writer;
  private readonly metadata: Metadata;
  private readonly outlines: Outlines;
  private readonly names = new Names();
  private readonly labels: (readonly LabelRange[] | undefined)[] = [];
  private readonly forms = new Forms();
  private readonly layers = new Layers();
  private readonly tags: Tags;
  private readonly entries: string[] = [];
  private readonly lists = new Map<string, string[]>(LISTS.map((key) => [key, []]));
  private readonly pending: Pending[] = [];
  private info = -1;

  /** Reads of all inputs what must be known before the first one is copied. */
  constructor(inputs: readonly Input[], writer: Writer, { titles, metadata = {} }: JoinOptions = {}) {
    this.inputs = inputs;
    this.writer = writer;
    this.metadata = metadata;
    this.outlines = new Outlines(writer, titles);
    this.tags = new Tags(writer);
    for (const input of inputs) {
      readOrLeave(input, 'names', undefined, () => this.names.survey(input));
      readOrLeave(input, 'form fields', undefined, () => this.forms.survey(input));
      this.tags.survey(input);
    }
    let bytes = 0;
    for (const input of inputs) {
      readOrLeave(input, 'bookmarks', undefined, () => this.outlines.survey(input));
      readOrLeave(input, 'layers', undefined, () => this.layers.survey(input));
      this.labels.push(readOrLeave(input, 'page labels', undefined, () => readLabels(input.file, input.catalog)));
      this.names.read(input);
      this.forms.read(input);
      this.tags.read(input);
      bytes += input.file.size;
      if (bytes > HELD) input.file.release();
    }
    this.names.settle();
    this.forms.settle();
    this.warnings.push(...this.forms.warnings, ...this.tags.settle());
  }

  /** The number of the document information; DROPPED where there is none. */
  get infoNumber(): number {
    return this.info;
  }

  /** Plans what changes in an input. Its pages have their numbers, and nothing of it is copied yet. */
  place(input: Input, placed: Numbered): void {
    const { copier } = placed;
    if (input.index === 0) this.placeFirst(input, copier);
    this.plan(input, copier);
    this.outlines.place(input, placed);
    this.names.place(input, placed);
    readOrLeave(input, 'form fields', undefined, () => this.forms.place(input, placed));
    readOrLeave(input, 'layers', undefined, () => this.layers.place(input, placed));
    readOrLeave(input, 'tags', undefined, () => this.tags.place(input, placed));
    for (const key of LISTS) {
      for (const item of listOf(input.file, input.catalog.get(key))) this.lists.get(key)!.push(valueText(item, copier));
    }
  }

  /** Copies what has a place of its own, then, when all of the input is there, says what it brought along. */
  async copy(input: Input, placed: Numbered): Promise<void> {
    await this.outlines.copy(input, placed);
  }

  /** To be called when all that its pages and bookmarks lead to has been copied; may leave more to copy. */
  async gather(input: Input, placed: Numbered, pace: Pace): Promise<void> {
    await this.names.gather(input, placed, pace);
  }

  /** To be called when everything of an input has been copied. */
  report({ file, index, catalog, lost }: Input, { copier }: Numbered): void {
    if (lost.size > 0) this.warnings.push(`${file.name}: damaged and not kept: ${[...lost].join(', ')}`);
    const own = index === 0 ? this.entries.join('') : '';
    const named = this.names.has('JavaScript', index);
    const scripts = (copier.names & WATCHED.JavaScript) !== 0 || named || own.includes('/JavaScript');
    if (scripts) this.warnings.push(`${file.name} has JavaScript, which is kept as it is`);
    if ((copier.names & WATCHED.Launch) !== 0 || own.includes('/Launch')) {
      this.warnings.push(`${file.name} has actions that start programs, which are kept as they are`);
    }
    if (scripts && this.forms.renamed(this.inputs[index]!)) {
      this.warnings.push(`${file.name}: fields were renamed, but its scripts still use the old names`);
    }
    if (index > 0 && file.dict(catalog.get('AA')) !== undefined) {
      this.warnings.push(`${file.name}: its actions on closing, saving and printing are not kept`);
    }
    if (catalog.has('Collection')) this.warnings.push(`${file.name}: its portfolio view is not kept`);
  }

  /** Writes what is the document's own, and returns the entries of its catalog. */
  async write(): Promise<string> {
    const { writer } = this;
    for (const { num, dict, bytes } of this.pending) await writePending(writer, num, dict, bytes);
    const lists = [...this.lists].map(([key, items]) => (items.length === 0 ? '' : `/${key}[${items.join(' ')}]`));
    return [
      ...this.entries,
      ...lists,
      await this.outlines.write(),
      await this.names.write(writer),
      this.pageLabels(),
      await this.forms.write(writer),
      await this.layers.write(writer),
      await this.tags.write(),
    ].join('');
  }

  private placeFirst({ catalog }: Input, copier: Copier): void {
    const info = placeInfo(copier, this.metadata);
    const xmp = placeXmp(copier, catalog.get('Metadata'), this.metadata);
    this.info = info.num;
    this.pending.push(...[info.pending, xmp.pending].filter((pending) => pending !== undefined));
    this.entries.push(xmp.text);
    for (const key of FIRST) {
      const value = catalog.get(key);
      if (value !== undefined) this.entries.push(`/${key} ${valueText(value, copier)}`);
    }
  }

  private plan(input: Input, copier: Copier): void {
    const changes: Changes = {
      ...this.tags.changes(input),
      destinations: this.names.destinations(input),
      fonts: this.forms.fonts(input),
      fields: this.forms.fieldNames(input),
    };
    const renaming = new Renaming(copier, changes);
    if (renaming.names !== 0) copier.change = renaming;
  }

  /** Labels of all pages where any input has some: pages without have their place in the output. */
  private pageLabels(): string {
    if (this.labels.every((ranges) => ranges === undefined)) return '';
    const ranges = this.inputs.flatMap(({ index, count, before }) => {
      const own = this.labels[index];
      const found = own === undefined ? plainLabels(before) : labelsBetween(own, 0, count);
      return found.map((range) => ({ ...range, page: range.page + before }));
    });
    return writeLabels(ranges);
  }
}

async function writePending(writer: Writer, num: number, dict: string, bytes: Uint8Array | undefined): Promise<void> {
  if (bytes === undefined) {
    await writer.object(num, dict);
    return;
  }
  writer.begin(num, true);
  writer.text(`${dict}\nstream\n`);
  writer.bytes(bytes);
  writer.text('\nendstream');
  await writer.end();
}
