// Owns the bars of several jobs at once, one each, on a terminal. Loaded only when one is drawn; knows no service.
import cliProgress from 'cli-progress';
import { printableLine } from './printable.ts';
import { formatDuration } from './units.ts';

export interface JobBar {
  /** `percent` is left out where it is not known. */
  show(text: string, percent?: number): void;
  /** Takes it off; whoever calls says in a line how it ended. */
  end(): void;
}

export interface JobBars {
  add(name: string, began: number): JobBar;
  /** A line of its own, above the bars. */
  line(text: string): void;
  /** Takes them all off the terminal. */
  close(): void;
}

const TICK = 500;
const NAME = 24;

/** `now`: milliseconds since the epoch. `write`: to standard error. */
export function createJobBars(columns: number, now: () => number, write: (text: string) => void): JobBars {
  const room = Math.max(8, Math.min(24, columns - NAME - 42));
  const bars = new cliProgress.MultiBar({
    format: '{name} {bar} {text}  {elapsed}',
    barCompleteChar: '━',
    barIncompleteChar: '─',
    barsize: room,
    clearOnComplete: true,
    stopOnComplete: false,
    // Our own signal handling ends the work; the terminal is left as it is.
    gracefulExit: false,
    linewrap: true,
    hideCursor: false,
    fps: 10,
    emptyOnZero: true,
  });
  const live = new Set<() => void>();
  const timer = setInterval(() => {
    for (const tick of live) tick();
  }, TICK);
  timer.unref();
  const close = () => {
    clearInterval(timer);
    live.clear();
    bars.stop();
  };
  return {
    add(name, began) {
      const label = { name: fitted(name), text: fitted('', 14), elapsed: '' };
      const bar = bars.create(100, 0, label);
      let shown = { text: '', percent: 0 };
      const tick = () => {
        const { text, percent } = shown;
        bar.update(percent, { ...label, text: fitted(text, 14), elapsed: formatDuration(now() - began) });
      };
      live.add(tick);
      return {
        show(text, percent = 0) {
          shown = { text: printableLine(text), percent };
          tick();
        },
        end() {
          live.delete(tick);
          bars.remove(bar);
        },
      };
    },
    line(text) {
      const said = `${printableLine(text)}\n`;
      // Without a bar there is nothing to write above of.
      if (live.size === 0) write(said);
      else {
        bars.log(said);
        bars.update();
      }
    },
    close,
  };
}

/** In a column of its own, so that bars stand below each other. */
function fitted(text: string, width = NAME): string {
  const plain = printableLine(text);
  return plain.length > width ? `${plain.slice(0, width - 1)}…` : plain.padEnd(width);
}
