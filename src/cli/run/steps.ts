import type { Clock, Progress } from '../../contract/ports.ts';
import { formatDuration } from '../../runtime/terminal/units.ts';

/** Tells of each step when it has ended, with the time that it took: for -v. */
export interface Steps {
  /** A step has ended; the next one begins. */
  ended(what: string): void;
  /** Of the engine: where its phase changes, the one before has ended. */
  progress(event: Progress): void;
}

export function tellSteps(clock: Clock, say: (line: string) => void): Steps {
  let since = clock.now();
  let phase: string | undefined;
  const ended = (what: string) => {
    const now = clock.now();
    say(`${what}: ${formatDuration(now - since)}`);
    since = now;
  };
  return {
    ended(what) {
      ended(what);
      phase = undefined;
    },
    progress(event) {
      if (phase !== undefined && event.phase !== phase) ended(`${phase} done`);
      phase = event.phase;
    },
  };
}
