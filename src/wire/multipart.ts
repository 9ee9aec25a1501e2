// Encodes multipart/form-data (RFC 7578) as a stream of known length.
import type { ByteSource } from '../contract/base/ports.ts';
import { quoted } from './filename.ts';

/** A request body. `length`: its bytes, for Content-Length; a request whose `open` yields another number fails. */
export interface RequestBody {
  readonly contentType: string;
  readonly length: number;
  /** A chunk of CHUNK bytes or more is valid until the next is requested; a smaller one stays valid. */
  open(signal: AbortSignal): AsyncIterable<Uint8Array>;
}

export interface TextPart {
  readonly name: string;
  readonly text: string;
}

export interface FilePart {
  readonly name: string;
  readonly filename: string;
  readonly mediaType: string;
  readonly source: ByteSource & { readonly size: number };
}

/**
 * Bytes read at once. More than the high-water mark of any socket (64 KiB), so that the HTTP client waits until the
 * chunk has left before it requests the next; small enough to still be in the processor's cache when it is sent.
 */
const CHUNK = 2 * 1024 * 1024;

const encoder = new TextEncoder();

/** Encodes the parts in the order given. `boundary` must be unguessable, so that no file can contain it. */
export function multipart(parts: readonly (TextPart | FilePart)[], boundary: string): RequestBody {
  const pieces = parts.map((part) => ({ head: encoder.encode(headOf(part, boundary)), part }));
  const tail = encoder.encode(`--${boundary}--\r\n`);
  const sizeOf = (part: TextPart | FilePart) => ('text' in part ? encoder.encode(part.text).length : part.source.size);
  const length = pieces.reduce((sum, { head, part }) => sum + head.length + sizeOf(part) + 2, tail.length);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    length,
    async *open(signal) {
      // The header of a part is sent with its first bytes: fewer small writes, and none for text fields alone.
      let pending: Uint8Array = Buffer.alloc(0);
      for (const { head, part } of pieces) {
        pending = Buffer.concat([pending, head]);
        if ('text' in part) {
          pending = Buffer.concat([pending, encoder.encode(`${part.text}\r\n`)]);
          continue;
        }
        yield pending;
        yield* sourceBytes(part.source, signal);
        pending = encoder.encode('\r\n');
      }
      yield Buffer.concat([pending, tail]);
    },
  };
}

/**
 * The bytes of a source. A file on disk is read into two buffers in turn, since fresh ones cost a third of the time of
 * a 1 GiB upload (page faults, zeroing, collection). While one is sent, another thread reads into the other: that saves
 * another third, and a disk that hangs blocks nothing else.
 */
export async function* sourceBytes(
  source: FilePart['source'],
  signal: AbortSignal,
  from = 0,
): AsyncGenerator<Uint8Array> {
  if (source.read === undefined || (source.size < CHUNK && from === 0)) {
    yield* source.open(signal);
    return;
  }
  const { read } = source;
  const begin = (into: Uint8Array, position: number): Promise<number> => {
    const reading = source.readAside?.(into, position) ?? Promise.resolve(read.call(source, into, position));
    // The consumer may have stopped waiting when it fails.
    reading.catch(() => {});
    return reading;
  };
  let [buffer, other] = [new Uint8Array(CHUNK), new Uint8Array(CHUNK)];
  let reading = begin(buffer, from);
  for (let position = from; ; ) {
    signal.throwIfAborted();
    const got = await reading;
    if (got === 0) return;
    position += got;
    // Reads into the buffer whose bytes were sent.
    reading = begin(other, position);
    yield got === CHUNK ? buffer : buffer.slice(0, got);
    [buffer, other] = [other, buffer];
  }
}

export function json(value: unknown): RequestBody {
  const bytes = encoder.encode(JSON.stringify(value));
  return {
    contentType: 'application/json',
    length: bytes.length,
    async *open() {
      yield bytes;
    },
  };
}

function headOf(part: TextPart | FilePart, boundary: string): string {
  const disposition = `--${boundary}\r\nContent-Disposition: form-data; name=${quoted(part.name)}`;
  if ('text' in part) return `${disposition}\r\n\r\n`;
  return `${disposition}; filename=${quoted(part.filename)}\r\nContent-Type: ${part.mediaType}\r\n\r\n`;
}
