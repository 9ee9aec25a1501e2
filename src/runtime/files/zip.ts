// ZIP archives of stored entries in the given order: the same files give the same bytes every time.
//
// yazl and fflate write entries of unknown checksum with a data descriptor behind the bytes, which readers that stream (Java's,
// among others) refuse for stored entries; fflate has no ZIP64. Here each file on disk is read twice: for its checksum first.
import { crc32 } from 'node:zlib';
import { Failure } from '../../contract/failure.ts';
import type { Draft, RandomAccess } from '../../contract/ports.ts';

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
  return bytes((put) => {
    put(4, 0x04034b50);
    common(put, large, crc, size);
    put(2, name.length);
    put(2, large ? 20 : 0);
    put(name);
    if (large) {
      put(2, 1);
      put(2, 16);
      put(8, size);
      put(8, size);
    }
  });
}

function centralHeader({ name, size, crc, offset }: Written): Buffer {
  const large = size >= MAX_32;
  const far = offset >= MAX_32;
  const extra = (large ? 16 : 0) + (far ? 8 : 0);
  return bytes((put) => {
    put(4, 0x02014b50);
    put(2, MADE_BY);
    common(put, large || far, crc, size);
    put(2, name.length);
    put(2, extra === 0 ? 0 : extra + 4);
    put(2, 0); // comment
    put(2, 0); // disk
    put(2, 0); // internal attributes
    put(4, MODE);
    put(4, far ? MAX_32 : offset);
    put(name);
    if (extra > 0) {
      put(2, 1);
      put(2, extra);
      if (large) {
        put(8, size);
        put(8, size);
      }
      if (far) put(8, offset);
    }
  });
}

type Put = (field: 2 | 4 | 8 | Buffer, value?: number) => void;

/** From `version needed` to the sizes: the same in both headers. */
function common(put: Put, zip64: boolean, crc: number, size: number): void {
  const shown = Math.min(size, MAX_32);
  put(2, zip64 ? 45 : 20);
  put(2, UTF8_NAME);
  put(2, 0); // stored: a PDF's streams are compressed already
  put(2, 0); // time
  put(2, DATE);
  put(4, crc);
  put(4, shown);
  put(4, shown);
}

function endRecords(entries: number, start: number, end: number): Buffer {
  const zip64 = entries >= MAX_16 || start >= MAX_32 || end - start >= MAX_32;
  return bytes((put) => {
    if (zip64) {
      put(4, 0x06064b50);
      put(8, 44); // what follows of this record
      put(2, MADE_BY);
      put(2, 45);
      put(4, 0); // this disk
      put(4, 0); // the directory's disk
      put(8, entries);
      put(8, entries);
      put(8, end - start);
      put(8, start);
      put(4, 0x07064b50);
      put(4, 0);
      put(8, end);
      put(4, 1);
    }
    put(4, 0x06054b50);
    put(2, 0);
    put(2, 0);
    put(2, zip64 ? MAX_16 : entries);
    put(2, zip64 ? MAX_16 : entries);
    put(4, zip64 ? MAX_32 : end - start);
    put(4, zip64 ? MAX_32 : start);
    put(2, 0); // comment
  });
}

function bytes(fill: (put: Put) => void): Buffer {
  const pieces: Buffer[] = [];
  fill((field, value = 0) => {
    if (typeof field === 'object') return void pieces.push(field);
    const piece = Buffer.alloc(field);
    if (field === 8) piece.writeBigUInt64LE(BigInt(value));
    else piece.writeUIntLE(value, 0, field);
    pieces.push(piece);
  });
  return Buffer.concat(pieces);
}
