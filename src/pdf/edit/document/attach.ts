// Files put into a document, and taken out of its name tree.

import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { RandomAccess } from '../../../contract/base/ports.ts';
import type { Copier } from '../../file/copy/copier.ts';
import { catalogOf, listOf } from '../../file/read/entries.ts';
import type { Pace } from '../../file/read/pace.ts';
import { fill } from '../../file/read/random-access.ts';
import { valueText } from '../../structure/input.ts';
import { readNames, writeNames } from '../../structure/name-trees.ts';
import { encodeName, hexString } from '../../syntax/serialize.ts';
import { encodeText } from '../../syntax/text-strings.ts';
import { Ref } from '../../syntax/values.ts';
import { attachmentKey } from './attachments.ts';

interface NewAttachment {
  readonly name: string;
  readonly body: RandomAccess;
  readonly mediaType: string;
  readonly description: string | undefined;
  /** Its relationship to the document (ISO 32000-2, 14.13): Source, Data, Alternative, Supplement. */
  readonly relationship: string | undefined;
}

/** Up to this a file is compressed, where that makes it smaller; a larger one goes in as it is, piece by piece. */
const COMPRESSED = 8 * 1024 * 1024;
const PIECE = 1024 * 1024;

/** Gives the document these files besides those it has, without the ones whose keys, or specifications, are in `gone`. */
export async function changeAttachments(
  copier: Copier,
  added: readonly NewAttachment[],
  gone: { readonly keys: ReadonlySet<string>; readonly specs: ReadonlySet<number> },
  pace: Pace,
): Promise<void> {
  const { file, writer } = copier;
  const catalog = catalogOf(file);
  const names = file.dict(catalog.get('Names'));
  const entries = new Map<string, string>();
  for (const [key, value] of readNames(file, names?.get('EmbeddedFiles'), 'attachments')) {
    if (!gone.keys.has(key)) entries.set(key, valueText(value, copier));
  }
  const associated = listOf(file, catalog.get('AF')).filter(
    (item) => !(item instanceof Ref && gone.specs.has(item.num)),
  );
  const related = associated.map((item) => valueText(item, copier));
  for (const attachment of added) {
    const spec = `${await writeAttachment(copier, attachment, pace)} 0 R`;
    entries.set(freeKey(attachment.name, entries), spec);
    if (attachment.relationship !== undefined) related.push(spec);
  }
  const kinds = [...(names ?? [])].flatMap(([kind, value]) =>
    kind === 'EmbeddedFiles' ? [] : [`/${encodeName(kind)} ${valueText(value, copier)}`],
  );
  if (entries.size > 0) kinds.push(`/EmbeddedFiles ${await writeNames(writer, entries)} 0 R`);
  const tree = kinds.length === 0 ? undefined : `<<${kinds.join('')}>>`;
  const list = related.length === 0 ? undefined : `[${related.join(' ')}]`;
  copier.planCatalog(new Map(Object.entries({ Names: tree, AF: list })));
}

function freeKey(name: string, taken: ReadonlyMap<string, string>): string {
  let key = attachmentKey(encodeText(name));
  for (let number = 2; taken.has(key); number += 1) key = attachmentKey(encodeText(`${name}-${number}`));
  return key;
}

/** Writes a file and its specification, and returns the number of that. */
async function writeAttachment({ writer }: Copier, attachment: NewAttachment, pace: Pace): Promise<number> {
  const { name, body, mediaType, description, relationship } = attachment;
  const held = writer.allocate();
  const hash = createHash('md5');
  const whole = body.size <= COMPRESSED ? piece(body, 0, body.size) : undefined;
  if (whole === undefined) {
    for (const bytes of piecesOf(body)) {
      hash.update(bytes);
      await pace.yield();
    }
  } else hash.update(whole);
  const params = `/Params<</Size ${body.size}/CheckSum${hexString(hash.digest())}>>`;
  const small = whole === undefined ? undefined : deflateSync(whole);
  const packed = small !== undefined && small.length < body.size ? small : whole;
  const filter = packed === small && small !== undefined ? '/Filter/FlateDecode' : '';
  const length = packed?.length ?? body.size;
  writer.begin(held, true);
  writer.text(`<</Type/EmbeddedFile/Subtype/${encodeName(mediaType)}${params}${filter}/Length ${length}>>stream\n`);
  if (packed !== undefined) writer.bytes(packed);
  else {
    for (const bytes of piecesOf(body)) {
      writer.bytes(bytes);
      await pace.yield();
    }
  }
  writer.text('\nendstream');
  await writer.end();
  const spec = writer.allocate();
  const encoded = hexString(encodeText(name));
  const about = description === undefined ? '' : `/Desc${hexString(encodeText(description))}`;
  const related = relationship === undefined ? '' : `/AFRelationship/${relationship}`;
  const text = `<</Type/Filespec/F${encoded}/UF${encoded}/EF<</F ${held} 0 R/UF ${held} 0 R>>${about}${related}>>`;
  await writer.object(spec, text);
  return spec;
}

function* piecesOf(body: RandomAccess): Iterable<Uint8Array> {
  for (let from = 0; from < body.size; from += PIECE) yield piece(body, from, Math.min(PIECE, body.size - from));
}

function piece(body: RandomAccess, from: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  if (fill(body, bytes, from) < length) throw new Error(`${body.name} became shorter while it was read`);
  return bytes;
}
