import type { Hints, Stem } from './glyph.ts';

type Direction = 'horizontal' | 'vertical';

/** Widths that mark a single edge, its top or its bottom, rather than a stem (Type 1 Font Format, section 5.9). */
const SINGLE_EDGE = new Set([-20, -21]);

/** Stems add up until they are cleared. */
export class StemList {
  private stems: Record<Direction, Stem[]> = { horizontal: [], vertical: [] };
  private counters: Record<Direction, Stem[]> = { horizontal: [], vertical: [] };
  private told = true;

  /** `start` is measured from the glyph's origin. */
  add(direction: Direction, start: number, width: number): void {
    const stem = width >= 0 || SINGLE_EDGE.has(width) ? { start, width } : { start: start + width, width: -width };
    this.stems[direction].push(stem);
    this.told = false;
  }

  /** Three stems whose spacing is to be kept equal; `six` are start and width of each. */
  addThree(direction: Direction, side: number, six: readonly number[]): void {
    const before = this.stems[direction].length;
    for (let i = 0; i < 6; i += 2) this.add(direction, side + six[i]!, six[i + 1]!);
    this.counters[direction].push(...this.stems[direction].slice(before));
  }

  clear(): void {
    this.stems = { horizontal: [], vertical: [] };
    this.counters = { horizontal: [], vertical: [] };
    this.told = false;
  }

  /** The stems that hold now, if they are not those of the last call. */
  changed(): Hints | undefined {
    if (this.told) return undefined;
    this.told = true;
    const copy = ({ horizontal, vertical }: Record<Direction, Stem[]>) => ({
      horizontal: [...horizontal],
      vertical: [...vertical],
    });
    return { ...copy(this.stems), counters: copy(this.counters) };
  }
}
