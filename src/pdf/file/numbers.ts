// Owns the number that each object of a file has in an output, and that the next output begins as the first one did.

/** The reference becomes null: what it leads to is not part of the output. */
export const DROPPED = -1;

/** Numbers by object: 0 not met yet, DROPPED, or the number. */
export class Numbers {
  readonly map: Int32Array;
  readonly settled: Int32Array | undefined;
  /** Objects whose number is not the settled one: of a file's tens of thousands, a page has some dozens. */
  private readonly changed: number[] = [];
  private count = 0;

  /** `settled`: what each output begins with, where there may be more than one. */
  constructor(size: number, settled: Int32Array | undefined) {
    this.map = settled?.slice() ?? new Int32Array(size);
    this.settled = settled;
  }

  set(num: number, fresh: number): void {
    this.map[num] = fresh;
    if (this.settled !== undefined) this.changed[this.count++] = num;
  }

  /** Begins another output. */
  reset(): void {
    const { changed, map, settled } = this;
    for (let i = 0; i < this.count; i++) map[changed[i]!] = settled?.[changed[i]!] ?? 0;
    this.count = 0;
  }
}
