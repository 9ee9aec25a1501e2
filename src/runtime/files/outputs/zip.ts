// ZIP archives of stored entries in the given order: the same files give the same bytes every time.
//
// yazl and fflate write entries of unknown checksum with a data descriptor behind the bytes, which readers that stream (Java's,
// among others) refuse for stored entries; fflate has no ZIP64. Here each file on disk is read twice: for its checksum first.
import { crc32 } from 'node:zlib';
import { Failure } from '../../../contract/base/failure.ts';
import type { Draft, RandomAccess } from '../../../contract/base/ports.ts';

export interface ZipEntry {
  readonly name: string;
  readonly body: RandomAccess;
}

interface Written {
  readonly name: Buffer;
  readonly size: number;
  readonly crc: number;
  readonly offset: number;
}

const CHUNK = 256 * 1024;
/** Bytes written between two turns of the event loop: some 20 ms. */
const YIELD_EVERY = 8 * 1024 * 1024;
const MAX_32 = 0xffff_ffff;
const MAX_16 = 0xffff;
/** 1 January 1980, 00:00, the first date a ZIP knows: two runs give the same bytes. */
const DATE = 0x0021;
const UTF8_NAME = 0x0800;
/** Made on Unix; a plain file, rw-r--r--. */
const MADE_BY = (3 << 8) | 45;
const MODE = ((0o100000 | 0o644) << 16) >>> 0;

/** Writes the entries into a draft and lets the event loop run between them. */
export async function writeZip(entries: readonly ZipEntry[], draft: Draft, signal: AbortSignal): Promise<void> {
  const written: Written[] = [];
  const buffer = new Uint8Array(CHUNK);
  let yielded = draft.size;
  for (const { name, body } of entries) {
    const entry = { name: Buffer.from(name), size: body.size, crc: 0, offset: draft.size };
    for (const bytes of chunks(body, buffer)) entry.crc = crc32(bytes, entry.crc);
    draft.write(localHeader(entry));
    let copied = 0;
    for (const bytes of chunks(body, buffer)) {
      draft.write(bytes);
      copied += bytes.length;
    }
    if (copied !== body.size) {
      throw new Failure('internal', `${name}: ${copied} bytes read, expected ${body.size}`);
    }
    written.push(entry);
    signal.throwIfAborted();
    if (draft.size - yielded < YIELD_EVERY) continue;
    yielded = draft.size;
    await new Promise((resolve) => setImmediate(resolve));
  }
  const start = draft.size;
  for (const entry of written) draft.write(centralHeader(entry));
  draft.write(endRecords(written.length, start, draft.size));
}

function* chunks(body: RandomAccess, buffer: Uint8Array): Generator<Uint8Array> {
  for (let position = 0; ; ) {
    const got = body.read(buffer, position);
    if (got === 0) return;
    position += got;
    yield buffer.subarray(0, got);
  }
}

function localHeader({ name, size, crc }: Written): Buffer {
  const large = size >= MAX_32;
  return Buffer.concat([
    packed('4', 0x04034b50),
    common(large, crc, size),
    packed('2 2', name.length, large ? 20 : 0),
    name,
    packed(large ? '2 2 8 8' : '', 1, 16, size, size),
  ]);
}

function centralHeader({ name, size, crc, offset }: Written): Buffer {
  const large = size >= MAX_32;
  const far = offset >= MAX_32;
  const extra = (large ? 16 : 0) + (far ? 8 : 0);
  return Buffer.concat([
    packed('4 2', 0x02014b50, MADE_BY),
    common(large || far, crc, size),
    packed('2 2', name.length, extra === 0 ? 0 : extra + 4),
    // Neither a comment nor another disk nor internal attributes.
    packed('2 2 2 4 4', 0, 0, 0, MODE, far ? MAX_32 : offset),
    name,
    packed(extra > 0 ? '2 2' : '', 1, extra),
    packed(large ? '8 8' : '', size, size),
    packed(far ? '8' : '', offset),
  ]);
}

/** From `version needed` to the sizes: the same in both headers. Stored: a PDF's streams are compressed already. */
function common(zip64: boolean, crc: number, size: number): Buffer {
  const [stored, time, shown] = [0, 0, Math.min(size, MAX_32)];
  return packed('2 2 2 2 2 4 4 4', zip64 ? 45 : 20, UTF8_NAME, stored, time, DATE, crc, shown, shown);
}

function endRecords(entries: number, start: number, end: number): Buffer {
  const length = end - start;
  const zip64 = entries >= MAX_16 || start >= MAX_32 || length >= MAX_32;
  const count = zip64 ? MAX_16 : entries;
  return Buffer.concat([
    // 44 bytes follow in the record; everything is on disk 0.
    packed(zip64 ? '4 8 2 2 4 4 8 8 8 8' : '', 0x06064b50, 44, MADE_BY, 45, 0, 0, entries, entries, length, start),
    packed(zip64 ? '4 4 8 4' : '', 0x07064b50, 0, end, 1),
    packed('4 2 2 2 2', 0x06054b50, 0, 0, count, count),
    packed('4 4 2', zip64 ? MAX_32 : length, zip64 ? MAX_32 : start, 0),
  ]);
}

/** Whole numbers, the lowest byte first, each of as many bytes as `sizes` says; none where it is empty. */
function packed(sizes: string, ...values: readonly number[]): Buffer {
  const fields = sizes.split(' ').filter((size) => size !== '');
  return Buffer.concat(
    fields.map((size, i) => {
      const field = Buffer.alloc(8);
      field.writeBigUInt64LE(BigInt(values[i] ?? 0));
      return field.subarray(0, Number(size));
    }),
  );
}
