import { fstatSync, statSync, write as writeAside, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import type { ByteSource } from '../../contract/base/ports.ts';
import { errnoOf, writeFailure } from '../files/system/file-failure.ts';
import { ifPossible } from '../files/system/if-possible.ts';
import { printableJson, printableText } from './printable.ts';

const OUT = 1;
const ERR = 2;

/** What a surface prints to. The text is written when the call returns. */
export interface Streams {
  /** Whether standard output, or standard error, is a terminal. */
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  /** Columns of the terminal, 80 where there is none. */
  columns(): number;
  /** Text on standard output. A terminal is shown control characters in it as escapes. */
  out(text: string): void;
  /** The same for a value as JSON, on one line unless it is indented. */
  json(value: object, indent?: number): void;
  /** The same for our own text with colours in it. */
  painted(text: string): void;
  err(text: string): void;
  /** Copies a source to a descriptor, by default standard output. Ends quietly when the reader has gone. */
  pour(source: ByteSource, signal: AbortSignal, to?: Sink): Promise<void>;
  /** Whether a write waits for a slow reader. It cannot be cancelled, and keeps the process alive. */
  isStuck(): boolean;
}

interface Sink {
  readonly descriptor: number;
  readonly name: string;
}

/** The methods that print, for a terminal or for a pipe. */
export function textOutputs(
  isTerminal: boolean,
  write: (text: string) => void,
): Pick<Streams, 'out' | 'json' | 'painted'> {
  return {
    out: (text) => write(isTerminal ? printableText(text) : text),
    json(value, indent) {
      const text = `${JSON.stringify(value, undefined, indent)}\n`;
      write(isTerminal ? printableJson(text) : text);
    },
    painted: write,
  };
}

export function processStreams(): Streams {
  const outIsTerminal = isTerminal(OUT);
  const errIsTerminal = isTerminal(ERR);
  let outClosed = false;
  let writing = 0;
  const write = (text: string) => {
    if (!outClosed) outClosed = !writeWhole(OUT, text);
  };
  return {
    outIsTerminal,
    errIsTerminal,
    columns() {
      const stream = errIsTerminal ? process.stderr : outIsTerminal ? process.stdout : undefined;
      // A terminal without a size reports 0; ora divides by it, and then clears lines forever.
      if (stream?.columns === 0) stream.columns = 80;
      return stream?.columns ?? 80;
    },
    ...textOutputs(outIsTerminal, write),
    err(text) {
      try {
        writeWhole(ERR, text);
      } catch {
        // A failure to write to standard error cannot be reported anywhere.
      }
    },
    async pour(source, signal, to = { descriptor: OUT, name: 'standard output' }) {
      for await (const chunk of source.open(signal)) {
        for (let from = 0; from < chunk.length; ) {
          signal.throwIfAborted();
          writing += 1;
          const wrote = await orStopped(
            writeSome(to, chunk, from).finally(() => (writing -= 1)),
            signal,
          );
          if (wrote === 'closed') return;
          if (wrote === 0) await new Promise((resolve) => setTimeout(resolve, PAUSE));
          from += wrote;
        }
      }
    },
    isStuck: () => writing > 0,
  };
}

/** When the run is stopped, a write that waits for a slow reader is abandoned. */
function orStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Recognises files, pipes and /dev/null without node:tty, which loads node:net and costs 3 ms at start-up. */
function isTerminal(descriptor: number): boolean {
  // A descriptor that was closed before the start is no terminal.
  const isDevice = ifPossible(() => {
    const facts = fstatSync(descriptor);
    return facts.isCharacterDevice() && facts.rdev !== statSync(devNull).rdev;
  });
  return isDevice === true && process.getBuiltinModule('node:tty').isatty(descriptor);
}

const PAUSE = 2;

/** Returns false when the reader has gone. Waits on EAGAIN, which a pipe gives that another process made non-blocking. */
function writeWhole(descriptor: number, text: string): boolean {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; ) {
    try {
      from += writeSync(descriptor, bytes, from);
    } catch (error) {
      const code = errnoOf(error);
      if (code === 'EPIPE') return false;
      if (code !== 'EAGAIN') throw writeFailure(error, 'standard output');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
    }
  }
  return true;
}

/** On the thread pool, so that Ctrl-C is heard while a reader is slow. */
function writeSome(to: Sink, chunk: Uint8Array, from: number): Promise<number | 'closed'> {
  return new Promise((resolve, reject) => {
    writeAside(to.descriptor, chunk, from, chunk.length - from, null, (error, wrote) => {
      if (error === null) return resolve(wrote);
      const code = errnoOf(error);
      if (code === 'EPIPE') return resolve('closed');
      if (code === 'EAGAIN') return resolve(0);
      reject(writeFailure(error, to.name));
    });
  });
}
