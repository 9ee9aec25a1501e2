// Pages of sources in a new document: whole page trees grafted, or pages picked and made to stand alone.
import type { Draft } from '../../../contract/base/ports.ts';
import { padded } from '../../syntax/characters.ts';
import { Ref } from '../../syntax/values.ts';
import { archivePart } from '../read/claims.ts';
import { nameAt } from '../read/entries.ts';
import { headerVersion } from '../read/header.ts';
import type { Pace } from '../read/pace.ts';
import type { Page } from '../read/page-tree.ts';
import type { PdfFile } from '../read/pdf-file.ts';
import type { Source } from '../read/source.ts';
import { COMPRESSED } from '../read/xref-table.ts';
import { Fingerprint } from '../write/fingerprint.ts';
import { Writer, type WriterOptions } from '../write/writer.ts';
import type { Copier } from './copier.ts';
import { DROPPED } from './copier.ts';
import type { NewEntries } from './new-entries.ts';
import type { Pruner } from './unused-resources.ts';

/** Options that suit all sources. `many`: of many small objects, which object streams make a fifth as large. */
export function writerOptions(
  sources: readonly Pick<Source, 'file'>[],
  many = false,
): WriterOptions & { readonly version: string } {
  // PDF/A-1 is PDF 1.4, which has no object streams.
  const isOld = sources.some(({ file }) => archivePart(file) === '1');
  const objectStreams = !isOld && (many || sources.some(({ file }) => file.xref.kind.includes(COMPRESSED)));
  const versions = sources.map(({ file }) => versionOf(file));
  const version = [objectStreams ? '1.5' : '1.3', ...versions].sort().at(-1) ?? '1.7';
  // PDF/A-2 and -3 are PDF 1.7, whatever the input was.
  const isBounded = version > '1.7' && sources.some(({ file }) => /^[23]$/.test(archivePart(file) ?? ''));
  return { objectStreams, version: isBounded ? '1.7' : version };
}

export function objectsOf(sources: readonly Pick<Source, 'file'>[]): number {
  return sources.reduce((sum, { file }) => sum + file.xref.size, SPARE);
}

/** Bytes of an inherited value from which on pages share it. */
const LONG = 256;

/** Objects that the output has besides those of its sources, such as object streams. */
const SPARE = 512;

/** The version a file says it follows: the later of its header and its catalog. */
export function versionOf(file: PdfFile): string {
  const header = headerVersion(file.windows) ?? '1.4';
  const catalog = nameAt(file, file.dict(file.xref.trailer.get('Root')), 'Version') ?? '';
  return /^\d\.\d$/.test(catalog) && catalog > header ? catalog : header;
}

/** A hash of the sources and of what is done with them, for /ID. */
export function documentId(sources: readonly Source[], what: string): string {
  const print = new Fingerprint().text(what);
  for (const { file } of sources) {
    print.number(file.size);
    const { place, kind, size, trailer } = file.xref;
    print.table(place, kind, size);
    const id = trailer.get('ID');
    for (const part of Array.isArray(id) ? id : []) {
      if (typeof part === 'object' && part !== null && 'bytes' in part) print.bytes(part.bytes);
    }
  }
  return print.hex();
}

export class Assembly {
  readonly writer: Writer;
  readonly catalog: number;
  readonly root: number;
  private kids: number[] = [];
  private readonly inherited = new Map<Uint8Array, number>();
  private count = 0;

  constructor(draft: Draft, options: WriterOptions) {
    this.writer = new Writer(draft, options);
    this.catalog = this.writer.allocate();
    this.root = this.writer.allocate();
  }

  /** Reserves output numbers for pages of a source; from now on references to these pages lead to them. */
  reserve({ tree }: Pick<Source, 'tree'>, copier: Copier, pages = tree.pages): number[] {
    const numbers = pages.map(() => this.writer.allocate());
    const known = new Set<number>();
    for (const [i, { num }] of pages.entries()) {
      // References to a page that is taken twice lead to its first copy.
      if (num === 0 || known.has(num)) continue;
      known.add(num);
      copier.assign(num, numbers[i] ?? DROPPED);
    }
    // A node of the old tree that somebody refers to is now the root; copied, it would be a second tree.
    for (const num of tree.nodes) if (copier.map[num] === 0) copier.assign(num, this.root);
    return numbers;
  }

  /** Adds all pages. A well-formed tree becomes one kid of the new root, so that inheritance stays right. */
  async graft({ tree }: Pick<Source, 'tree'>, copier: Copier, numbers: readonly number[], pace: Pace): Promise<void> {
    if (!tree.wellFormed) {
      await this.pick(tree.pages, copier, numbers, pace);
      return;
    }
    const [top = 0] = tree.nodes;
    for (const num of tree.nodes) copier.assign(num, this.writer.allocate());
    await copier.now(top, new Map([['Parent', `${this.root} 0 R`]]));
    for (const num of tree.nodes) if (num !== top) await copier.now(num);
    for (const { num } of tree.pages) {
      const ended = copier.now(num);
      if (ended !== undefined) await ended;
      if (pace.isOver()) await pace.yield();
    }
    this.kids.push(copier.ref(top));
    this.count += tree.pages.length;
  }

  /** Adds some pages, each with the attributes it inherited. The copier must hold all other pages for DROPPED. */
  async pick(
    pages: readonly Page[],
    copier: Copier,
    numbers: readonly number[],
    pace: Pace,
    pruner?: Pruner,
    change?: (page: Page, at: number) => NewEntries | Promise<NewEntries>,
  ): Promise<void> {
    for (const [i, page] of pages.entries()) {
      const fresh = numbers[i] ?? this.writer.allocate();
      const entries = new Map<string, string | (() => void) | undefined>();
      entries.set('Type', '/Page').set('Parent', `${this.root} 0 R`);
      for (const [key, bytes] of Object.entries(page.inherited)) {
        if (pages.length > 1 && bytes.length > LONG) {
          entries.set(key, `${await this.once(bytes, copier)} 0 R`);
          continue;
        }
        entries.set(key, () => copier.value(padded(bytes)));
      }
      const resources = pruner?.resources(page, copier);
      if (resources !== undefined) entries.set('Resources', resources);
      const changed = change?.(page, i);
      for (const [key, value] of changed instanceof Promise ? await changed : (changed ?? [])) entries.set(key, value);
      const { num, direct } = page;
      const ended = direct === undefined ? copier.now(num, entries, fresh) : copier.direct(fresh, direct, entries);
      if (ended !== undefined) await ended;
      this.kids.push(fresh);
      this.count += 1;
      if (pace.isOver()) await pace.yield();
    }
  }

  /** Reorders the pages: `order` holds indexes of pages in the order in which `pick` added them. */
  arrange(order: readonly number[]): void {
    this.kids = order.flatMap((at) => this.kids[at] ?? []);
  }

  /** Adds a new page. `entries`: its dictionary without /Type and /Parent. */
  async add(entries: string): Promise<void> {
    const num = this.writer.allocate();
    await this.writer.object(num, `<</Type/Page/Parent ${this.root} 0 R${entries}>>`);
    this.kids.push(num);
    this.count += 1;
  }

  /** Writes a value that many pages inherit as one object: repeated in each page, it would turn 1 MB into 10 GB. */
  private async once(bytes: Uint8Array, copier: Copier): Promise<number> {
    const known = this.inherited.get(bytes);
    if (known !== undefined) return known;
    const fresh = this.writer.allocate();
    this.inherited.set(bytes, fresh);
    this.writer.begin(fresh, false);
    copier.value(padded(bytes));
    await this.writer.end();
    return fresh;
  }

  async writePages(): Promise<void> {
    const kids = this.kids.map((num) => `${num} 0 R`).join(' ');
    const ended = this.writer.object(this.root, `<</Type/Pages/Count ${this.count}/Kids[${kids}]>>`);
    if (ended !== undefined) await ended;
  }

  async finish(id: string, info: number, entries = ''): Promise<void> {
    await this.writePages();
    await this.writer.object(this.catalog, `<</Type/Catalog/Pages ${this.root} 0 R${entries}>>`);
    await this.writer.finish(trailer(this.catalog, info, id));
  }
}

export function trailer(root: number, info: number, id: string): string {
  return `/Root ${root} 0 R${info === DROPPED ? '' : `/Info ${info} 0 R`}/ID[<${id}><${id}>]`;
}

/** Queues the document information of a source and returns its output number; DROPPED where it has none. */
export function copyInfo(copier: Copier): number {
  const info = copier.file.xref.trailer.get('Info');
  return info instanceof Ref ? copier.ref(info.num) : DROPPED;
}

/** A copier's map in which no page and no node of the page tree is part of the output. */
export function withoutPages({ file, tree }: Pick<Source, 'file' | 'tree'>): Int32Array {
  const map = new Int32Array(file.xref.size);
  for (const num of tree.nodes) map[num] = DROPPED;
  for (const { num } of tree.pages) map[num] = DROPPED;
  return map;
}
