// Owns multipart/form-data as a stream with a length known beforehand. Knows neither rows nor sockets.
import type { ByteSource } from '../contract/ports.ts';
import { quoted } from './filename.ts';

/** A request body. `length` in bytes: what Content-Length says and what `open` yields, or the request fails. */
export interface Body {
  readonly contentType: string;
  readonly length: number;
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

const encoder = new TextEncoder();

/** Parts in the order given. `boundary` must not be guessable from the files, so that no file can hold it. */
export function multipart(parts: readonly (TextPart | FilePart)[], boundary: string): Body {
  const pieces = parts.map((part) => ({ head: encoder.encode(headOf(part, boundary)), part }));
  const tail = encoder.encode(`--${boundary}--\r\n`);
  const length = pieces.reduce((sum, { head, part }) => sum + head.length + sizeOf(part) + 2, tail.length);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    length,
    async *open(signal) {
      // What lies before a part travels with its first bytes: few small writes, and text fields cost none of their own.
      let pending = new Uint8Array(0);
      for (const { head, part } of pieces) {
        pending = joined(pending, head);
        if ('text' in part) {
          pending = joined(pending, encoder.encode(`${part.text}\r\n`));
          continue;
        }
        yield pending;
        yield* part.source.open(signal);
        pending = encoder.encode('\r\n');
      }
      yield joined(pending, tail);
    },
  };
}

/** A JSON body. */
export function json(value: unknown): Body {
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

function sizeOf(part: TextPart | FilePart): number {
  return 'text' in part ? encoder.encode(part.text).length : part.source.size;
}

function joined(left: Uint8Array, right: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(left.length + right.length);
  whole.set(left);
  whole.set(right, left.length);
  return whole;
}
