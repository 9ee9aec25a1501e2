import type { Context } from '../../../contract/base/ports.ts';

const SLICE = 50;
/** Reading the clock costs more than a small step of work, so it is read every so many steps. */
const STEPS = 64;

export class Pace {
  private readonly ctx: Context;
  private started: number;
  private steps = 0;

  constructor(ctx: Context) {
    this.ctx = ctx;
    this.started = ctx.clock.now();
  }

  /** Whether this thread has worked for a whole time slice without a pause. */
  isOver(): boolean {
    if (++this.steps < STEPS) return false;
    this.steps = 0;
    return this.ctx.clock.now() - this.started > SLICE;
  }

  /** Lets other tasks run; throws where the call was cancelled. */
  async yield(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.ctx.signal.throwIfAborted();
    this.started = this.ctx.clock.now();
  }
}
