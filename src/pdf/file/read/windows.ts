// Caches windows of a file: the last few that were read are kept, never the whole file.
import type { RandomAccess } from '../../../contract/base/ports.ts';
import { Damage } from '../../syntax/damage.ts';
import { Parser } from '../../syntax/parser.ts';
import type { ByteView } from '../../syntax/scan.ts';
import { fill } from './random-access.ts';

const WINDOW = 256 * 1024;
/** Each window reaches into the next one, so that an object that begins near its end is still whole in it. */
const OVERLAP = 8 * 1024;
/** Windows held. Objects are read in file order: 20 windows made a merge of two manuals no faster, and took 10 MB more. */
const HELD = 4;
/** Windows (17 MB) for a split, which returns to fonts: with 4, manuals of 7 and 29 MB took 1.6 and 4 times as long. */
const HELD_FOR_PARTS = 64;
/** Bytes a single value may take. */
const MOST_TRIED = 64 << 20;

/** Random access to the bytes of a source through the cached windows. */
export class Windows {
  readonly size: number;
  private readonly source: RandomAccess;
  /** By window number, least recently used first. Views of a dropped window stay valid. */
  private readonly held = new Map<number, Uint8Array>();
  private most = HELD;
  private last: { readonly index: number; readonly bytes: Uint8Array } | undefined;

  constructor(source: RandomAccess) {
    this.source = source;
    this.size = source.size;
  }

  /** Call it before the file is read many times over. */
  holdMore(): void {
    this.most = HELD_FOR_PARTS;
  }

  /** The bytes from `position` on: at least `need` of them, or all up to the end of the file. */
  view(position: number, need: number): ByteView {
    this.requireInside(position);
    const { held } = this.source;
    if (held !== undefined) return { bytes: held, start: position, base: 0 };
    const index = Math.floor(position / WINDOW);
    const base = index * WINDOW;
    const end = base + WINDOW + OVERLAP;
    if (position + need > end && end < this.size) {
      return { bytes: this.piece(position, need), start: 0, base: position };
    }
    return { bytes: this.window(index), start: position - base, base };
  }

  /** Bytes from `position` on, from a window that is held, else read alone: pictures are a window apart and more. */
  glance(position: number, size: number): ByteView {
    const isNear = this.size <= WINDOW || this.held.has(Math.floor(position / WINDOW));
    if (isNear || this.source.held !== undefined) return this.view(position, size);
    this.requireInside(position);
    return { bytes: this.piece(position, size), start: 0, base: position };
  }

  slice(position: number, size: number): Uint8Array {
    const { bytes, start } = this.view(position, size);
    return bytes.subarray(start, start + size);
  }

  /** Reads into `into` from `position`, past the windows. Returns the number of bytes read. */
  read(into: Uint8Array, position: number): number {
    this.requireInside(position);
    return fill(this.source, into, position);
  }

  release(): void {
    this.held.clear();
    this.last = undefined;
  }

  /** All positions that a file names are checked here. */
  private requireInside(position: number): void {
    if (!(position >= 0 && position <= this.size)) throw new Damage('it refers to a place outside of itself');
  }

  private window(index: number): Uint8Array {
    if (this.last?.index === index) return this.last.bytes;
    const bytes = this.held.get(index) ?? this.piece(index * WINDOW, WINDOW + OVERLAP);
    this.held.delete(index);
    this.held.set(index, bytes);
    if (this.held.size > this.most) {
      for (const oldest of this.held.keys()) {
        this.held.delete(oldest);
        break;
      }
    }
    this.last = { index, bytes };
    return bytes;
  }

  private piece(position: number, size: number): Uint8Array {
    const bytes = new Uint8Array(Math.max(0, Math.min(size, this.size - position)));
    return bytes.subarray(0, this.read(bytes, position));
  }
}

/** Parses at a file position, with more and more bytes at hand until they suffice. */
export function parseAt<T>(windows: Windows, position: number, read: (parser: Parser, base: number) => T): T {
  for (let need = 4096; ; need *= 8) {
    const { bytes, start, base } = windows.view(position, need);
    try {
      return read(new Parser(bytes, start), base);
    } catch (error) {
      const whole = base + bytes.length >= windows.size || need > MOST_TRIED;
      if (whole || !(error instanceof Damage)) throw error;
    }
  }
}
