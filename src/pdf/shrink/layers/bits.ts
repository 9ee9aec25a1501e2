// Pictures of one bit per pixel, 32 pixels in a word with the leftmost in its highest bit: on a page of ink most words
// are zero, and the others are processed 32 pixels at a time.

export interface Bits {
  readonly words: Int32Array;
  /** Words of a row; bits beyond the width are 0. */
  readonly stride: number;
  readonly width: number;
  readonly height: number;
}

export function emptyBits(width: number, height: number): Bits {
  const stride = (width + 31) >> 5;
  return { words: new Int32Array(stride * height), stride, width, height };
}

export function hasBit({ words, stride }: Bits, x: number, y: number): boolean {
  return words[y * stride + (x >> 5)]! << (x & 31) < 0;
}

export function setBit({ words, stride }: Bits, x: number, y: number): void {
  words[y * stride + (x >> 5)]! |= 0x80000000 >>> (x & 31);
}

export function clearBits({ words, stride }: Bits, y: number, from: number, to: number): void {
  for (let x = from; x < to; x++) words[y * stride + (x >> 5)]! &= ~(0x80000000 >>> (x & 31));
}

/** Calls `visit` with the index of each set pixel, row after row. */
export function forEachBit({ words, stride, width }: Bits, visit: (at: number) => void): void {
  for (let i = 0; i < words.length; i++) {
    const first = Math.floor(i / stride) * width + (i % stride) * 32;
    for (let word = words[i]!; word !== 0; ) {
      const place = Math.clz32(word);
      visit(first + place);
      word &= ~(0x80000000 >>> place);
    }
  }
}

export function countSetBits({ words }: Bits): number {
  let count = 0;
  for (let i = 0; i < words.length; i++) {
    let word = words[i]!;
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

/** Computes each word from itself and its neighbours on all four sides. */
function mapped(bits: Bits, value: (word: number, left: number, right: number, over: number, under: number) => number) {
  const { words, stride, width, height } = bits;
  const out = emptyBits(width, height);
  const last = width & 31 ? ~(-1 >>> (width & 31)) : -1;
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < stride; x++, i++) {
      const left = x === 0 ? 0 : words[i - 1]!;
      const right = x + 1 === stride ? 0 : words[i + 1]!;
      const over = y === 0 ? 0 : words[i - stride]!;
      const under = y + 1 === height ? 0 : words[i + stride]!;
      const word = value(words[i]!, left, right, over, under);
      out.words[i] = x + 1 === stride ? word & last : word;
    }
  return out;
}

export function inverted(bits: Bits): Bits {
  return mapped(bits, (word) => ~word);
}

/** Dilation: set pixels and those up to `reach` beside or above them. */
export function dilated(bits: Bits, reach: number): Bits {
  let out = mapped(bits, (word, left, right) => {
    let wide = word;
    for (let by = 1; by <= reach; by++)
      wide |= (word >>> by) | (left << (32 - by)) | (word << by) | (right >>> (32 - by));
    return wide;
  });
  for (let by = 1; by <= reach; by++) out = mapped(out, (word, _left, _right, over, under) => word | over | under);
  return out;
}

/** Without isolated pixels, which share no side with another. */
export function withoutSpecks(bits: Bits): Bits {
  return mapped(bits, (word, left, right, over, under) => {
    const beside = (word >>> 1) | (left << 31) | (word << 1) | (right >>> 31);
    return word & (beside | over | under);
  });
}

/** At half the size: set where at least half of the pixels are. */
export function halved(bits: Bits): Bits {
  const { width, height } = bits;
  const half = emptyBits((width + 1) >> 1, (height + 1) >> 1);
  for (let y = 0; y < half.height; y++)
    for (let x = 0; x < half.width; x++) {
      const [right, below] = [Math.min(width - 1, 2 * x + 1), Math.min(height - 1, 2 * y + 1)];
      const above = Number(hasBit(bits, 2 * x, 2 * y)) + Number(hasBit(bits, right, 2 * y));
      if (above + Number(hasBit(bits, 2 * x, below)) + Number(hasBit(bits, right, below)) >= 2) setBit(half, x, y);
    }
  return half;
}

/** Rows as in a PDF stencil: 0 where there is ink. */
export function stencilOf({ words, stride, width, height }: Bits): Uint8Array {
  const bytes = (width + 7) >> 3;
  const rows = new Uint8Array(bytes * height);
  for (let y = 0, to = 0; y < height; y++)
    for (let i = 0; i < bytes; i++, to++) rows[to] = ~words[y * stride + (i >> 2)]! >>> (24 - 8 * (i & 3));
  return rows;
}
