// Owns reading a file piece by piece: a few windows held, the one used longest ago dropped. Never holds the whole file.
import { HEAD } from '../../contract/media.ts';
import type { RandomAccess } from '../../contract/ports.ts';
import { fill } from '../on-disk.ts';
import { Damage } from './damage.ts';
import { Parser } from './parse.ts';
import { latin1 } from './syntax.ts';

const WINDOW = 256 * 1024;
/** Each window reaches into the next one, so that an object that begins near its end is still whole in it. */
const OVERLAP = 8 * 1024;
const FULL = WINDOW + OVERLAP;
/** Windows held. Objects are read by their place: with 20, two manuals took as long and 10 MB more. */
const HELD = 8;

/** Memory of windows that nobody holds, for the next file: a split opens hundreds of outputs, a merge as many inputs. */
const spare: ArrayBufferLike[] = [];
const SPARE = 4;

interface Window {
  index: number;
  buf: Uint8Array;
  length: number;
  used: number;
}

/** Bytes of a source by position. After `load`, `buf[0]` is at `base` and `length` bytes of it count. */
export class Windows {
  readonly size: number;
  buf: Uint8Array = new Uint8Array(0);
  base = 0;
  length = 0;
  private readonly source: RandomAccess;
  private readonly held: Window[] = [];
  private clock = 0;
  private last: Window | undefined;

  constructor(source: RandomAccess) {
    this.source = source;
    this.size = source.size;
  }

  /** Makes the bytes from `position` on available: at least `need` of them, or all up to the end of the file. */
  load(position: number, need: number): void {
    // Every place that a file names comes by here, whatever it was reckoned from.
    if (!(position >= 0 && position <= this.size)) throw new Damage('it refers to a place outside of itself');
    const { held } = this.source;
    if (held !== undefined) {
      this.buf = held;
      this.base = 0;
      this.length = held.length;
      return;
    }
    const index = Math.floor(position / WINDOW);
    const base = index * WINDOW;
    if (position + need > base + WINDOW + OVERLAP && base + WINDOW + OVERLAP < this.size) {
      this.loadWide(position, need);
      return;
    }
    let window = this.last;
    if (window === undefined || window.index !== index) window = this.window(index);
    this.last = window;
    window.used = ++this.clock;
    this.buf = window.buf;
    this.base = base;
    this.length = window.length;
  }

  /**
   * The place in `buf` of a position that was loaded. A small integer for V8 too: positions come from arrays of doubles, and
   * what is computed from a double stays one, with memory of its own, through all the scanning of an object.
   */
  at(position: number): number {
    return (position - this.base) | 0;
  }

  /** The bytes at a position, as they are held: they may change with the next `load`. Fewer at the end of the file. */
  slice(position: number, size: number): Uint8Array {
    this.load(position, size);
    const start = this.at(position);
    return this.buf.subarray(start, Math.min(start + size, this.length));
  }

  /** Reads into `into` from `position`; throws away nothing that is held. Returns the number of bytes read. */
  read(into: Uint8Array, position: number): number {
    if (!(position >= 0 && position <= this.size)) throw new Damage('it refers to a place outside of itself');
    return fill(this.source, into, position);
  }

  /** Lets go of every window. */
  release(): void {
    for (const { buf } of this.held) if (spare.length < SPARE) spare.push(buf.buffer);
    this.held.length = 0;
    this.last = undefined;
    this.buf = new Uint8Array(0);
    this.length = 0;
  }

  private loadWide(position: number, need: number): void {
    const buf = new Uint8Array(Math.max(0, Math.min(need, this.size - position)));
    this.length = this.read(buf, position);
    this.buf = buf;
    this.base = position;
  }

  private window(index: number): Window {
    const found = this.held.find((window) => window.index === index);
    if (found !== undefined) return found;
    let window: Window;
    if (this.held.length < HELD) {
      // A small file gets small windows: a thousand of them may be open at once in a merge.
      window = { index, buf: room(Math.min(FULL, this.size)), length: 0, used: 0 };
      this.held.push(window);
    } else {
      window = this.held.reduce((oldest, other) => (other.used < oldest.used ? other : oldest));
      window.index = index;
    }
    window.length = this.read(window.buf, index * WINDOW);
    return window;
  }
}

/** An array of that length: nothing of what was in its memory before can be seen behind what is read into it. */
function room(size: number): Uint8Array {
  const memory = spare.pop();
  return memory !== undefined && memory.byteLength >= size ? new Uint8Array(memory, 0, size) : new Uint8Array(size);
}

/** Parses at a file position, with more and more bytes at hand until they suffice. */
export function parseAt<T>(windows: Windows, offset: number, read: (parser: Parser) => T): T {
  for (let need = 4096; ; need *= 8) {
    windows.load(offset, need);
    const parser = new Parser(windows.buf, windows.at(offset), windows.length);
    try {
      return read(parser);
    } catch (error) {
      const whole = windows.base + windows.length >= windows.size || need > 64 << 20;
      if (whole || !(error instanceof Damage)) throw error;
    }
  }
}

/** The version in the header, such as 1.7, wherever in the beginning that stands; undefined where it has none. */
export function headerVersion(windows: Windows): string | undefined {
  windows.load(0, HEAD);
  return /%PDF-(\d\.\d)/.exec(latin1(windows.buf, 0, Math.min(windows.length, HEAD)))?.[1];
}
