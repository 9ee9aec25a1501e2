import type { ByteSource, Context } from '../../contract/base/ports.ts';
import { pagesOf } from '../../contract/base/wording.ts';
import { versionOf } from '../file/copy/assemble.ts';
import { confirmPages, repairWarnings, type Source, stepOf } from '../file/open.ts';
import { Pace } from '../file/read/pace.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import { onDisk } from '../file/read/random-access.ts';
import { askingOnce } from '../file/repair/asking.ts';
import { askedPages } from '../page/page-names.ts';
import { INFO_KEYS } from '../structure/metadata.ts';
import { Damage, unlessDamaged } from '../syntax/damage.ts';
import { textOf } from '../syntax/text-strings.ts';
import { joinInitials } from './content/initials.ts';
import { OwnPages } from './content/own-pages.ts';
import type { PageContent } from './content/page-content.ts';
import { actualWords } from './headings/actual-words.ts';
import { type ListedBookmark, listBookmarks } from './headings/bookmark-list.ts';
import { type DeclaredStructure, declaredStructure } from './headings/declared-structure.ts';
import { openText } from './pdfjs/parts.ts';
import { PdfjsPages } from './pdfjs/pdfjs-pages.ts';
import { taggedTables } from './tables/tagged-tables.ts';
import { isUnreadable, mendBullets, wordTexts } from './unreadable.ts';

interface DocumentText {
  readonly info: Readonly<Record<string, string | null>>;
  readonly pageCount: number;
  /** The language that the document says it is in (BCP 47). */
  readonly language: string | undefined;
  readonly warnings: readonly string[];
  /** Numbers of the pages read whose text layer is no text. */
  readonly unreadable: readonly number[];
  /** What the tags and bookmarks of the document declare. */
  readonly structure: () => DeclaredStructure;
  readonly bookmarks: () => readonly ListedBookmark[];
}

interface ReadOptions {
  /** Mark links, and tell what figures show. */
  readonly links?: boolean;
  /** Whether form fields, text boxes and stamps are read too; true if left out. */
  readonly annotations?: boolean;
  /** Pages to read, from 1, instead of all. Throws a usage Failure for one that there is not. */
  readonly pages?: readonly number[] | undefined;
}

/** Hands every page in order to `visit`. Our own reader reads it, or pdf.js what that leaves. */
export async function readDocument(
  source: ByteSource,
  given: Context,
  visit: (content: PageContent, number: number) => void,
  { links = false, annotations = true, pages }: ReadOptions = {},
): Promise<DocumentText> {
  const ctx = askingOnce(given);
  const opened = await openText(source, ctx);
  const { file, tree } = opened;
  // Fonts and parts of a page may lie far from it: of a manual of 6 MB, 250 MB were read.
  file.windows.holdMore();
  const total = tree.pages.length;
  const wanted = pages === undefined ? undefined : new Set(askedPages(file.name, total, pages));
  ctx.step?.(`${stepOf(opened)} ${source.name}, ${pagesOf(total)}`);
  const reader = new OwnPages(file, annotations);
  const theirs = new PdfjsPages(onDisk(source), opened, ctx);
  const pace = new Pace(ctx);
  const unreadable: number[] = [];
  const structure = declaredStructure(opened);
  try {
    for (const [index, page] of tree.pages.entries()) {
      ctx.signal.throwIfAborted();
      if (wanted?.has(index + 1) === false) continue;
      ctx.progress({ phase: 'read', done: index, total, unit: 'pages' });
      const read = reader.read(page);
      if (typeof read === 'string') ctx.detail(`page ${index + 1}: ${read}; left to pdf.js`);
      const drawn =
        typeof read === 'string' ? await theirs.page(index + 1, (drawing) => reader.addFields(page, drawing)) : read;
      const words = actualWords(drawn.words, (mark) => structure.actualOf(index, mark));
      const content = { ...drawn, words: joinInitials(words) };
      if (links) reader.markLinks(page, content);
      // Reading and laying out a page may each take a second.
      await pace.yield();
      mendBullets(content);
      if (isUnreadable(wordTexts(content))) unreadable.push(index + 1);
      const declared = taggedTables(content, index, structure, file);
      const figures = links ? reader.placed(page, content, structure.figuresOn(index)) : [];
      visit(declared.length + figures.length === 0 ? content : { ...content, declared, figures }, index + 1);
      await pace.yield();
    }
  } finally {
    await theirs.close();
  }
  const warnings = [...warningsOf(opened), ...(await confirmPages(opened, source, ctx))];
  ctx.progress({ phase: 'read', done: total, total, unit: 'pages' });
  return {
    info: documentInfo(file),
    pageCount: total,
    language: unlessDamaged(undefined, () => languageIn(file)),
    warnings,
    unreadable,
    structure: () => structure,
    bookmarks: () => listBookmarks(opened),
  };
}

/** The repairs. Damage found while they are listed becomes a warning: the text has been read by then. */
function warningsOf(opened: Source): string[] {
  try {
    return repairWarnings(opened);
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    return [`${opened.file.name} is damaged: ${error.message}`];
  }
}

/** /Lang of the catalog (14.9.2). */
function languageIn(file: PdfFile): string | undefined {
  const language = textOf(file.resolve(file.dict(file.xref.trailer.get('Root'))?.get('Lang')))?.trim();
  return language !== undefined && /^[a-z]{2,3}(-|$)/i.test(language) ? language : undefined;
}

const { created: creation_date, modified: modification_date, ...texts } = INFO_KEYS;
const FIELDS = { ...texts, creation_date, modification_date };

/** The document information dictionary; null for an entry that is missing. Dates as they are written in the file. */
function documentInfo(file: PdfFile): Record<string, string | null> {
  const entries = Object.entries(FIELDS).map(([name, key]) => {
    const text = unlessDamaged(null, () => textOf(file.resolve(file.dict(file.xref.trailer.get('Info'))?.get(key))));
    return [name, text === '' ? null : text];
  });
  return { ...Object.fromEntries(entries), pdf_version: versionOf(file) };
}
