import type { Clock, Progress } from '../../contract/base/ports.ts';
import { type Watcher, watch } from '../../runtime/terminal/progress.ts';
import { formatDuration } from '../../runtime/terminal/units.ts';
import type { Invocation } from './call.ts';
import type { Flags } from './flags.ts';

/** Shows progress as the flags ask: drawn on a terminal, as plain lines elsewhere, or not at all. */
export function openWatcher(
  { streams, clock, colour }: Pick<Invocation, 'streams' | 'clock' | 'colour'>,
  flags: Flags,
  title: string,
  watched = true,
): Watcher {
  const draws = streams.errIsTerminal && flags.progress;
  const mode = flags.quiet || !watched ? 'none' : draws ? 'draw' : 'lines';
  return watch({ streams, clock, mode, verbose: flags.verbose, colour, title });
}

/** Prints each step when it has ended, with its duration: for -v. */
export interface StepLog {
  /** A step has ended, now or at an earlier `time`; the next one begins. */
  ended(what: string, time?: number): void;
  /** An event of the engine: a change of phase ends the phase before. */
  progress(event: Progress): void;
}

export function watchSteps(clock: Clock, say: (line: string) => void): StepLog {
  let since = clock.now();
  let phase: string | undefined;
  const ended = (what: string, time = clock.now()) => {
    say(`${what}: ${formatDuration(Math.max(0, time - since))}`);
    since = Math.max(since, time);
    phase = undefined;
  };
  return {
    ended,
    progress(event) {
      if (phase !== undefined && event.phase !== phase) ended(`${phase} done`);
      phase = event.phase;
    },
  };
}
