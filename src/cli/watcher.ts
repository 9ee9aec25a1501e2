import { type Watcher, watch } from '../runtime/terminal/progress.ts';
import type { Flags } from './flags.ts';
import type { Invocation } from './invocation.ts';

/** Shows progress as the line asks: drawn on a terminal, in plain lines elsewhere, or not at all. */
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
