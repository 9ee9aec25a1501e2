import type { Clock, Progress } from '../../contract/ports.ts';
import { formatDuration } from '../../runtime/terminal/units.ts';

/** Tells of each step when it has ended, with the time that it took: for -v. */
export interface Steps {
  /** A step has ended; the next one begins. */
  ended(what: string): void;
  /** The same, where it ended at an earlier time that `now` gave. */
  endedAt(time: number, what: string): void;
  /** Of the engine: where its phase changes, the one before has ended. */
  progress(event: Progress): void;
}

export function tellSteps(clock: Clock, say: (line: string) => void): Steps {
  let since = clock.now();
  let phase: string | undefined;
  const endedAt = (time: number, what: string) => {
    say(`${what}: ${formatDuration(Math.max(0, time - since))}`);
    since = Math.max(since, time);
    phase = undefined;
  };
  const ended = (what: string) => endedAt(clock.now(), what);
  return {
    ended,
    endedAt,
    progress(event) {
      if (phase !== undefined && event.phase !== phase) ended(`${phase} done`);
      phase = event.phase;
    },
  };
}
