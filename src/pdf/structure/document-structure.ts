// Carries over what a document has besides its pages: each part is surveyed, copied and entered into the catalog.

import { copyInfo } from '../file/copy/assemble.ts';
import type { Copier } from '../file/copy/copier.ts';
import type { NewEntries } from '../file/copy/new-entries.ts';
import { claimsOf } from '../file/read/claims.ts';
import { listOf } from '../file/read/entries.ts';
import type { Pace } from '../file/read/pace.ts';
import { MOST_HELD } from '../file/read/source.ts';
import type { Writer } from '../file/write/writer.ts';
import { WATCHED } from '../syntax/watched-names.ts';
import { PickedAnnotations } from './annotations.ts';
import { destinationsOf } from './destination-pages.ts';
import { Forms } from './forms.ts';
import { type Input, type Numbered, readOnce, readOrLeave, valueText } from './input.ts';
import { Labels, type PageRun } from './labels.ts';
import { Layers } from './layers.ts';
import {
  type Metadata,
  type Pending,
  pendingXmp,
  placeInfo,
  placeXmp,
  readXmp,
  withoutInvoice,
  writePending,
} from './metadata.ts';
import { Names } from './names.ts';
import { Outlines } from './outlines.ts';
import { Renaming, type Renamings } from './renaming.ts';
import { Tags } from './tags.ts';

export interface StructureOptions {
  /** Titles of new bookmarks, one for each file, under which the file's bookmarks go. */
  readonly titles?: readonly string[] | undefined;
  readonly metadata?: Metadata;
  /** Leave out what belongs to the whole document: attachments, scripts, metadata without a claim. */
  readonly parts?: boolean;
}

/** Catalog entries that are taken from the first file, since a document can have only one of each. */
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
const ANY_PAGE = ['Lang', 'ViewerPreferences', 'PageLayout', 'URI'];
/** Catalog entries that a claim of PDF/A or PDF/UA stands in and relies on. */
const CLAIM = ['Metadata', 'OutputIntents', 'Extensions'];
/** Catalog entries that are lists, which are joined. */
const LISTS = ['AF', 'Threads'] as const;

interface Part {
  /** Set where pages are picked. */
  readonly annotations: PickedAnnotations | undefined;
  /** Keys of tags found on everything copied for picked pages. */
  readonly tagKeys: Set<number>;
}

export class DocumentStructure {
  readonly warnings: string[] = [];
  private readonly options: StructureOptions;
  private readonly writer: Writer;
  private readonly outlines: Outlines;
  private readonly names = new Names();
  private readonly labels = new Labels();
  private readonly forms = new Forms();
  private readonly layers = new Layers();
  private readonly tags: Tags;
  private readonly parts = new Map<Input, Part>();
  private readonly entries: string[] = [];
  private readonly lists = new Map<(typeof LISTS)[number], string[]>(LISTS.map((key) => [key, []]));
  private readonly pending: Pending[] = [];
  private info = -1;

  /** Reads from all inputs what must be known before the first one is copied. */
  constructor(inputs: readonly Input[], writer: Writer, options: StructureOptions = {}) {
    this.options = options;
    this.writer = writer;
    // Whole files have these more often than not.
    const isWhole = inputs.some(({ picked }) => picked === undefined);
    this.outlines = new Outlines(writer, options.titles, isWhole ? writer.allocate() : undefined);
    this.tags = new Tags(writer, isWhole ? writer.allocate() : undefined);
    for (const input of inputs) {
      const { picked } = input;
      const annotations = picked === undefined ? undefined : new PickedAnnotations(input, picked);
      this.parts.set(input, { annotations, tagKeys: new Set() });
      readOrLeave(input, 'names', undefined, () => this.names.survey(input, options.parts === true));
      readOrLeave(input, 'form fields', undefined, () => this.forms.survey(input, annotations));
      this.tags.survey(input);
    }
    let bytes = 0;
    for (const input of inputs) {
      readOrLeave(input, 'bookmarks', undefined, () => this.outlines.survey(input));
      this.layers.survey(input);
      this.labels.survey(input);
      this.names.read(input);
      this.forms.read(input);
      this.tags.read(input);
      // A single output needs no cache of resolved names and bookmarks: a manual has 20,000.
      if (options.parts !== true) input.readings.clear();
      bytes += input.file.size;
      if (bytes > MOST_HELD && inputs.length > 1) input.file.release();
    }
    this.names.settle();
    this.forms.settle();
    this.warnings.push(...this.forms.warnings, ...this.tags.settle());
  }

  /** The output number of the document information; DROPPED where there is none. */
  get infoNumber(): number {
    return this.info;
  }

  /** Plans changes of an input. Its pages have output numbers, and nothing of it is copied yet. */
  place(input: Input, placed: Numbered): void {
    const { copier } = placed;
    const { annotations, tagKeys } = this.partOf(input);
    if (input.index === 0) this.placeFirst(input, copier);
    this.plan(input, copier, tagKeys);
    this.outlines.place(input, placed);
    this.names.place(input, placed);
    annotations?.place(placed);
    readOrLeave(input, 'form fields', undefined, () => this.forms.place(input, placed, annotations));
    readOrLeave(input, 'layers', undefined, () => this.layers.place(input, placed));
    readOrLeave(input, 'tags', undefined, () => this.tags.place(input, placed));
    if (this.options.parts === true) return;
    for (const [key, items] of this.lists) {
      // An article may run through pages that are left out.
      if (key === 'Threads' && input.picked !== undefined) continue;
      for (const item of listOf(input.file, input.catalog.get(key))) items.push(valueText(item, copier));
    }
  }

  pageEntries(input: Input, at: number): NewEntries {
    return this.partOf(input).annotations?.pageEntries(at) ?? new Map();
  }

  /** Copies the parts of an input besides its pages, which were copied before. Each step relies on those before it. */
  async copy(input: Input, placed: Numbered, pace: Pace): Promise<void> {
    const { annotations, tagKeys } = this.partOf(input);
    const { copier } = placed;
    await annotations?.copy(placed);
    await this.outlines.copy(input, placed);
    await copier.drain(pace);
    // Only now is it known which objects are referred to by names alone, and which tags belong to what was copied.
    await this.names.gather(input, placed, pace);
    await copier.drain(pace);
    await this.tags.finish(input, placed, tagKeys);
    await copier.drain(pace);
    this.layers.finish(input, placed);
    this.report(input, copier);
  }

  /** Reports what an input brought along or left out. */
  private report(input: Input, copier: Copier): void {
    const { file, index, catalog, lost } = input;
    if (this.options.parts === true) {
      this.reportLeft(input);
      return;
    }
    if (lost.size > 0) this.warnings.push(lostWarning(input));
    const entries = index === 0 ? this.entries.join('') : '';
    const named = this.names.has('JavaScript', index);
    const scripts = (copier.names & WATCHED.JavaScript) !== 0 || named || entries.includes('/JavaScript');
    if (scripts) this.warnings.push(`${file.name} has JavaScript, which is kept as it is`);
    if ((copier.names & WATCHED.Launch) !== 0 || entries.includes('/Launch')) {
      this.warnings.push(`${file.name} has actions that start programs, which are kept as they are`);
    }
    if (scripts && this.forms.renamed(input)) {
      this.warnings.push(`${file.name}: fields were renamed, but its scripts still use the old names`);
    }
    if (index > 0 && file.dict(catalog.get('AA')) !== undefined) {
      this.warnings.push(`${file.name}: its actions on closing, saving and printing are not kept`);
    }
    if (catalog.has('Collection')) this.warnings.push(`${file.name}: its portfolio view is not kept`);
  }

  private reportLeft(input: Input): void {
    const { file, catalog, lost } = input;
    const names = readOrLeave(input, 'names', undefined, () => file.dict(catalog.get('Names')));
    const behind = [
      ...(names?.has('EmbeddedFiles') ? ['attachments'] : []),
      ...(names?.has('JavaScript') ? ['scripts of the document'] : []),
    ];
    if (behind.length > 0) this.warnings.push(`${file.name}: not kept: ${behind.join(', ')}`);
    if (lost.size > 0) this.warnings.push(lostWarning(input));
  }

  /** Writes what belongs to the whole document, and returns the entries of its catalog. `runs`: the pages in order. */
  async write(runs: Iterable<PageRun>): Promise<string> {
    const { writer } = this;
    for (const pending of this.pending) await writePending(writer, pending);
    const lists = [...this.lists].map(([key, items]) => (items.length === 0 ? '' : `/${key}[${items.join(' ')}]`));
    return [
      ...this.entries,
      ...lists,
      await this.outlines.write(),
      await this.names.write(writer),
      this.labels.write(runs),
      await this.forms.write(writer),
      await this.layers.write(writer),
      await this.tags.write(),
    ].join('');
  }

  private partOf(input: Input): Part {
    const part = this.parts.get(input);
    if (part === undefined) throw new TypeError(`${input.file.name} is no input of this document`);
    return part;
  }

  private placeFirst(input: Input, copier: Copier): void {
    const { catalog } = input;
    const { metadata = {}, parts } = this.options;
    if (parts === true) this.info = copyInfo(copier);
    else {
      const info = placeInfo(copier, metadata);
      const xmp = placeXmp(copier, catalog.get('Metadata'), metadata);
      this.info = info.num;
      this.pending.push(...[info.pending, xmp.pending].filter((pending) => pending !== undefined));
      this.entries.push(xmp.text);
    }
    const keys = parts !== true ? FIRST : readOnce(input, makesClaims) ? [...ANY_PAGE, ...CLAIM] : ANY_PAGE;
    for (const key of keys) {
      const value = catalog.get(key);
      if (value === undefined || (key === 'OpenAction' && opensElsewhere(input))) continue;
      const packet = key === 'Metadata' ? readXmp(input.file, value) : undefined;
      if (packet !== undefined && withoutInvoice(packet) !== packet) {
        const { text, pending } = pendingXmp(copier, withoutInvoice(packet));
        this.pending.push(pending);
        this.entries.push(text);
        continue;
      }
      this.entries.push(`/${key} ${valueText(value, copier)}`);
    }
  }

  private plan(input: Input, copier: Copier, tagKeys: Set<number>): void {
    const isTagged = input.picked !== undefined && this.tags.has(input);
    const changes: Renamings = {
      ...this.tags.changes(input),
      ...(isTagged ? { tagKeys } : {}),
      destinations: this.names.destinations(input),
      fonts: this.forms.fonts(input),
      fields: this.forms.fieldNames(input),
    };
    const renaming = new Renaming(copier, changes);
    // Links lead to elements too, each of which would bring along all tags of the input.
    if (isTagged || changes.untagged === true) copier.waits = WATCHED.StructElem;
    if (renaming.names !== 0) copier.change = renaming;
    // Only tags need the names in what is copied: without them, names are not collected.
    else if (this.options.parts === true) copier.note = 0;
  }
}

function makesClaims({ file }: Input): boolean {
  return claimsOf(file).length > 0;
}

function opensElsewhere(input: Input): boolean {
  const { picked, catalog } = input;
  if (picked === undefined) return false;
  const action = catalog.get('OpenAction');
  const destinations = destinationsOf(input);
  const page = destinations.pageOf(action) ?? destinations.pageOfAction(action);
  return page !== undefined && !picked.has(page);
}

function lostWarning({ file, lost }: Input): string {
  return `${file.name}: damaged and not kept: ${[...lost].join(', ')}`;
}
