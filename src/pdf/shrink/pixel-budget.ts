/** Pixels decoded in parallel: coding a progressive JPEG takes some ten bytes for each. */
export const PIXELS_AT_ONCE = 10_000_000;
/** Pictures in parallel, however small: Node lends the codec four threads. */
const MOST_AT_ONCE = 3;

/** Runs work on pictures in parallel while the pixels being decoded stay below a bound. */
export class PixelBudget {
  private room: number;
  private running = 0;
  private readonly most: number;
  private readonly waiting: { readonly weight: number; readonly go: () => void }[] = [];

  constructor(room: number) {
    this.room = room;
    this.most = room;
  }

  /** Runs the work, in order, when there is room for its weight; work heavier than the bound runs alone. */
  async take<T>(weight: number, work: () => Promise<T>): Promise<T> {
    const share = Math.min(weight, this.most);
    if (this.waiting.length > 0 || !this.fits(share))
      await new Promise<void>((go) => this.waiting.push({ weight: share, go }));
    else this.enter(share);
    try {
      return await work();
    } finally {
      this.room += share;
      this.running -= 1;
      this.next();
    }
  }

  private next(): void {
    for (let [first] = this.waiting; first !== undefined && this.fits(first.weight); [first] = this.waiting) {
      this.waiting.shift();
      this.enter(first.weight);
      first.go();
    }
  }

  private fits(weight: number): boolean {
    return this.running < MOST_AT_ONCE && weight <= this.room;
  }

  private enter(weight: number): void {
    this.room -= weight;
    this.running += 1;
  }
}
