import type { PdfFile } from '../../file/read/pdf-file.ts';
import type { Source } from '../../file/read/source.ts';
import type { BuiltPages } from '../output/build-document.ts';
import { plainCopy, type Tools } from '../output/plain-copy.ts';
import type { PageProbe } from '../probe/page-probe.ts';
import type { Match, SearchQuery } from '../words/detectors.ts';
import { type Difference, PageSearch, type Place, termHits } from './page-search.ts';
import { hasLetters, ownReadings, pdfjsReading, type Reader, type Reading, SOME } from './readings.ts';

/** All readers of a document: ours, PDFium and pdf.js, of the document as displayed and of the file itself. */
export interface Readers {
  readonly plain: BuiltPages;
  readonly probe: PageProbe;
  /** Readings of a page, from 0, as it is displayed: annotations drawn on it, hidden layers gone. */
  displayed(page: number): Promise<readonly Reading[]>;
  /** What PDFium and pdf.js read of the page in the file itself. */
  stored(page: number): Promise<readonly Reading[]>;
  /** Why other readers read only the copy and not the file itself. */
  readonly notStored: string | undefined;
  close(): void;
}

/** Larger files are given to other readers only as the flattened copy. */
const MOST_SIZE = 256 << 20;

export async function openReaders(source: Source, tools: Tools): Promise<Readers> {
  const { bytes, ...plain } = await plainCopy(source, tools);
  const probe = await tools.openProbe(bytes);
  let stored: Opened | undefined;
  let notStored: string | undefined;
  try {
    const texts = await probe.texts();
    try {
      stored = await openStored(source, tools);
    } catch (error) {
      if (error instanceof Error && error.name === 'AbortError') throw error;
      notStored = error instanceof NotStored ? error.message : 'other readers cannot open it';
    }
    return {
      plain,
      probe,
      notStored,
      async displayed(page) {
        const letters = plain.findings[page]?.letters ?? [];
        const ours = plain.failed.has(page) ? [] : ownReadings(letters);
        const pdfium: Reading = { reader: 'PDFium', characters: await probe.characters(page) };
        return [pdfium, ...ours, pdfjsReading(texts[page] ?? [])];
      },
      async stored(page) {
        if (stored === undefined) return [];
        const pdfium: Reading = { reader: 'PDFium', characters: await stored.probe.characters(page) };
        return [pdfium, pdfjsReading(stored.texts[page] ?? [])];
      },
      close() {
        stored?.probe.close();
        probe.close();
      },
    };
  } catch (error) {
    probe.close();
    throw error;
  }
}

class NotStored extends Error {}

interface Opened {
  readonly probe: PageProbe;
  readonly texts: Awaited<ReturnType<PageProbe['texts']>>;
}

async function openStored({ file, tree }: Source, { openProbe }: Tools): Promise<Opened> {
  if (file.decryption !== undefined) throw new NotStored('it is encrypted');
  if (file.size > MOST_SIZE) throw new NotStored('it is larger than 256 MiB');
  const probe = await openProbe(bytesOf(file));
  try {
    const texts = await probe.texts();
    if (texts.length !== tree.pages.length || probe.pages !== tree.pages.length)
      throw new NotStored('others find another number of pages in it');
    return { probe, texts };
  } catch (error) {
    probe.close();
    throw error;
  }
}

function bytesOf({ size, windows }: PdfFile): Uint8Array {
  const bytes = new Uint8Array(size);
  windows.read(bytes, 0);
  return bytes;
}

/** What all readers find on a page. */
export interface PageHits {
  /** Places on the page as it is displayed. */
  readonly shown: readonly Place[];
  /** Places in the file itself alone: hidden, or off the page. */
  readonly stored: readonly Place[];
  /** Occurrences in patterns, which have no place, by term. */
  readonly inPatterns: readonly number[];
  readonly differences: readonly Difference[];
  /** A reader sees no text at all where others see some. */
  readonly isBlind: boolean;
  readonly hasText: boolean;
}

/** `pictures`: words that OCR read on the page. */
export async function searchPage(
  readers: Readers,
  page: number,
  wanted: SearchQuery,
  match: Match,
  pictures?: Reading,
): Promise<PageHits> {
  const letters = readers.plain.findings[page]?.letters ?? [];
  const search = new PageSearch(wanted, match, letters);
  const displayed = await readers.displayed(page);
  for (const reading of displayed) search.add(reading);
  const differences: Difference[] = [];
  // A page that our own reader cannot parse is not clean, whatever others read there.
  const blind: Reader[] = [...(readers.plain.failed.has(page) ? ['pdftool' as const] : []), ...blindReaders(displayed)];
  for (const reader of new Set([...blind, ...displayed.map(({ reader }) => reader)])) {
    const missed = search.missedBy(reader);
    if (blind.includes(reader))
      differences.push({ page: page + 1, reader, what: 'reads no text where others do', count: 1 });
    else if (missed > 0)
      differences.push({ page: page + 1, reader, what: 'misses words that others find', count: missed });
  }
  const disguised = letters.filter(({ drawn }) => drawn !== undefined).length;
  const what = 'sees other letters than the text says';
  if (disguised > 0) differences.push({ page: page + 1, reader: 'pdftool', what, count: disguised });
  // OCR is unreliable: what it misses is no difference between readers.
  if (pictures !== undefined) search.add(pictures);
  const shown = search.places.slice();
  const stored: Place[] = [];
  for (const reading of await readers.stored(page)) stored.push(...search.add(reading));
  const cells = ownReadings(readers.plain.findings[page]?.inPatterns ?? [])[0]?.characters ?? [];
  const inPatterns = wanted.terms.map(() => 0);
  for (const { term } of termHits(wanted.terms, cells)) inPatterns[term] = (inPatterns[term] ?? 0) + 1;
  return {
    shown,
    stored,
    inPatterns,
    differences,
    isBlind: blind.length > 0,
    hasText: displayed.some(({ characters }) => hasLetters(characters)),
  };
}

function blindReaders(readings: readonly Reading[]): Reader[] {
  if (!readings.some(({ characters }) => hasLetters(characters, SOME))) return [];
  const seeing = new Set(readings.filter(({ characters }) => hasLetters(characters)).map(({ reader }) => reader));
  return [...new Set(readings.map(({ reader }) => reader))].filter((reader) => !seeing.has(reader));
}
