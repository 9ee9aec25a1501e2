import type { RandomAccess } from '../../contract/base/ports.ts';
import { headText, looksLike } from '../../contract/media.ts';
import { fill } from '../file/read/random-access.ts';
import { type Jpeg, readJpeg } from './jpeg.ts';
import { badImage } from './picture.ts';
import { PNG_SIGNATURE, type Png, readPng } from './png.ts';

/** Smaller files are read whole at once, then written; reading the next one on another thread gained nothing. */
const WHOLE = 4 * 1024 * 1024;
/** Bytes read of a larger file for its headers; more are read if previews and profiles make them longer. */
const HEAD = 256 * 1024;
/** The last bytes of a JPEG, in which its end marker is searched for first. */
const TAIL = 64 * 1024;
/** A PNG is held while it is read. */
const MOST_PNG = 1 << 30;

export interface FoundPicture {
  readonly picture: Jpeg | Png;
  /** All bytes of the file, where they were read. */
  readonly whole: Uint8Array | undefined;
}

/** Reads one file after the other into the same memory: a result is valid until the next is read. */
export class PictureReader {
  private memory = new Uint8Array(0);

  read(source: RandomAccess): FoundPicture {
    const { name, size } = source;
    if (size === 0) throw badImage(name, 'is empty', 'empty');
    for (let need = size <= WHOLE ? size : HEAD; ; need *= 8) {
      const head = this.fill(source, Math.min(need, size));
      const kind = kindOf(head);
      const whole = head.length === size ? head : undefined;
      if (kind === 'png') {
        if (size > MOST_PNG) throw badImage(name, `is a PNG of ${size} bytes; the limit is ${MOST_PNG}`, 'limit');
        return { picture: readPng(name, whole ?? this.fill(source, size)), whole };
      }
      if (kind === undefined) {
        const look = looksLike(headText(head));
        const what = look ?? 'neither a PNG nor a JPEG';
        throw badImage(name, `is ${what}; expected PNG or JPEG`, look === undefined ? 'bad-image' : 'unsupported');
      }
      const picture = readJpeg(name, head, size);
      if (picture === undefined && need < size) continue;
      if (picture === undefined) throw badImage(name, 'ended while it was read');
      requireEnd(source, picture.scan, whole);
      return { picture, whole };
    }
  }

  private fill(source: RandomAccess, length: number): Uint8Array {
    // Room for the files that follow, which are about as large.
    if (this.memory.length < length) this.memory = new Uint8Array(Math.max(length, Math.min(WHOLE, length * 2)));
    return readInto(this.memory.subarray(0, length), source, 0);
  }
}

/** A JPEG that was cut off has no end marker: readers show its lower part grey. */
function requireEnd(source: RandomAccess, scan: number, whole: Uint8Array | undefined): void {
  for (let reach = TAIL; ; reach *= 16) {
    const from = Math.max(scan, source.size - reach);
    const tail = whole?.subarray(from) ?? readInto(new Uint8Array(source.size - from), source, from);
    if (Buffer.from(tail.buffer, tail.byteOffset, tail.length).lastIndexOf('\xff\xd9', undefined, 'latin1') >= 0)
      return;
    if (from === scan) throw badImage(source.name, 'is a damaged JPEG: its end is missing');
  }
}

/** The kind of picture, whatever the file's extension. */
function kindOf(head: Uint8Array): 'png' | 'jpeg' | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 8)).toString('latin1');
  if (text.startsWith(PNG_SIGNATURE)) return 'png';
  // A file that ends inside the signature is a JPEG that was cut off: reading its headers reports that.
  return text.startsWith('\xff\xd8\xff') || text === '\xff\xd8' ? 'jpeg' : undefined;
}

/** Fills `bytes` from a place in the file; fewer where it ends before. */
function readInto(bytes: Uint8Array, source: RandomAccess, from: number): Uint8Array {
  return bytes.subarray(0, fill(source, bytes, from));
}
