import type { Clock, Progress } from '../contract/base/ports.ts';

/** Milliseconds between two notifications. */
const PAUSE = 100;

/** A progress notification of the protocol, without its token. */
export interface ProgressNotice {
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}

/** Turns progress events into one rising count, as the protocol requires: a phase continues where the last ended. */
export function steps(send: (step: ProgressNotice) => void, clock: Pick<Clock, 'now'>): (event: Progress) => void {
  let phase = '';
  let before = 0;
  let last = -1;
  let sent = 0;
  return ({ phase: now, done, total, unit, note }) => {
    if (now !== phase) {
      before = Math.max(0, last);
      phase = now;
    }
    const progress = before + done;
    const isEnd = total !== undefined && done >= total;
    if (progress <= last || (last >= 0 && clock.now() - sent < PAUSE && !isEnd)) return;
    last = progress;
    sent = clock.now();
    const count = total === undefined ? `${done} ${unit}` : `${done} of ${total} ${unit}`;
    send({
      progress,
      ...(total === undefined ? {} : { total: before + total }),
      message: `${now}: ${count}${note === undefined ? '' : `, ${note}`}`,
    });
  };
}
