// Signatures, timestamps and what vouches for them, appended to a file (ISO 32000-2, 12.8; ETSI EN 319 142-1). The update
// is made in memory while the file is hashed in blocks; then /ByteRange and /Contents are filled in and all is written.
import { createHash } from 'node:crypto';
import { Failure } from '../../contract/base/failure.ts';
import type { Draft } from '../../contract/base/ports.ts';
import { field, say } from '../../contract/base/wording.ts';
import type { RandomBytes } from '../file/crypt/encryption.ts';
import { catalogRef, listOf } from '../file/read/entries.ts';
import { inherited, type SignatureField, signatureFields } from '../file/read/form-fields.ts';
import type { Pace } from '../file/read/pace.ts';
import { readPages } from '../file/read/page-tree.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import { copyFile, Update } from '../file/write/update.ts';
import { Damage } from '../syntax/damage.ts';
import { pdfDate } from '../syntax/dates.ts';
import { encodeText } from '../syntax/text-strings.ts';
import { Dict, dictOf, Name, PdfString, Ref, type Value } from '../syntax/values.ts';
import type { SigningDigest } from './message.ts';
import type { Vouchers } from './online.ts';
import { certificationOf } from './permissions.ts';

export interface SignatureAppearance {
  readonly page: number;
  readonly rect: readonly [number, number, number, number];
  /** Writes the form and what it needs, and returns its number. */
  write(update: Update): Promise<number>;
}

export interface SignatureRequest {
  readonly kind: 'signature' | 'timestamp';
  /** The name of its field; left out, the first free one. */
  readonly field?: string | undefined;
  readonly name?: string;
  readonly reason?: string | undefined;
  readonly location?: string | undefined;
  readonly contact?: string | undefined;
  /** ISO 8601; only for a signature. */
  readonly time?: string;
  readonly certify?: 1 | 2 | 3 | undefined;
  readonly appearance?: SignatureAppearance | undefined;
  readonly digest: SigningDigest;
  /** Bytes reserved for the message. */
  readonly room: number;
}

export interface RevisionMeans {
  readonly draft: Draft;
  readonly pace: Pace;
  readonly random: RandomBytes;
  /** For /ID, in hexadecimal. */
  readonly id: string;
}

/** Appends a signature or timestamp; `contents` makes the message from the document's digest. Returns the field's name. */
export async function appendSignature(
  file: PdfFile,
  request: SignatureRequest,
  contents: (digest: Uint8Array) => Promise<Uint8Array>,
  means: RevisionMeans,
): Promise<string> {
  const target = fieldFor(file, request);
  const hash = createHash(request.digest);
  const tail: Buffer[] = [];
  let size = 0;
  const sink = {
    write(bytes: Uint8Array) {
      if (size < file.size) hash.update(bytes);
      else tail.push(Buffer.from(bytes));
      size += bytes.length;
    },
  };
  const update = await Update.begin(file, sink, means.pace, means.random);
  const num = update.allocate();
  const start = update.position - file.size;
  await update.raw(num, signatureText(update, num, request, target));
  await placeField(file, update, request, target, num);
  await update.close(means.id);

  const added = Buffer.concat(tail);
  const hole = added.indexOf('/Contents <', start) + '/Contents '.length;
  const behind = hole + 2 * request.room + 2;
  const range = [0, file.size + hole, file.size + behind, added.length - behind].join(' ');
  added.write(range.padEnd(RANGE.length), added.indexOf(RANGE, start), 'latin1');
  hash.update(added.subarray(0, hole)).update(added.subarray(behind));
  const message = await contents(hash.digest());
  if (message.length > request.room) {
    const sizes = `${message.length} bytes, and ${request.room} were set aside`;
    throw new Failure('unprocessable', `the signature takes ${sizes}`);
  }
  added.write(Buffer.from(message).toString('hex'), hole + 1, 'latin1');
  await copyFile(file, means.draft, means.pace);
  means.draft.write(added);
  return target.name;
}

/** A placeholder for /ByteRange until its numbers are known. */
const RANGE = '0 '.padEnd(48, '*');

function signatureText(update: Update, num: number, request: SignatureRequest, { field: existing }: Target): string {
  const isStamp = request.kind === 'timestamp';
  const text = (key: string, value: string | undefined): string =>
    value === undefined ? '' : `/${key} ${update.valueText(num, new PdfString(encodeText(value)))}`;
  const date =
    request.time === undefined ? '' : `/M ${update.valueText(num, new PdfString(Buffer.from(pdfDate(request.time))))}`;
  const words = [text('Name', request.name), text('Reason', request.reason), text('Location', request.location)];
  const references = [
    ...(request.certify === undefined ? [] : [transform('DocMDP', `/P ${request.certify}/V/1.2`)]),
    ...lockOf(update, num, existing),
  ];
  const reference = references.length === 0 ? '' : `/Reference[${references.join('')}]`;
  const kind = isStamp ? '/Type/DocTimeStamp' : '/Type/Sig';
  const format = isStamp ? 'ETSI.RFC3161' : 'ETSI.CAdES.detached';
  const hole = `/ByteRange [${RANGE}]/Contents <${'0'.repeat(2 * request.room)}>`;
  return `<<${kind}/Filter/Adobe.PPKLite/SubFilter/${format}${hole}${words.join('')}${text('ContactInfo', request.contact)}${date}${reference}>>`;
}

function transform(method: string, parameters: string): string {
  return `<</Type/SigRef/TransformMethod/${method}/DigestMethod/SHA256/TransformParams<</Type/TransformParams${parameters}>>>>`;
}

/** The fields that signing this one locks, by its /Lock. */
function lockOf(update: Update, num: number, existing: SignatureField | undefined): string[] {
  const lock = existing?.dict.get('Lock');
  if (existing === undefined || !(lock instanceof Dict) || lock.name('Action') === undefined) return [];
  const fields = lock.get('Fields');
  const named = fields === undefined ? '' : `/Fields ${update.valueText(num, fields)}`;
  return [transform('FieldMDP', `/V/1.2/Action/${lock.name('Action')}${named}`)];
}

interface Target {
  readonly name: string;
  /** The unsigned field that exists already. */
  readonly field: SignatureField | undefined;
}

/** The field to sign. Refuses what would invalidate another signature, or be invalid itself. */
function fieldFor(file: PdfFile, { kind, field: wanted, certify }: SignatureRequest): Target {
  const fields = signatureFields(file);
  const isSigned = ({ dict }: SignatureField): boolean => file.dict(inherited(file, dict, 'V')) !== undefined;
  const signed = fields.filter(isSigned);
  if (certify !== undefined && signed.length > 0) {
    const message = `${file.name} is signed already, and a certification must be its first signature`;
    throw new Failure('unprocessable', message, { hint: say`Leave ${field('certify')} out.` });
  }
  if (kind === 'signature' && certificationOf(file) === 1) {
    throw new Failure('unprocessable', `${file.name} is certified against all changes, another signature among them`, {
      hint: 'A timestamp may be added.',
    });
  }
  const existing = fields.find(({ name }) => name === wanted);
  if (existing !== undefined && isSigned(existing)) {
    throw new Failure('unprocessable', `the field ${wanted} of ${file.name} is signed already`, {
      hint: say`Name another ${field('field')}, or leave it out.`,
    });
  }
  if (existing?.num !== undefined)
    return { name: existing.name, field: { ...existing, dict: withLock(file, existing.dict) } };
  if (existing !== undefined) throw new Damage('a field is no object of its own');
  const names = new Set(fields.map(({ name }) => name));
  const stem = kind === 'timestamp' ? 'Timestamp' : 'Signature';
  let count = 1;
  while (names.has(`${stem}${count}`)) count++;
  if (wanted?.includes('.') === true) {
    throw new Failure('usage', say`${field('field')}: the name of a new field has no full stop, found '${wanted}'`);
  }
  return { name: wanted ?? `${stem}${count}`, field: undefined };
}

function withLock(file: PdfFile, dict: Dict): Dict {
  const lock = file.dict(dict.get('Lock'));
  if (lock === undefined) return dict;
  const fields = file.resolve(lock.get('Fields'));
  const entries: [string, Value][] = Array.isArray(fields) ? [['Fields', fields.map((one) => file.resolve(one))]] : [];
  return new Dict([...dict, ['Lock', new Dict([...lock, ...entries])]]);
}

/** Flags of a widget (ISO 32000-2, 12.5.3). */
const [PRINT, LOCKED] = [4, 128];

/** Writes the field with its widget, adds it to the page and the form, and updates the catalog. */
async function placeField(
  file: PdfFile,
  update: Update,
  request: SignatureRequest,
  target: Target,
  num: number,
): Promise<void> {
  const { appearance } = request;
  const form = appearance === undefined ? undefined : await appearance.write(update);
  const value: [string, Value] = ['V', new Ref(num, 0)];
  const look: [string, Value][] = form === undefined ? [] : [['AP', new Dict([['N', new Ref(form, 0)]])]];
  const root = catalogRef(file);
  const catalog = new Dict(file.dict(root) ?? []);
  if (target.field?.num !== undefined) {
    const before = file.dict(new Ref(target.field.num, 0)) ?? new Dict();
    const rect: [string, Value][] =
      appearance === undefined || isVisible(file, before) ? [] : [['Rect', [...appearance.rect]]];
    update.value(target.field.num, new Dict([...before, ...look, ...rect, value]));
    changeForm(file, update, catalog, undefined);
  } else {
    const page = readPages(file).pages[(appearance?.page ?? 1) - 1];
    if (page === undefined || page.num === 0)
      throw new Failure('usage', `${file.name} has no page ${appearance?.page ?? 1}`);
    const widget = update.allocate();
    const kind = { Type: new Name('Annot'), Subtype: new Name('Widget'), FT: new Name('Sig') };
    const place = { F: PRINT | LOCKED, Rect: [...(appearance?.rect ?? [0, 0, 0, 0])], P: new Ref(page.num, 0) };
    const fresh = dictOf({ ...kind, T: new PdfString(encodeText(target.name)), ...place });
    update.value(widget, new Dict([...fresh, ...look, value]));
    const dict = new Dict(file.dict(new Ref(page.num, 0)) ?? []);
    if (append(file, update, dict, 'Annots', widget)) update.value(page.num, dict);
    changeForm(file, update, catalog, widget);
  }
  if (request.certify !== undefined) {
    const rights = file.dict(catalog.get('Perms')) ?? [];
    catalog.set('Perms', new Dict([...rights, ['DocMDP', new Ref(num, 0)]]));
  }
  update.value(root.num, catalog);
}

function isVisible(file: PdfFile, widget: Dict): boolean {
  const [x0, y0, x1, y1] = listOf(file, widget.get('Rect')).map((side) => Number(file.resolve(side)));
  return x0 !== x1 && y0 !== y1;
}

/** Adds a field to the catalog's form, and sets /SigFlags. */
function changeForm(file: PdfFile, update: Update, catalog: Dict, widget: number | undefined): void {
  const reference = catalog.get('AcroForm');
  const form = new Dict(file.dict(reference) ?? []);
  form.set('SigFlags', 3);
  if (widget !== undefined) append(file, update, form, 'Fields', widget);
  if (reference instanceof Ref) update.value(reference.num, form);
  else catalog.set('AcroForm', form);
}

/** Appends a reference to a list of a dictionary. Returns whether the dictionary changed, not a list of its own. */
function append(file: PdfFile, update: Update, dict: Dict, key: string, added: number): boolean {
  const list = dict.get(key);
  const items = file.resolve(list);
  const all = [...(Array.isArray(items) ? items : []), new Ref(added, 0)];
  if (list instanceof Ref && Array.isArray(items)) {
    update.value(list.num, all);
    return false;
  }
  dict.set(key, all);
  return true;
}

/** Appends certificates and revocation data for signatures (/DSS), beside existing ones. */
export async function appendVouchers(file: PdfFile, vouchers: Vouchers, means: RevisionMeans): Promise<void> {
  const update = await Update.begin(file, means.draft, means.pace, means.random);
  const root = catalogRef(file);
  const catalog = new Dict(file.dict(root) ?? []);
  const store = new Dict(file.dict(catalog.get('DSS')) ?? [['Type', new Name('DSS')]]);
  const { certificates: Certs, crls: CRLs, ocsps: OCSPs } = vouchers;
  for (const [key, added] of Object.entries({ Certs, CRLs, OCSPs })) {
    if (added.length === 0) continue;
    const refs = added.map((bytes) => {
      const num = update.allocate();
      update.stream(num, '', [bytes]);
      return new Ref(num, 0);
    });
    store.set(key, [...listOf(file, store.get(key)), ...refs]);
  }
  catalog.set('DSS', store);
  update.value(root.num, catalog);
  await update.close(means.id);
}
