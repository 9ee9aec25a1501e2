// What signatures allow afterwards: DocMDP of a certification, FieldMDP of any signature (ISO 32000-2, 12.8.2).
import { catalogOf, listOf } from '../file/read/entries.ts';
import { inherited, signatureFields } from '../file/read/form-fields.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import { textOf } from '../syntax/text-strings.ts';
import { Dict } from '../syntax/values.ts';
import { type Change, type ChangeKind, changesBetween, KINDS } from './changes.ts';

export type Permission = 1 | 2 | 3;

export const CERTIFIES = { 1: 'no-changes', 2: 'form-filling', 3: 'annotations' } as const;
/** The gravest kind of change for each permission. Without one, filling and signing forms is allowed, and no more. */
const ALLOWED: Readonly<Record<Permission, ChangeKind>> = { 1: 'validation', 2: 'form', 3: 'annotations' };

/** What the certification of a document allows; undefined where it has none. */
export function certificationOf(file: PdfFile): Permission | undefined {
  return permissionOf(file, new Dict());
}

/** The permission in force after this signature: its own or the certification's, whichever is stricter. */
export function permissionOf(file: PdfFile, dict: Dict): Permission | undefined {
  const certification = file.dict(file.dict(catalogOf(file).get('Perms'))?.get('DocMDP'));
  const all = [ownPermission(file, dict), ownPermission(file, certification)];
  return ([1, 2, 3] as const).find((permission) => all.includes(permission));
}

export function ownPermission(file: PdfFile, dict: Dict | undefined): Permission | undefined {
  const params = transform(file, dict, 'DocMDP');
  if (params === undefined) return undefined;
  const p = file.resolve(params.get('P'));
  return p === 1 || p === 3 ? p : 2;
}

/** Whether a change is allowed after the signature of this dictionary. */
export function allows(file: PdfFile, dict: Dict, permission: Permission | undefined, change: Change): boolean {
  return KINDS.indexOf(change.kind) <= KINDS.indexOf(ALLOWED[permission ?? 2]) && !isLocked(file, dict, change);
}

function isLocked(file: PdfFile, dict: Dict, { field }: Change): boolean {
  const lock = field === undefined ? undefined : transform(file, dict, 'FieldMDP');
  if (field === undefined || lock === undefined) return false;
  const names = listOf(file, lock.get('Fields')).flatMap((name) => textOf(file.resolve(name)) ?? []);
  const named = names.some((name) => field === name || field.startsWith(`${name}.`));
  const action = lock.name('Action');
  return action === 'Include' ? named : action === 'Exclude' ? !named : true;
}

/** The signatures' view of an update. */
export interface UpdateVerdict {
  /** All changes, in words; empty where the document is not signed. */
  readonly changes: readonly string[];
  /** Changes that no signature should be followed by, although none forbids them. */
  readonly unwelcome: readonly string[];
  /** Changes that a certification or a lock forbids, and which. */
  readonly forbidden: readonly { readonly what: string; readonly by: string }[];
}

/** Judges an update as `verify` would later. */
export function judgeUpdate(before: PdfFile, after: PdfFile): UpdateVerdict {
  const signatures = signatureFields(before).flatMap(({ dict }) => before.dict(inherited(before, dict, 'V')) ?? []);
  const changes = signatures.length === 0 ? [] : changesBetween(before, after);
  const permission = certificationOf(before);
  const forbidden = changes.flatMap((change) => {
    const { what } = change;
    if (permission !== undefined && !allows(before, new Dict(), permission, change))
      return [{ what, by: `its certification, which allows ${CERTIFIES[permission]}` }];
    if (signatures.some((dict) => isLocked(before, dict, change))) return [{ what, by: 'a signature, which locks it' }];
    return [];
  });
  const unwelcome = changes.filter((change) => !allows(before, new Dict(), permission, change));
  return { changes: changes.map(({ what }) => what), unwelcome: unwelcome.map(({ what }) => what), forbidden };
}

/** The parameters of a signature reference with this method. */
function transform(file: PdfFile, dict: Dict | undefined, method: string): Dict | undefined {
  for (const item of listOf(file, dict?.get('Reference'))) {
    const reference = file.dict(item);
    if (reference?.name('TransformMethod') === method) return file.dict(reference.get('TransformParams')) ?? new Dict();
  }
  return undefined;
}
