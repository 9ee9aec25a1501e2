import { Failure } from '../../../contract/base/failure.ts';
import type { Draft } from '../../../contract/base/ports.ts';
import { field, say } from '../../../contract/base/wording.ts';
import { serialize } from '../../syntax/serialize.ts';
import { Dict, dictOf, Name, type Ref } from '../../syntax/values.ts';
import type { Encryption, RandomBytes } from '../crypt/encryption.ts';
import { catalogRef } from '../read/entries.ts';
import type { Pace } from '../read/pace.ts';
import type { Page } from '../read/page-tree.ts';
import { usageRights } from '../read/signature.ts';
import type { Source } from '../read/source.ts';
import { Update } from '../write/update.ts';
import { Writer, type WriterOptions } from '../write/writer.ts';
import { Assembly, copyInfo, objectsOf, trailer, writerOptions } from './assemble.ts';
import { Copier, DROPPED } from './copier.ts';
import { type NewEntries, UNCHANGED } from './new-entries.ts';

/** The changed entries of a page. It is awaited, because it may write objects that the entries refer to. */
export type PageChange = (page: Page, copier: Copier) => NewEntries | Promise<NewEntries>;

/** Runs before the first page is copied: for objects that pages share, and changes of other objects. */
type Prepare = (copier: Copier) => void | Promise<void>;

interface Other {
  readonly encryption?: Encryption;
  /** Append the changes to the file instead of copying it. */
  readonly append?: Append | undefined;
  /** The number of its document information; DROPPED where it has none. Left out, it is that of the source. */
  readonly info?: (copier: Copier) => number;
  /** Adds pages to those of the source, all below a new root, and returns further entries of the catalog. */
  readonly pages?: (assembly: Assembly) => Promise<NewEntries>;
}

export interface Append {
  readonly random: RandomBytes | undefined;
}

interface Job {
  readonly source: Source;
  readonly draft: Draft;
  readonly id: string;
  readonly pace: Pace;
  readonly change: PageChange;
  readonly prepare: Prepare;
  readonly other: Other;
}

/** Copies a source into a draft, each page dictionary with what `change` says. `id`: for /ID, in hexadecimal. */
export async function rewrite(
  source: Source,
  draft: Draft,
  id: string,
  pace: Pace,
  change: PageChange,
  prepare: Prepare = () => {},
  other: Other = {},
): Promise<void> {
  const job: Job = { source, draft, id, pace, change, prepare, other };
  if (other.append !== undefined) return append(job);
  const { file, tree } = source;
  const root = catalogRef(file);
  if (!tree.wellFormed || other.pages !== undefined) return rewriteFlat(job, root);
  const writer = new Writer(draft, { ...optionsFor(source, other), expected: objectsOf([source]) });
  const copier = new Copier(file, writer);
  copier.note = 0;
  withoutRights(copier);
  const catalog = copier.ref(root.num);
  const info = (other.info ?? copyInfo)(copier);
  for (const { num } of tree.pages) copier.assign(num, writer.allocate());
  await prepare(copier);
  for (const page of tree.pages) {
    const changed = change(page, copier);
    const ended = copier.now(page.num, changed instanceof Promise ? await changed : changed);
    if (ended !== undefined) await ended;
    if (pace.isOver()) await pace.yield();
  }
  await copier.drain(pace);
  await writer.finish(trailer(catalog, info, id));
}

/** Appends the changes as an update: objects keep their numbers, and only those that change are written. */
async function append({ source, draft, id, pace, change, prepare, other }: Job): Promise<void> {
  const { file, tree, revision } = source;
  const unfit = (why: string, kind?: 'damaged'): Failure =>
    new Failure('unprocessable', `${file.name} ${why}`, {
      ...(kind && { kind }),
      hint: say`Leave ${field('incremental')} out: the file is then written anew.`,
    });
  // Other readers must see the same file that the update builds on.
  if (source.scanned || file.repairs.size > 0) throw unfit('is damaged, so nothing can be appended to it', 'damaged');
  const { size } = file.xref;
  const update = await Update.begin(revision?.base ?? file, draft, pace, other.append?.random, size);
  const numbers = Int32Array.from({ length: size }, (_, num) => num);
  const copier = new Copier(file, update, numbers);
  const info = (other.info ?? copyInfo)(copier);
  await prepare(copier);
  const changed = new Map<number, NewEntries>();
  for (const page of tree.pages) {
    const entries = await change(page, copier);
    const before = changed.get(page.num);
    const isSame = before === undefined || JSON.stringify([...before]) === JSON.stringify([...entries]);
    if (!isSame || (page.num === 0 && entries.size > 0)) {
      throw unfit('has pages that are one object, so one cannot be changed alone');
    }
    changed.set(page.num, entries);
    if (pace.isOver()) await pace.yield();
  }
  const pages = [...changed].flatMap(([num, entries]) => (entries.size === 0 ? [] : [num]));
  for (const num of new Set([...(revision?.nums ?? []), ...copier.changes.keys(), ...pages])) {
    await copier.now(num, changed.get(num));
  }
  await update.close(id, info === DROPPED ? undefined : `${info} ${update.generation(info)} R`);
}

/** Writes the pages below a new root, with what they inherited: those of a damaged page tree, or with others added. */
async function rewriteFlat({ source, draft, id, pace, change, prepare, other }: Job, root: Ref): Promise<void> {
  const assembly = new Assembly(draft, optionsFor(source, other));
  const copier = new Copier(source.file, assembly.writer);
  withoutRights(copier);
  for (const num of source.tree.nodes) copier.assign(num, assembly.root);
  copier.assign(root.num, assembly.catalog);
  const info = (other.info ?? copyInfo)(copier);
  const numbers = assembly.reserve(source, copier);
  await prepare(copier);
  await assembly.pick(source.tree.pages, copier, numbers, pace, undefined, (page) => change(page, copier));
  const more = await other.pages?.(assembly);
  await assembly.writePages();
  await copier.now(root.num, new Map([['Pages', `${assembly.root} 0 R`], ...(more ?? UNCHANGED)]));
  await copier.drain(pace);
  await assembly.writer.finish(trailer(assembly.catalog, info, id));
}

/** Adobe Reader complains of usage rights that were granted for other bytes. */
function withoutRights(copier: Copier): void {
  for (const { num } of usageRights(copier.file)) copier.assign(num, DROPPED);
}

/** Revision 6 belongs to PDF 2.0; a file of 1.7 declares an extension in its catalog (extension-entry.ts). */
function optionsFor(source: Source, { encryption }: Other): WriterOptions {
  const options = writerOptions([source]);
  if (encryption === undefined) return options;
  return { version: options.version > '1.7' ? options.version : '1.7', objectStreams: true, encryption };
}

/** Declares that a file of PDF 1.7 uses revision 6 of encryption (ISO 32000-1, 7.12; extension level 8). */
export function extensionEntry(copier: Copier): void {
  const { file } = copier;
  const known = file.dict(file.dict(file.xref.trailer.get('Root'))?.get('Extensions'));
  const level = dictOf({ BaseVersion: new Name('1.7'), ExtensionLevel: 8 });
  const extensions = new Dict([...(known ?? []), ['ADBE', level]]);
  const text = serialize(extensions, ({ num }) => copier.reference(num));
  copier.planCatalog(new Map([['Extensions', text]]));
}
