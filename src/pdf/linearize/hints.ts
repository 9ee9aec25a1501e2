// The hint tables (ISO 32000-1, Annex F.4): where pages and the objects that they share begin, packed bit by bit.
import { greatest, least } from '../syntax/arrays.ts';

/** A part of the file: how many objects, and how many bytes. */
interface Group {
  readonly objects: number;
  readonly length: number;
}

export interface HintFacts {
  /** The start of the first page, as if there were no hints. */
  readonly firstPageAt: number;
  readonly pages: readonly Group[];
  /** The shared objects that each page uses, as indexes into `shared`. */
  readonly sharedBy: readonly (readonly number[])[];
  /** Bytes of each object of the first page, then of each shared object. */
  readonly shared: readonly number[];
  readonly sharedOfFirst: number;
  /** The first shared object behind the first page. */
  readonly firstShared: { readonly num: number; readonly at: number } | undefined;
  readonly outlines: (Group & { readonly num: number; readonly at: number }) | undefined;
}

export interface Hints {
  readonly data: Uint8Array;
  /** The starts of the tables of shared objects and of bookmarks in `data`. */
  readonly sharedAt: number;
  readonly outlinesAt: number | undefined;
}

export function hintsOf(facts: HintFacts): Hints {
  const bits = new Bits();
  pageOffsets(bits, facts);
  const sharedAt = bits.length;
  sharedObjects(bits, facts);
  const { outlines } = facts;
  const outlinesAt = outlines === undefined ? undefined : bits.length;
  if (outlines !== undefined) {
    for (const value of [outlines.num, outlines.at, outlines.objects, outlines.length]) bits.put(value, 32);
  }
  return { data: bits.bytes(), sharedAt, outlinesAt };
}

/** Tables F.3 and F.4. As in other programs, the content of a page is said to be as long as the page. */
function pageOffsets(bits: Bits, { firstPageAt, pages, sharedBy }: HintFacts): void {
  const objects = pages.map((page) => page.objects);
  const lengths = pages.map((page) => page.length);
  const counts = sharedBy.map((list) => list.length);
  const [fewest, shortest] = [least(objects), least(lengths)];
  const widths = {
    objects: width(greatest(objects) - fewest),
    length: width(greatest(lengths) - shortest),
    count: width(greatest(counts)),
    shared: width(greatest([0, ...sharedBy.flat()])),
  };
  bits.put(fewest, 32);
  bits.put(firstPageAt, 32);
  bits.put(widths.objects, 16);
  bits.put(shortest, 32);
  bits.put(widths.length, 16);
  bits.put(0, 32);
  bits.put(0, 16);
  bits.put(shortest, 32);
  bits.put(widths.length, 16);
  bits.put(widths.count, 16);
  bits.put(widths.shared, 16);
  bits.put(0, 16);
  bits.put(4, 16);
  bits.list(objects, widths.objects, fewest);
  bits.list(lengths, widths.length, shortest);
  bits.list(counts, widths.count);
  bits.list(sharedBy.flat(), widths.shared);
  // The content streams: no offsets from the beginning of the page, and the lengths of the pages.
  bits.list(lengths, widths.length, shortest);
}

/** Tables F.5 and F.6: each object is a group of its own. */
function sharedObjects(bits: Bits, { shared, sharedOfFirst, firstShared }: HintFacts): void {
  const shortest = least(shared);
  const wide = width(greatest(shared) - shortest);
  bits.put(firstShared?.num ?? 0, 32);
  bits.put(firstShared?.at ?? 0, 32);
  bits.put(sharedOfFirst, 32);
  bits.put(shared.length, 32);
  bits.put(0, 16);
  bits.put(shortest, 32);
  bits.put(wide, 16);
  bits.list(shared, wide, shortest);
  // No shared object has a signature.
  bits.list(new Array<number>(shared.length).fill(0), 1);
}

function width(value: number): number {
  return value === 0 ? 0 : Math.floor(Math.log2(value)) + 1;
}

class Bits {
  private readonly out: number[] = [];
  private rest = 0;
  private count = 0;

  get length(): number {
    return this.out.length;
  }

  put(value: number, bits: number): void {
    for (let bit = bits - 1; bit >= 0; bit--) {
      this.rest = (this.rest << 1) | (Math.floor(value / 2 ** bit) & 1);
      this.count += 1;
      if (this.count < 8) continue;
      this.out.push(this.rest);
      this.rest = 0;
      this.count = 0;
    }
  }

  /** Packs what values have more than `least` side by side, and fills up the last byte. */
  list(values: readonly number[], bits: number, least = 0): void {
    for (const value of values) this.put(value - least, bits);
    while (this.count > 0) this.put(0, 1);
  }

  bytes(): Uint8Array {
    return Uint8Array.from(this.out);
  }
}
