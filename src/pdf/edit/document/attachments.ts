// Reads the files that a document holds (ISO 32000-2, 7.11.4): in its name tree, and as notes on pages.
import { createHash } from 'node:crypto';
import { constants, createInflate } from 'node:zlib';
import { Failure } from '../../../contract/base/failure.ts';
import { present } from '../../../contract/base/present.ts';
import { isDeviceName } from '../../../contract/media.ts';
import { catalogOf, nameAt, numberAt } from '../../file/read/entries.ts';
import { decodable, decode } from '../../file/read/filters.ts';
import type { Pace } from '../../file/read/pace.ts';
import { annotationsOf } from '../../file/read/page-dict.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import type { Source } from '../../file/read/source.ts';
import { checkCount } from '../../structure/input.ts';
import { nameKey, readNames } from '../../structure/name-trees.ts';
import { Damage } from '../../syntax/damage.ts';
import { isoDate } from '../../syntax/dates.ts';
import { Parser } from '../../syntax/parser.ts';
import { decodeTextString, textOf } from '../../syntax/text-strings.ts';
import { Dict, PdfString, Ref, type Value } from '../../syntax/values.ts';

export interface Attachment {
  readonly name: string;
  /** Its key in the name tree, one character a byte; undefined for a note on a page. */
  readonly key: string | undefined;
  /** The page of the note, from 1. */
  readonly page: number | undefined;
  readonly spec: Dict;
  readonly specNum: number | undefined;
  /** The object that holds its bytes; undefined where there is none. */
  readonly stream: number | undefined;
}

/** All files, those of the name tree first. @throws Damage */
export function readAttachments({ file, tree }: Source): Attachment[] {
  const names = readNames(file, file.dict(catalogOf(file).get('Names'))?.get('EmbeddedFiles'), 'attachments');
  const attachments = [...names].flatMap(([key, value]) => attachmentOf(file, value, key, undefined) ?? []);
  for (const [index, page] of tree.pages.entries()) {
    for (const item of annotationsOf(file, page)) {
      const note = file.dict(item);
      if (nameAt(file, note, 'Subtype') !== 'FileAttachment') continue;
      const attachment = attachmentOf(file, note?.get('FS'), undefined, index + 1);
      if (attachment !== undefined) attachments.push(attachment);
      checkCount(file, attachments.length, 'attachments');
    }
  }
  return attachments;
}

function attachmentOf(
  file: PdfFile,
  value: Value | undefined,
  key: string | undefined,
  page: number | undefined,
): Attachment | undefined {
  const spec = file.dict(value);
  if (spec === undefined) return undefined;
  const files = file.dict(spec.get('EF'));
  const stream = ['UF', 'F', 'Unix', 'DOS', 'Mac'].map((key) => files?.get(key)).find((value) => value instanceof Ref);
  const fileName = textOf(file.resolve(spec.get('UF'))) ?? textOf(file.resolve(spec.get('F')));
  const name = fileName ?? (key === undefined ? 'unnamed' : decodeTextString(Buffer.from(key, 'latin1')));
  const specNum = value instanceof Ref ? value.num : undefined;
  return { name, key, page, spec, specNum, stream: stream instanceof Ref ? stream.num : undefined };
}

export function describeAttachment(file: PdfFile, { name, page, spec, stream }: Attachment): Record<string, unknown> {
  const held = stream === undefined ? undefined : file.dict(new Ref(stream, 0));
  const params = file.dict(held?.get('Params'));
  const text = (value: Value | undefined): string | undefined => textOf(file.resolve(value)) ?? undefined;
  return present({
    name,
    bytes: numberAt(file, params, 'Size'),
    type: nameAt(file, held, 'Subtype'),
    page,
    description: text(spec.get('Desc')),
    relationship: nameAt(file, spec, 'AFRelationship')?.toLowerCase(),
    created: isoDate(text(params?.get('CreationDate')) ?? null),
    modified: isoDate(text(params?.get('ModDate')) ?? null),
  });
}

/** Longer streams are inflated piece by piece. */
const SMALL = 4 * 1024 * 1024;
const MOST_DECODED = 256 * 1024 * 1024;
/** Most bytes of a file: more is meant to exhaust the disk. */
const MOST_POURED = 4 * 1024 * 1024 * 1024;

/** Passes the bytes of a file to `write`. Returns whether they match its checksum. */
export async function pourAttachment(
  file: PdfFile,
  { name, stream }: Attachment,
  write: (bytes: Uint8Array) => void,
  pace: Pace,
): Promise<boolean> {
  if (stream === undefined) throw new Damage(`the attachment ${name} has no bytes`);
  const scan = file.scanObject(stream);
  const dict = scan?.isStream === true ? new Parser(scan.bytes, scan.start).value() : null;
  if (scan === undefined || !(dict instanceof Dict)) throw new Damage(`the attachment ${name} has no bytes`);
  const place = file.streamPlace(stream, scan);
  const { length, pieces } = file.plainStream(stream, dict, place.start, place.length);
  const filters = file.filters(dict).filter((filter) => filter.name !== 'Crypt');
  const hash = createHash('md5');
  const take = (bytes: Uint8Array): void => {
    hash.update(bytes);
    write(bytes);
  };
  const [only, ...others] = filters;
  if (only === undefined) {
    for (const piece of pieces) {
      take(piece);
      await pace.yield();
    }
  } else if (only.name === 'FlateDecode' && only.parms === undefined && others.length === 0 && length > SMALL) {
    await inflated(pieces, name, take, pace);
  } else {
    if (!decodable(filters)) throw new Damage(`the attachment ${name} is coded in a way that no reader knows`);
    if (length > MOST_DECODED) throw tooLarge(name, MOST_DECODED);
    take(decode(Buffer.concat([...pieces]), filters, MOST_DECODED));
  }
  const sum = file.resolve(file.dict(file.dict(new Ref(stream, 0))?.get('Params'))?.get('CheckSum'));
  return !(sum instanceof PdfString) || sum.bytes.length !== 16 || hash.digest().equals(sum.bytes);
}

async function inflated(
  pieces: Iterable<Uint8Array>,
  name: string,
  take: (bytes: Uint8Array) => void,
  pace: Pace,
): Promise<void> {
  const stream = createInflate({ finishFlush: constants.Z_SYNC_FLUSH });
  let total = 0;
  const ended = new Promise<void>((resolve, reject) => {
    stream.on('data', (bytes: Buffer) => {
      total += bytes.length;
      if (total > MOST_POURED) stream.destroy(tooLarge(name, MOST_POURED));
      else take(bytes);
    });
    stream.once('end', resolve);
    stream.once('error', (cause) =>
      reject(cause instanceof Failure ? cause : new Damage(`the attachment ${name} cannot be decoded`, { cause })),
    );
  });
  ended.catch(() => undefined);
  for (const piece of pieces) {
    const drained = new Promise<void>((resolve) => stream.once('drain', resolve));
    if (!stream.write(piece)) await Promise.race([drained, ended]);
    await pace.yield();
  }
  stream.end();
  await ended;
}

function tooLarge(name: string, most: number): Failure {
  return new Failure('unprocessable', `the attachment ${name} is larger than ${most >> 20} MiB`, { kind: 'limit' });
}

/** Names under which files can be written: no folders, nothing hidden, unique whatever their capitals. */
export function fileNamesOf(attachments: readonly Pick<Attachment, 'name'>[]): string[] {
  const taken = new Set<string>();
  return attachments.map(({ name }) => {
    const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
    const plain = base
      .replace(UNFIT, '_')
      .replace(/\.{2,}/g, '.')
      .replace(/^[.\s]+|[.\s]+$/g, '');
    const [, stem = 'attachment', ending = ''] =
      /^(.+?)(\.[^.]{1,16})?$/.exec(plain === '' ? 'attachment' : plain) ?? [];
    const short = `${isDeviceName(stem) ? '_' : ''}${Array.from(stem).slice(0, MOST_NAME).join('')}`;
    let fresh = `${short}${ending}`;
    for (let number = 2; taken.has(fresh.toLowerCase()); number += 1) fresh = `${short}-${number}${ending}`;
    taken.add(fresh.toLowerCase());
    return fresh;
  });
}

const UNFIT = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"|?*/\\]/gu;
/** Characters of up to four bytes, so that a name fits in 255 bytes. */
const MOST_NAME = 50;

export function attachmentKey(encoded: Uint8Array): string {
  return nameKey(new PdfString(encoded));
}
