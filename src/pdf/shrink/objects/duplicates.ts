import { crc32 } from 'node:zlib';
import type { Pace } from '../../file/read/pace.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import { listAt } from '../../syntax/arrays.ts';
import { latin1 } from '../../syntax/characters.ts';
import { COMMENT, LENGTH } from '../../syntax/scan.ts';
import { Dict } from '../../syntax/values.ts';
import { checksum, STREAM, type Survey } from './survey.ts';

/**
 * Keys of objects with an identity of their own: pages, annotations, fields, bookmarks, tags, layers, signatures. Equal
 * ones are not merged.
 */
const IDENTITY = ['Parent', 'P', 'Kids', 'FT', 'T', 'Rect', 'Title', 'StructParent', 'StructParents', 'ByteRange', 'K'];
const IDENTITY_TYPES = new Set(['Catalog', 'Pages', 'Page', 'Annot', 'OCG', 'Outlines', 'StructTreeRoot', 'Sig']);
const MOST_PASSES = 32;
/** Different objects of one checksum that are compared: a document hardly has two, an attack has thousands. */
const MOST_ALIKE = 16;
const PIECE = 1 << 20;

/** The representative of each object number, itself where it has no duplicates. */
export async function findDuplicates(file: PdfFile, survey: Survey, pace: Pace): Promise<Int32Array> {
  // Encrypted bytes cannot be compared: each object has its own key.
  if (file.decryption !== undefined) return Int32Array.from({ length: file.xref.size }, (_, num) => num);
  return new Search(file, survey).run(pace);
}

class Search {
  private readonly file: PdfFile;
  private readonly survey: Survey;
  private readonly same: Int32Array;
  private readonly known = new Map<number, number[]>();
  private readonly hashes: Uint32Array;
  /** Checksums of the bytes of streams that are as long as another one. */
  private readonly contents = new Map<number, number>();
  private buf = new Uint8Array(0);

  constructor(file: PdfFile, survey: Survey) {
    this.file = file;
    this.survey = survey;
    this.same = Int32Array.from({ length: file.xref.size }, (_, num) => num);
    this.hashes = new Uint32Array(file.xref.size);
  }

  async run(pace: Pace): Promise<Int32Array> {
    const { survey, same } = this;
    await this.hashContents(pace);
    let todo: readonly number[] = survey.objects;
    for (let pass = 0; pass < MOST_PASSES && todo.length > 0; pass++) {
      const merged = new Set<number>();
      for (const num of todo) {
        if (same[num] !== num) continue;
        const twin = this.twin(num);
        if (twin !== undefined && (!this.contents.has(num) || (await this.sameContent(num, twin, pace)))) {
          same[num] = twin;
          merged.add(num);
        }
        if (pace.isOver()) await pace.yield();
      }
      // Objects that refer to a merged one have changed, and may be duplicates in turn.
      todo = merged.size === 0 ? [] : survey.objects.filter((num) => survey.refs(num).some((ref) => merged.has(ref)));
    }
    return same;
  }

  /** An equal object met before; otherwise the object is noted. */
  private twin(num: number): number | undefined {
    const hash = this.hash(num);
    if (hash === undefined) return undefined;
    const others = this.known.get(hash);
    if (others === undefined) this.known.set(hash, [num]);
    else if (others.length < MOST_ALIKE && this.mayBeShared(num)) {
      let text: string | undefined;
      for (const other of others) {
        if (other === num) return undefined;
        // The other one may have been noted under an outdated hash.
        if (this.hashes[other] !== hash || this.same[other] !== other) continue;
        text ??= this.text(num);
        if (text === this.text(other)) return other;
      }
      others.push(num);
    }
    return undefined;
  }

  /** Undefined: no other object can be equal. */
  private hash(num: number): number | undefined {
    const { file, same, survey } = this;
    const content = this.contents.get(num);
    if ((survey.marks(num) & STREAM) !== 0 && content === undefined) return undefined;
    let sum = survey.sum(num);
    if (survey.refs(num).some((ref) => same[ref] !== ref)) {
      const object = file.scanObject(num);
      if (object === undefined) return undefined;
      sum = checksum(object, (ref) => same[ref] ?? ref);
    }
    const hash = (sum ^ (content ?? 0)) >>> 0;
    this.hashes[num] = hash;
    return hash;
  }

  /** The object's bytes as text, with references to representatives. */
  private text(num: number): string {
    const { same } = this;
    const object = this.file.scanObject(num);
    if (object === undefined) return '';
    const { bytes, edits, end } = object;
    let text = '';
    let from = object.start;
    for (let i = 0; i < edits.length; i += 3) {
      const start = edits[i] ?? 0;
      const what = edits[i + 2] ?? 0;
      text += latin1(bytes, from, start);
      from = edits[i + 1] ?? 0;
      if (what >= 0) text += `${same[what] ?? what} R`;
      else if (what !== COMMENT && what !== LENGTH) text += latin1(bytes, start, from);
    }
    return text + latin1(bytes, from, end);
  }

  private mayBeShared(num: number): boolean {
    const { file } = this;
    const value = file.object(num);
    if (!(value instanceof Dict)) return true;
    return !IDENTITY.some((key) => value.has(key)) && !IDENTITY_TYPES.has(value.name('Type') ?? '');
  }

  /** Only streams of equal length can be equal, so only those are read. */
  private async hashContents(pace: Pace): Promise<void> {
    const byLength = new Map<number, number[]>();
    for (const num of this.survey.objects) {
      const length = this.survey.lengths.get(num);
      if (length === undefined) continue;
      listAt(byLength, length).push(num);
    }
    for (const [length, list] of byLength) {
      if (list.length === 1) continue;
      for (const num of list) {
        let sum = 0;
        for (let done = 0; done < length; done += PIECE) {
          sum = crc32(this.piece(num, done, length), sum);
          if (pace.isOver()) await pace.yield();
        }
        this.contents.set(num, sum);
      }
    }
  }

  /** Equal checksums are no proof. */
  private async sameContent(a: number, b: number, pace: Pace): Promise<boolean> {
    const length = this.survey.lengths.get(a) ?? 0;
    if (length !== this.survey.lengths.get(b)) return false;
    for (let done = 0; done < length; done += PIECE) {
      const piece = Buffer.from(this.piece(a, done, length));
      if (!piece.equals(this.piece(b, done, length))) return false;
      if (pace.isOver()) await pace.yield();
    }
    return true;
  }

  /** A part of a stream, valid until the next call. */
  private piece(num: number, from: number, length: number): Uint8Array {
    const { file } = this;
    const object = file.scanObject(num);
    if (object === undefined) return new Uint8Array(0);
    const { start } = file.streamPlace(num, object);
    const size = Math.min(PIECE, length - from);
    if (this.buf.length < size) this.buf = new Uint8Array(size);
    const piece = this.buf.subarray(0, size);
    file.windows.read(piece, start + from);
    return piece;
  }
}
