// Owns how work in progress is shown: drawn on a terminal, a line per change of state elsewhere. Knows no operation.
import type { Clock, Progress } from '../contract/ports.ts';
import type { Drawing } from './drawing.ts';
import { printableLine } from './printable.ts';
import type { Streams } from './streams.ts';
import { count, formatSize, grouped } from './units.ts';

export interface Watcher {
  progress(event: Progress): void;
  /** One line of its own, above whatever is drawn. */
  line(text: string): void;
  /** Something else may be printed while nothing is drawn. */
  aside(print: () => void): void;
  /** Nothing is drawn while a person is asked something. */
  asking<T>(ask: () => Promise<T>): Promise<T>;
  /** Takes what is drawn off the terminal. */
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

/** Work that ends sooner is not worth a flicker. */
const DRAW_AFTER = 400;
/** A phase that takes longer than this is told of where nothing can be drawn. */
const TELL_AFTER = 1000;

export function watch(options: WatchOptions): Watcher {
  if (options.mode === 'none') return { progress() {}, line() {}, ...UNDRAWN, close() {} };
  return options.mode === 'draw' ? draw(options) : tell(options);
}

const UNDRAWN: Pick<Watcher, 'aside' | 'asking'> = { aside: (print) => print(), asking: (ask) => ask() };

function draw({ streams, title, colour }: WatchOptions): Watcher {
  let drawing: Drawing | undefined;
  let latest: Progress | undefined;
  let closed = false;
  let asking = false;
  const show = () => {
    if (!asking) drawing?.show(latest, title);
  };
  const begin = async () => {
    const { createDrawing } = await import('./drawing.ts');
    if (closed) return;
    drawing = createDrawing({ colour, columns: streams.columns() });
    show();
  };
  // The engine works in steps and lets timers run between them.
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
  let since = 0;
  let told = false;
  const say = (text: string) => streams.err(`${printableLine(text)}\n`);
  return {
    progress(event) {
      if (event.phase !== phase) {
        phase = event.phase;
        since = clock.now();
        told = false;
      }
      if (told || !(verbose || clock.now() - since >= TELL_AFTER)) return;
      told = true;
      say(describe(event));
    },
    line: say,
    ...UNDRAWN,
    close() {},
  };
}

/** `merge: 3 of 20 files, b.pdf` */
export function describe({ phase, done, total, unit, note }: Progress): string {
  const amount = total === undefined ? (done > 0 ? `: ${quantity(done, unit)}` : '') : `: ${ratio(done, total, unit)}`;
  return `${phase}${amount}${note === undefined ? '' : `, ${note}`}`;
}

/** `3 of 20 files`, `1.2 MB of 30 MB` */
export function ratio(done: number, total: number, unit: Progress['unit']): string {
  return unit === 'bytes'
    ? `${formatSize(done)} of ${formatSize(total)}`
    : `${grouped(done)} of ${quantity(total, unit)}`;
}

function quantity(amount: number, unit: Progress['unit']): string {
  return unit === 'bytes' ? formatSize(amount) : count(amount, unit.slice(0, -1));
}
