import type { Context } from '../../../contract/ports.ts';

const SLICE = 50;
/** Asking the clock costs more than a small step of work, so it is asked every so many steps. */
const STEPS = 64;

export class Pace {
  private readonly ctx: Context;
  private started: number;
  private steps = 0;

  constructor(ctx: Context) {
    this.ctx = ctx;
    this.started = ctx.clock.now();
  }

  /** Whether the thread has been held for a whole slice. */
  isOver(): boolean {
    if (++this.steps < STEPS) return false;
    this.steps = 0;
    return this.ctx.clock.now() - this.started > SLICE;
  }

  /** Lets everything else run, then goes on; throws where the call was given up. */
  async yield(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.ctx.signal.throwIfAborted();
    this.started = this.ctx.clock.now();
  }
}
