import cliProgress from 'cli-progress';
import ora, { type Ora } from 'ora';
import type { Progress } from '../../contract/base/ports.ts';
import { printableLine } from './printable.ts';
import { BAR, describe, ratio } from './progress-words.ts';

export interface ProgressDrawing {
  show(event: Progress | undefined, title: string): void;
  /** Removes the drawing for now; the next `show` draws it again. */
  clear(): void;
  close(): void;
}

type Bar = InstanceType<typeof cliProgress.SingleBar>;

/** `columns`: of the terminal now, which may be made narrower while something is drawn. */
export function createDrawing({ colour, columns }: { colour: boolean; columns: () => number }): ProgressDrawing {
  let spinner: Ora | undefined;
  let bar: Bar | undefined;
  let total = 0;
  let width = 0;
  const clear = () => {
    spinner?.stop();
    spinner = undefined;
    bar?.stop();
    bar = undefined;
  };
  const spin = (text: string) => {
    bar?.stop();
    bar = undefined;
    // Neither the cursor nor stdin is touched: there is nothing to restore after a signal.
    spinner ??= ora({
      text,
      hideCursor: false,
      discardStdin: false,
      isEnabled: true,
      color: colour ? 'cyan' : false,
    }).start();
    spinner.text = text;
  };
  const fill = (event: Progress, of: number) => {
    spinner?.stop();
    spinner = undefined;
    if (width !== columns()) {
      bar?.stop();
      bar = undefined;
      width = columns();
    }
    const amount = ratio(event.done, of, event.unit);
    const room = width - barWidth(width) - BESIDE - amount.length;
    const label = { phase: printableLine(event.phase).slice(0, Math.max(1, room)), amount };
    if (bar === undefined) {
      bar = new cliProgress.SingleBar({ ...BAR, format: FORMAT, barsize: barWidth(width) });
      bar.start(of, event.done, label);
    } else {
      if (of !== total) bar.setTotal(of);
      bar.update(event.done, label);
    }
    total = of;
  };
  return {
    show(event, title) {
      if (event?.total !== undefined && event.total > 0) fill(event, event.total);
      else spin(cut(printableLine(event === undefined ? title : describe(event)), columns()));
    },
    clear,
    close: clear,
  };
}

/** Columns of a bar's line besides bar, phase and amount: spaces, the percentage, and a free one at the end. */
const BESIDE = 9;

/** Narrow terminals have a short bar, so that the line does not wrap: a wrapped line is left behind when it is redrawn. */
function barWidth(columns: number): number {
  return Math.max(4, Math.min(30, columns - 50));
}

const FORMAT = '{phase} {bar} {percentage}%  {amount}';

/** Cuts a spinner's line to the terminal: a line that wraps is not erased whole when it is redrawn. */
function cut(text: string, columns: number): string {
  const room = Math.max(10, columns - 4);
  return text.length <= room ? text : `${text.slice(0, room - 1)}…`;
}
