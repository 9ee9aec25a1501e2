import cliProgress from 'cli-progress';
import { printableLine } from './printable.ts';
import { BAR } from './progress-words.ts';
import { formatDuration } from './units.ts';

export interface JobBar {
  /** `percent` is left out where it is not known. */
  show(text: string, percent?: number): void;
  /** Removes the bar. The caller prints how the job ended. */
  end(): void;
}

export interface JobBars {
  add(name: string, began: number): JobBar;
  /** Prints a line of its own above the bars. */
  line(text: string): void;
  close(): void;
}

const TICK = 500;
const FORMAT = '{name} {bar} {text}  {elapsed}';
/** Widths of the columns. */
const NAME = 24;
const TEXT = 16;

interface Row {
  readonly name: string;
  readonly began: number;
  text: string;
  percent: number;
}

/** `now`: milliseconds since the epoch. `write`: to standard error. */
export function createJobBars(columns: number, now: () => number, write: (text: string) => void): JobBars {
  const rows = new Map<Row, InstanceType<typeof cliProgress.SingleBar>>();
  let bars: InstanceType<typeof cliProgress.MultiBar> | undefined;
  const barsize = Math.max(8, Math.min(24, columns - NAME - TEXT - 16));
  const show = (row: Row) => {
    const { name, began, text, percent } = row;
    const label = { name: fitted(name, NAME), text: fitted(text, TEXT), elapsed: formatDuration(now() - began) };
    bars ??= new cliProgress.MultiBar({ ...BAR, format: FORMAT, barsize, emptyOnZero: true });
    const bar = rows.get(row);
    if (bar === undefined) rows.set(row, bars.create(100, percent, label));
    else bar.update(percent, label);
  };
  /** Removes all bars, does `work`, and draws them anew: removing one of several leaves its line behind (cli-progress 3.12). */
  const between = (work: () => void) => {
    const drawn = [...rows.keys()];
    bars?.stop();
    bars = undefined;
    rows.clear();
    work();
    for (const row of drawn) if (!ended.has(row)) show(row);
  };
  const ended = new WeakSet<Row>();
  const timer = setInterval(() => {
    for (const row of rows.keys()) show(row);
  }, TICK);
  timer.unref();
  return {
    add(name, began) {
      const row: Row = { name, began, text: '', percent: 0 };
      return {
        show(text, percent = 0) {
          row.text = text;
          row.percent = percent;
          show(row);
        },
        end: () => between(() => ended.add(row)),
      };
    },
    line: (text) => between(() => write(`${printableLine(text)}\n`)),
    close() {
      clearInterval(timer);
      bars?.stop();
      bars = undefined;
      rows.clear();
    },
  };
}

/** Text cut or padded to a width, so that columns line up. */
function fitted(text: string, width: number): string {
  const plain = printableLine(text);
  return plain.length > width ? `${plain.slice(0, width - 1)}…` : plain.padEnd(width);
}
