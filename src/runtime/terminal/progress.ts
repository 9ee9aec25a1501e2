import type { Clock, Progress } from '../../contract/base/ports.ts';
import type { ProgressDrawing } from './drawing.ts';
import { printableLine } from './printable.ts';
import { describe } from './progress-words.ts';
import type { Streams } from './streams.ts';

export interface Watcher {
  progress(event: Progress): void;
  /** Prints a line of its own, above what is drawn. */
  line(text: string): void;
  /** Prints something else while nothing is drawn. */
  aside(print: () => void): void;
  /** Nothing is drawn while a person is asked something. */
  asking<T>(ask: () => Promise<T>): Promise<T>;
  /** Removes what is drawn from the terminal. */
  close(): void;
}

export interface WatchOptions {
  readonly streams: Streams;
  readonly clock: Clock;
  /** draw: a spinner or bar. lines: plain text. none: silence. */
  readonly mode: 'draw' | 'lines' | 'none';
  /** Every change of state at once, not only those that take long. */
  readonly verbose: boolean;
  readonly colour: boolean;
  /** What to show before the first event. */
  readonly title: string;
}

/** Milliseconds before anything is drawn: shorter work would only flicker. */
const DRAW_AFTER = 400;
/** Milliseconds after which a phase gets a line, on an output that is no terminal. */
const TELL_AFTER = 1000;
/** Milliseconds until the phase gets its next line. */
const TELL_AGAIN = 30_000;

export function watch(options: WatchOptions): Watcher {
  if (options.mode === 'none') return { progress() {}, line() {}, ...UNDRAWN, close() {} };
  return options.mode === 'draw' ? draw(options) : tell(options);
}

const UNDRAWN: Pick<Watcher, 'aside' | 'asking'> = { aside: (print) => print(), asking: (ask) => ask() };

function draw({ streams, title, colour }: WatchOptions): Watcher {
  let drawing: ProgressDrawing | undefined;
  let latest: Progress | undefined;
  let closed = false;
  let asking = false;
  const show = () => {
    if (!asking) drawing?.show(latest, title);
  };
  const begin = async () => {
    const { createDrawing } = await import('./drawing.ts');
    if (closed) return;
    drawing = createDrawing({ colour, columns: streams.columns });
    show();
  };
  const timer = setTimeout(() => void begin(), DRAW_AFTER);
  timer.unref();
  return {
    progress(event) {
      latest = event;
      show();
    },
    line(text) {
      drawing?.clear();
      streams.err(`${printableLine(text)}\n`);
      show();
    },
    aside(print) {
      drawing?.clear();
      print();
      show();
    },
    async asking(ask) {
      asking = true;
      drawing?.clear();
      try {
        return await ask();
      } finally {
        asking = false;
        show();
      }
    },
    close() {
      closed = true;
      clearTimeout(timer);
      drawing?.close();
    },
  };
}

function tell({ streams, clock, verbose }: WatchOptions): Watcher {
  let phase: string | undefined;
  let due = 0;
  const say = (text: string) => streams.err(`${printableLine(text)}\n`);
  return {
    progress(event) {
      if (event.phase !== phase) {
        phase = event.phase;
        due = clock.now() + (verbose ? 0 : TELL_AFTER);
      }
      if (clock.now() < due) return;
      due = clock.now() + TELL_AGAIN;
      say(describe(event));
    },
    line: say,
    ...UNDRAWN,
    close() {},
  };
}
