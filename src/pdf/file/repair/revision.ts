/** Objects that a repair mends or makes, as a revision behind the end of the file, which on disk stays as it is. */
import type { RandomAccess } from '../../../contract/base/ports.ts';
import { serialize } from '../../syntax/serialize.ts';
import type { Value } from '../../syntax/values.ts';
import type { PdfFile } from '../read/pdf-file.ts';
import { PLAIN, type XrefTable } from '../read/xref-table.ts';

/** Bytes of the file itself that become the data of a stream. */
export interface FileSpan {
  readonly offset: number;
  readonly length: number;
}

type Piece = { readonly at: number; readonly length: number } & (
  | { readonly bytes: Uint8Array }
  | { readonly from: number }
);

export class Revision {
  private readonly original: RandomAccess;
  private readonly pieces: Piece[] = [];
  private size: number;

  constructor(original: RandomAccess) {
    this.original = original;
    this.size = original.size;
  }

  /** Enters an object in place of what the table says of its number; with `data` it is a stream. */
  put(table: XrefTable, num: number, value: Value, data?: FileSpan | Uint8Array): void {
    const gen = num < table.size && table.kind[num] === PLAIN ? (table.index[num] ?? 0) : 0;
    this.text('\n');
    table.replace(num, PLAIN, this.size, gen);
    this.text(`${num} ${gen} obj\n${serialize(value)}\n`);
    if (data !== undefined) {
      this.text('stream\n');
      const piece = data instanceof Uint8Array ? { bytes: data } : { from: data.offset };
      this.pieces.push({ at: this.size, length: data.length, ...piece });
      this.size += data.length;
      this.text('\nendstream\n');
    }
    this.text('endobj\n');
  }

  /** The file with all that was added until now. */
  source(): RandomAccess {
    const { original, size } = this;
    const pieces = [...this.pieces];
    const read = (into: Uint8Array, position: number): number => {
      if (position < original.size)
        return original.read(into.subarray(0, Math.min(into.length, original.size - position)), position);
      const piece = pieces[lastAt(pieces, position)];
      const skip = position - (piece?.at ?? 0);
      if (piece === undefined || skip >= piece.length) return 0;
      const part = into.subarray(0, Math.min(into.length, piece.length - skip));
      if ('from' in piece) return original.read(part, piece.from + skip);
      part.set(piece.bytes.subarray(skip, skip + part.length));
      return part.length;
    };
    return {
      name: original.name,
      size,
      read,
      async *open(signal) {
        for (let at = 0; at < size; ) {
          signal.throwIfAborted();
          const piece = new Uint8Array(Math.min(64 * 1024, size - at));
          const got = read(piece, at);
          if (got === 0) return;
          yield piece.subarray(0, got);
          at += got;
        }
      },
    };
  }

  private text(text: string): void {
    const bytes = Buffer.from(text, 'latin1');
    this.pieces.push({ at: this.size, length: bytes.length, bytes });
    this.size += bytes.length;
  }
}

/** The index of the last piece that begins at or before a position; they follow one another. */
function lastAt(pieces: readonly Piece[], position: number): number {
  let low = 0;
  let high = pieces.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pieces[middle]?.at ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function freeNumber(file: PdfFile): number {
  return Math.max(1, file.xref.size);
}
