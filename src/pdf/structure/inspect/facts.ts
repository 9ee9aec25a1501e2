import { versionOf } from '../../file/copy/assemble.ts';
import { permissionsIn } from '../../file/crypt/permissions.ts';
import { claimsOf, claimText } from '../../file/read/claims.ts';
import { listOf, nameAt, numberAt } from '../../file/read/entries.ts';
import { wholeDictOfPage } from '../../file/read/page-dict.ts';
import type { Page, PageTree } from '../../file/read/page-tree.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import { signedFields } from '../../file/read/signature.ts';
import type { Source } from '../../file/read/source.ts';
import { rangesText } from '../../page/page-names.ts';
import { mediaBox, viewOf } from '../../page/view.ts';
import { listAt, pushAll } from '../../syntax/arrays.ts';
import { findWord, HASH, latin1, padded } from '../../syntax/characters.ts';
import { Damage, unlessDamaged } from '../../syntax/damage.ts';
import { decodeName } from '../../syntax/parser.ts';
import { KEYS, NAMES, type Scan, scanValue } from '../../syntax/scan.ts';
import { textOf } from '../../syntax/text-strings.ts';
import { Dict, Ref, type Value } from '../../syntax/values.ts';
import { WATCHED } from '../../syntax/watched-names.ts';
import { checkCount, type Input, inputOf, readOrLeave } from '../input.ts';
import { readLayers } from '../layers.ts';
import { readNames } from '../name-trees.ts';

/** The `details` of the info record. `pages`: report sizes and fonts of these only. */
export function factsOf(source: Source, pages?: readonly Page[]): Record<string, unknown> {
  const { file, tree } = source;
  // Nothing is repaired for a detail: what cannot be read is left out.
  const input = inputOf({ ...source, scanned: true });
  const reached = reach(file);
  const used = pages === undefined ? reached.fonts : fontsOn(file, tree, new Set(pages));
  const fonts = (embedded: boolean): string[] => {
    return [...new Set(used.filter((font) => font.embedded === embedded).map(({ name }) => name))].sort();
  };
  const attachments = [
    ...readOrLeave(input, 'attachments', [], () => attachmentsOf(input)),
    ...reached.attached.map((value) => fileName(file, value) ?? 'unnamed'),
  ];
  const layers = readOrLeave(input, 'layers', undefined, () => readLayers(file, input.catalog));
  const hidden = new Set(layers?.hidden.map(({ num }) => num));
  const names = (refs: readonly Ref[]): string[] =>
    refs.map((ref) => textOf(file.resolve(file.dict(ref)?.get('Name'))) ?? 'unnamed');
  const form = readOrLeave(input, 'form fields', undefined, () => formOf(input));
  const marks = readOrLeave(input, 'tags', undefined, () => file.dict(input.catalog.get('MarkInfo')));
  return {
    version: versionOf(file),
    bytes: file.size,
    page_sizes: pageSizes(file, pages ?? tree.pages),
    encrypted: file.decryption !== undefined,
    ...permissionsOf(file),
    signatures: readOrLeave(input, 'signatures', 0, () => signedFields(file).length),
    form_fields: form?.fields ?? 0,
    xfa: form?.xfa ?? false,
    attachments,
    javascript: reached.javascript,
    starts_programs: reached.launch,
    layers: readOrLeave(input, 'layers', [], () => names(layers?.groups ?? [])),
    hidden_layers: readOrLeave(input, 'layers', [], () =>
      names((layers?.groups ?? []).filter(({ num }) => hidden.has(num))),
    ),
    claims: claimsOf(file).map(claimText),
    tagged: file.resolve(marks?.get('Marked')) === true && input.catalog.has('StructTreeRoot'),
    fonts_embedded: fonts(true),
    fonts_not_embedded: fonts(false),
    linearized: isLinearized(file),
    revisions: revisions(file),
    repaired: [...file.repairs],
    unreadable: [...input.lost, ...(reached.unreadable > 0 ? [`${reached.unreadable} objects`] : [])],
  };
}

function permissionsOf(file: PdfFile): { permissions?: { allowed: string[]; refused: string[] } } {
  const flags = numberAt(file, file.dict(file.xref.trailer.get('Encrypt')), 'P');
  return file.decryption === undefined || flags === undefined ? {} : { permissions: permissionsIn(flags) };
}

function attachmentsOf({ file, catalog }: Input): string[] {
  const tree = file.dict(catalog.get('Names'))?.get('EmbeddedFiles');
  return [...readNames(file, tree, 'attachments')].map(([name, value]) => fileName(file, value) ?? name);
}

function fileName(file: PdfFile, value: Value): string | undefined {
  const dict = file.dict(value);
  return textOf(file.resolve(dict?.get('UF') ?? dict?.get('F'))) ?? undefined;
}

/** Fields that can be filled in, and whether there is an XFA form. */
function formOf({ file, catalog }: Input): { fields: number; xfa: boolean } | undefined {
  const form = file.dict(catalog.get('AcroForm'));
  if (form === undefined) return undefined;
  const seen = new Set<number>();
  const todo = [...listOf(file, form.get('Fields'))];
  let fields = 0;
  for (let item = todo.pop(); item !== undefined; item = todo.pop()) {
    if (item instanceof Ref) {
      if (seen.has(item.num)) continue;
      seen.add(item.num);
      checkCount(file, seen.size, 'form fields');
    }
    const dict = file.dict(item);
    if (dict === undefined) continue;
    // Kids with a name are fields of their own; those without are widgets of this field.
    const below = listOf(file, dict.get('Kids')).filter((kid) => file.dict(kid)?.has('T') === true);
    if (below.length === 0) fields += 1;
    pushAll(todo, below);
  }
  return { fields, xfa: form.has('XFA') };
}

const STEP = 64 * 1024;
/** A linearization dictionary stands within this many bytes (ISO 32000-1, F.3.3). */
const HEAD = 1024;
const MARK = 64;

function isLinearized(file: PdfFile): boolean {
  const bytes = file.windows.slice(0, HEAD);
  const head = latin1(bytes, 0, bytes.length);
  // A file that was appended to still has the dictionary, with its former length.
  const whole = Number(/\/L\s+(\d+)/.exec(head)?.[1]);
  return /\/Linearized\b/.test(head) && whole === file.size;
}

/** The number of revisions, each of which ends with `%%EOF`. */
export function revisions(file: PdfFile): number {
  let count = 0;
  for (let from = 0; from < file.size; from += STEP) {
    const { bytes, start } = file.windows.view(from, STEP + MARK);
    const { length } = bytes;
    const end = Math.min(length, start + STEP);
    for (let pos = findWord(bytes, 'startxref', start, length); pos >= 0 && pos < end; ) {
      const ending = /^startxref\s+(\d+)\s+%%EOF/.exec(latin1(bytes, pos, Math.min(length, pos + MARK)));
      // The first part of a linearized file has `startxref 0`.
      if (ending !== null && Number(ending[1]) > 0) count += 1;
      pos = findWord(bytes, 'startxref', pos + 9, length);
    }
  }
  return Math.max(1, count);
}

/** Page numbers by size, such as `612 x 792 pt` and `1-3, 5`, in order of appearance. */
function pageSizes(file: PdfFile, pages: readonly Page[]): Record<string, string> {
  const bySize = new Map<string, number[]>();
  for (const [i, page] of pages.entries()) listAt(bySize, sizeOf(file, page)).push(i + 1);
  return Object.fromEntries([...bySize].map(([size, numbers]) => [size, rangesText(numbers)]));
}

function sizeOf(file: PdfFile, page: Page): string {
  return unlessDamaged('unknown', () => {
    const dict = wholeDictOfPage(file, page);
    if (mediaBox(file, dict) === undefined) return 'unknown';
    const { width, height } = viewOf(file, dict, page.rotate);
    return `${[width, height].map((side) => Math.round(side * 100) / 100).join(' x ')} pt`;
  });
}

// Finds facts that only the objects tell: scripts and fonts. Each object is visited once.

interface Reached {
  javascript: boolean;
  launch: boolean;
  readonly fonts: FontUse[];
  /** File specifications of annotations that carry a file. */
  readonly attached: Value[];
  unreadable: number;
}

/** Visits every object the trailer leads to, in waves in the order of the file. Damaged ones are counted. */
function reach(file: PdfFile): Reached {
  const trailer = [...file.xref.trailer.values()].filter((value) => value instanceof Ref).map(({ num }) => num);
  return reachFrom(file, trailer, new Uint8Array(file.xref.size));
}

/** The fonts that some pages lead to, other than through other pages. */
function fontsOn(file: PdfFile, { pages, nodes }: PageTree, wanted: ReadonlySet<Page>): readonly FontUse[] {
  const seen = new Uint8Array(file.xref.size);
  for (const num of nodes) seen[num] = 1;
  const from: number[] = [];
  for (const page of pages) {
    if (!wanted.has(page)) seen[page.num] = 1;
    else {
      const values = [page.direct, ...Object.values(page.inherited)].filter((bytes) => bytes !== undefined);
      from.push(page.num, ...values.flatMap((bytes) => [...(scanValue(padded(bytes), 0)?.references() ?? [])]));
    }
  }
  return reachFrom(file, from, seen).fonts;
}

function reachFrom(file: PdfFile, from: readonly number[], seen: Uint8Array): Reached {
  const reached: Reached = { javascript: false, launch: false, fonts: [], attached: [], unreadable: 0 };
  let todo = [...from];
  while (todo.length > 0) {
    const wave = todo.sort((a, b) => a - b);
    todo = [];
    for (const num of wave) {
      if (num >= seen.length || seen[num] === 1) continue;
      seen[num] = 1;
      try {
        const object = file.scanObject(num, KEYS | NAMES);
        if (object === undefined) continue;
        for (const ref of object.references()) if (seen[ref] === 0) todo.push(ref);
        look(file, object, reached);
      } catch (error) {
        if (!(error instanceof Damage)) throw error;
        reached.unreadable += 1;
      }
    }
  }
  return reached;
}

function look(file: PdfFile, object: Scan, reached: Reached): void {
  const { bytes, start, end, num } = object;
  let { names } = object;
  // A name may be written with #xx; writers do so only to hide it.
  if (bytes.subarray(start, end).includes(HASH)) names |= hidden(decodeName(latin1(bytes, start, end)));
  if ((names & WATCHED.JavaScript) !== 0) reached.javascript = true;
  if ((names & WATCHED.Launch) !== 0) reached.launch = true;
  const attaches = object.valueOf('FS') !== undefined && findWord(bytes, 'FileAttachment', start, end) >= 0;
  const interesting = attaches || object.valueOf('BaseFont') !== undefined || object.valueOf('CharProcs') !== undefined;
  if (!interesting) return;
  const dict = file.object(num);
  if (!(dict instanceof Dict)) return;
  const attached = dict.get('FS');
  if (attached !== undefined) reached.attached.push(attached);
  const use = fontUse(file, dict);
  if (use !== undefined) reached.fonts.push(use);
}

function hidden(text: string): number {
  return (text.includes('/JavaScript') ? WATCHED.JavaScript : 0) | (text.includes('/Launch') ? WATCHED.Launch : 0);
}

interface FontUse {
  /** Without the six letters that mark a subset. */
  readonly name: string;
  readonly embedded: boolean;
}

/** The name of a font and how it is embedded; undefined for other dictionaries and descendant fonts. */
function fontUse(file: PdfFile, dict: Dict): FontUse | undefined {
  const subtype = nameAt(file, dict, 'Subtype');
  const name = nameAt(file, dict, 'BaseFont');
  if (subtype === 'Type3') return { name: nameAt(file, dict, 'Name') ?? 'Type 3', embedded: true };
  if (subtype === undefined || subtype.startsWith('CIDFont') || name === undefined) return undefined;
  const inner = subtype === 'Type0' ? file.dict(listOf(file, dict.get('DescendantFonts'))[0]) : dict;
  const descriptor = file.dict(inner?.get('FontDescriptor'));
  const embedded = ['FontFile', 'FontFile2', 'FontFile3'].some((key) => file.dict(descriptor?.get(key)) !== undefined);
  return { name: name.replace(/^[A-Z]{6}\+/, ''), embedded };
}
