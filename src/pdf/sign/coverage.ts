// Finds the bytes that a signature covers, from the structure of the file: forged files rely on searches. The hole must be
// exactly /Contents of its own dictionary, and the end that of a revision, whose sections are the last ones of the chain.
import type { RandomAccess } from '../../contract/base/ports.ts';
import { listOf } from '../file/read/entries.ts';
import type { SignatureField } from '../file/read/form-fields.ts';
import { openSound } from '../file/read/open-by-table.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import { PLAIN } from '../file/read/xref-table.ts';
import { wholeUpTo } from '../syntax/bounds.ts';
import { Damage } from '../syntax/damage.ts';
import { KEYS, scanView } from '../syntax/scan.ts';
import { type Dict, Ref } from '../syntax/values.ts';
import { BadSignature } from './cms.ts';

/** A signature's dictionary, and the places of it and its hole. */
export interface SignaturePlace {
  readonly dict: Dict;
  /** The object that it is or is part of. */
  readonly num: number;
  /** From the `<` of /Contents to just behind its `>`. */
  readonly hole: { readonly start: number; readonly end: number };
  /** The bytes of /Contents. */
  readonly contents: Uint8Array;
}

/** A signature holds some 50 KB at most; long-term ones with revocation data a few MB. */
const MOST_CONTENTS = 32 << 20;

/** Finds the value of a signature field in the file. @throws BadSignature, Damage */
export function signaturePlace(file: PdfFile, field: SignatureField): SignaturePlace {
  const value = field.dict.get('V');
  const dict = file.dict(value);
  if (dict === undefined) throw new BadSignature('its value is no dictionary');
  const num = value instanceof Ref ? value.num : field.num;
  if (num === undefined || file.xref.kind[num] !== PLAIN) {
    throw new BadSignature('its dictionary stands in an object stream, where no byte range can leave it out');
  }
  const scan = file.scanObject(num, KEYS);
  if (scan === undefined || !scan.isDict) throw new BadSignature('its dictionary is missing');
  const inner = value instanceof Ref ? { start: scan.start } : scan.valueOf('V');
  if (inner === undefined) throw new BadSignature('its dictionary is missing');
  const span = scanView({ bytes: scan.bytes, start: inner.start, base: scan.base }, -1, KEYS);
  const entries = [...(span?.entries() ?? [])].filter(([key]) => key === 'Contents');
  const [entry, ...twice] = entries;
  if (span === undefined || entry === undefined) throw new BadSignature('it has no /Contents');
  if (twice.length > 0) throw new BadSignature('it has two entries /Contents');
  const { start, end } = entry[1];
  const text = Buffer.from(span.bytes.subarray(start, Math.min(end, start + MOST_CONTENTS)))
    .toString('latin1')
    .trimEnd();
  if (!/^<[0-9A-Fa-f\s]*>$/.test(text)) throw new BadSignature('its /Contents is no hexadecimal string');
  const contents = Buffer.from(text.slice(1, -1).replace(/\s/g, ''), 'hex');
  return { dict, num, hole: { start: span.base + start, end: span.base + start + text.length }, contents };
}

/** Checks a byte range against the place of its /Contents. Returns where the signed bytes end. @throws BadSignature */
export function signedEnd(file: PdfFile, { dict, hole }: SignaturePlace): number {
  const range = listOf(file, dict.get('ByteRange'));
  const numbers = range.flatMap((item) => wholeUpTo(file.resolve(item), Number.MAX_SAFE_INTEGER) ?? []);
  const [first, length, second = 0, rest = 0] = numbers;
  if (range.length !== 4 || numbers.length !== 4) throw new BadSignature('its /ByteRange is not two ranges');
  // Where a header is not at byte 0, some programs count from the header.
  if (first !== 0) throw new BadSignature('its byte range does not begin where the file begins');
  if (length !== hole.start || second !== hole.end) {
    throw new BadSignature('its byte range leaves out another part of the file than its own /Contents');
  }
  const end = second + rest;
  if (end > file.size) throw new BadSignature('its byte range reaches beyond the end of the file');
  return end;
}

const BLOCK = 1 << 20;

/** Passes all bytes below `end`, except those of the hole, to a hash, a block at a time. */
export async function feedSigned(
  { windows }: Pick<PdfFile, 'windows'>,
  end: number,
  hole: SignaturePlace['hole'],
  hash: { update(bytes: Uint8Array): unknown },
): Promise<void> {
  const block = new Uint8Array(BLOCK);
  for (const [from, to] of [
    [0, hole.start],
    [hole.end, end],
  ] as const) {
    for (let at = from; at < to; ) {
      const got = windows.read(block.subarray(0, Math.min(BLOCK, to - at)), at);
      if (got === 0) throw new Damage('the file ends before its signed bytes do');
      hash.update(block.subarray(0, got));
      at += got;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** The first `end` bytes, opened by their own table. @throws BadSignature where they are no revision of this file */
export async function openRevision(source: RandomAccess, file: PdfFile, end: number): Promise<PdfFile> {
  const prefix: RandomAccess = {
    name: source.name,
    size: end,
    read: (into, position) =>
      position >= end ? 0 : source.read(into.subarray(0, Math.min(into.length, end - position)), position),
    open: () => {
      throw new TypeError('a revision is read by position');
    },
  };
  const tail = Buffer.alloc(Math.min(end, 64));
  source.read(tail, end - tail.length);
  if (!/startxref\s+\d+\s+%%EOF\s*$/.test(tail.toString('latin1'))) {
    throw new BadSignature('its byte range does not end where a revision of the file ends');
  }
  const revision = await openSound(prefix, async () => file.password).catch((cause: unknown) => {
    throw new BadSignature('the signed bytes are no document of their own', { cause });
  });
  const chain = file.xref.sections;
  const sections = revision.xref.sections;
  const last = chain.slice(chain.length - sections.length);
  if (sections.length > chain.length || sections.some((section, i) => section !== last[i])) {
    throw new BadSignature('the signed revision is not one that the file is built on');
  }
  return revision;
}

/** Whether only white space follows `end`. */
export function endsAt(file: PdfFile, end: number): boolean {
  if (end >= file.size) return true;
  if (file.size - end > 64) return false;
  return /^\s*$/.test(Buffer.from(file.windows.slice(end, file.size - end)).toString('latin1'));
}
