import { versionOf } from '../../file/copy/assemble.ts';
import { permissionsIn } from '../../file/crypt/permissions.ts';
import { claimsOf, claimText } from '../../file/read/claims.ts';
import { numberAt } from '../../file/read/entries.ts';
import type { Page } from '../../file/read/page-tree.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import type { Source } from '../../file/read/source.ts';
import { pushAll } from '../../syntax/arrays.ts';
import { textOf } from '../../syntax/text-strings.ts';
import { Ref, type Value } from '../../syntax/values.ts';
import { checkCount, type Input, inputOf, listOf, readOrLeave } from '../input.ts';
import { readLayers } from '../layers.ts';
import { readNames } from '../name-trees.ts';
import { isLinearized, revisions } from './origin.ts';
import { fontsOn, reach } from './reach.ts';
import { pageSizes } from './sizes.ts';

/** The `details` of the info record; keys are words of ours, not the service's. */
/** `pages`: those whose sizes and fonts are told, instead of all. */
export function factsOf(source: Source, pages?: readonly Page[]): Record<string, unknown> {
  const { file, tree } = source;
  // Nothing is repaired for the sake of a detail: what cannot be read is left out.
  const input = inputOf({ ...source, scanned: true });
  const found = reach(file);
  const used = pages === undefined ? found.fonts : fontsOn(file, tree, new Set(pages));
  const fonts = (embedded: boolean): string[] => {
    return [...new Set(used.filter((font) => font.embedded === embedded).map(({ name }) => name))].sort();
  };
  const attachments = [
    ...readOrLeave(input, 'attachments', [], () => attachmentsOf(input)),
    ...found.attached.map((value) => fileName(file, value) ?? 'unnamed'),
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
    signatures: found.signatures,
    form_fields: form?.fields ?? 0,
    xfa: form?.xfa ?? false,
    attachments,
    javascript: found.javascript,
    starts_programs: found.launch,
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
    unreadable: [...input.lost, ...(found.unreadable > 0 ? [`${found.unreadable} objects`] : [])],
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

/** The name in a file specification (7.11.3). */
function fileName(file: PdfFile, value: Value): string | undefined {
  const dict = file.dict(value);
  return textOf(file.resolve(dict?.get('UF') ?? dict?.get('F'))) ?? undefined;
}

/** Fields that can be filled in, and whether there is a form of the other kind. */
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
    // Kids with a name are fields of their own; those without are this field's places on pages.
    const below = listOf(file, dict.get('Kids')).filter((kid) => file.dict(kid)?.has('T') === true);
    if (below.length === 0) fields += 1;
    pushAll(todo, below);
  }
  return { fields, xfa: form.has('XFA') };
}
