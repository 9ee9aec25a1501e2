import { fstatSync, statSync, write, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import type { ByteSource } from '../../contract/ports.ts';
import { errnoOf, writeFailure } from '../files/file-failure.ts';

const OUT = 1;
const ERR = 2;

/** What a surface prints to. The text is written when the call returns. */
export interface Streams {
  /** Whether standard output, or standard error, is a terminal. */
  readonly outIsTerminal: boolean;
  readonly errIsTerminal: boolean;
  /** Columns of the terminal, 80 where there is none. */
  columns(): number;
  out(text: string): void;
  err(text: string): void;
  /** Copies a source to a descriptor, by default standard output. A reader that left ends it quietly. */
  pour(source: ByteSource, signal: AbortSignal, to?: Sink): Promise<void>;
  /** Whether a write waits for a reader: it cannot be given up, and keeps the process alive. */
  isStuck(): boolean;
}

interface Sink {
  readonly descriptor: number;
  readonly name: string;
}

export function processStreams(): Streams {
  const outIsTerminal = isTerminal(OUT);
  const errIsTerminal = isTerminal(ERR);
  let outClosed = false;
  let writing = 0;
  return {
    outIsTerminal,
    errIsTerminal,
    columns() {
      const stream = errIsTerminal ? process.stderr : outIsTerminal ? process.stdout : undefined;
      // A terminal without a size says 0; ora divides by it, and then clears lines for ever.
      if (stream?.columns === 0) stream.columns = 80;
      return stream?.columns ?? 80;
    },
    out(text) {
      if (!outClosed) outClosed = !writeWhole(OUT, text);
    },
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

/** Files, pipes and /dev/null are told apart without node:tty, which loads node:net and costs 3 ms at start-up. */
function isTerminal(descriptor: number): boolean {
  try {
    const found = fstatSync(descriptor);
    if (!found.isCharacterDevice() || found.rdev === statSync(devNull).rdev) return false;
  } catch {
    return false;
  }
  return process.getBuiltinModule('node:tty').isatty(descriptor);
}

const PAUSE = 2;

/** False when the reader has gone. A pipe that another process made non-blocking answers EAGAIN: wait and go on. */
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
    write(to.descriptor, chunk, from, chunk.length - from, null, (error, wrote) => {
      if (error === null) return resolve(wrote);
      const code = errnoOf(error);
      if (code === 'EPIPE') return resolve('closed');
      if (code === 'EAGAIN') return resolve(0);
      reject(writeFailure(error, to.name));
    });
  });
}
