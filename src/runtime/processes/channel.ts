/**
 * Asks another process of this program, and takes its answers; both ends are here. Messages go over Node's own channel. The
 * bytes of pictures go beside it, over standard input and output, in the order of their messages: 35 MB of pixels take
 * 190 ms that way, and 330 ms inside a message.
 *
 * Both ends count the questions, and an answer has the number of its question, or is that of the oldest. The process is
 * ended when it takes more time or memory than the policy allows; all questions that wait are then lost, and the channel
 * takes no others. A caller that wants to go on opens another channel.
 */

import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Failure } from '../../contract/base/failure.ts';
import type { Clock, HelperAnswer, RandomAccess } from '../../contract/base/ports.ts';
import { after } from '../../contract/base/timing.ts';
import { Descriptors } from '../files/system/descriptors.ts';
import { fileSource } from '../files/system/file-source.ts';
import { type Child, type ChildOptions, openParent, outgrown, startChild } from './child.ts';

export interface Policy extends ChildOptions {
  /** Ends the process when it is aborted. */
  readonly signal?: AbortSignal;
  /** `memory`: resident bytes. `patience`: milliseconds for one question. Left out, the process bounds itself. */
  readonly limits?: { readonly clock: Clock; readonly memory: number; readonly patience: number };
}

/** The process ended, or had to be ended, before it answered. */
export class Lost extends Error {
  readonly why: 'ended' | 'killed' | 'memory' | 'time';

  constructor(message: string, why: Lost['why'] = 'ended') {
    super(message);
    this.why = why;
  }
}

/** What the child sends; `bytes` follow on its standard output. */
type Reply =
  | { readonly number?: number; readonly value: unknown; readonly bytes?: number }
  | { readonly number?: number; readonly error: string };

interface Waiting {
  resolve(answer: HelperAnswer): void;
  reject(error: unknown): void;
}

export const NO_BYTES = new Uint8Array(0);

export class Channel {
  readonly ended: Promise<unknown>;
  readonly #child: Child;
  readonly #policy: Policy;
  readonly #waiting = new Map<number, Waiting>();
  readonly #over = new AbortController();
  #asked = 0;
  #isRetired = false;

  /** `command`: the command line of a process that calls `openAsker`. */
  constructor(command: readonly string[], policy: Policy) {
    const { signal, limits } = policy;
    signal?.throwIfAborted();
    this.#policy = policy;
    const child = startChild(command, policy);
    this.#child = child;
    const intake = new Intake(child.output);
    // The child is this same program.
    child.onMessage((message) => void this.#take(message as Reply, intake));
    this.ended = child.ended.then(async ({ code, signal: by }) => {
      await intake.taken;
      const why = by === 'SIGXCPU' || by === 'SIGKILL' ? 'killed' : 'ended';
      this.#lose(new Lost(`the process that works on it ended (${by ?? `exit code ${code}`})`, why));
    });
    signal?.addEventListener('abort', () => this.#lose(signal.reason), { once: true, signal: this.#over.signal });
    if (limits === undefined) return;
    const { memory, clock } = limits;
    outgrown(child, memory, clock, this.#over.signal).then(
      () => this.#lose(new Lost(`it needs more than ${memory / (1024 * 1024)} MiB of memory`, 'memory')),
      () => undefined,
    );
  }

  get isOpen(): boolean {
    return !this.#over.signal.aborted;
  }

  /** Whether all questions are answered. */
  get isIdle(): boolean {
    return this.#waiting.size === 0;
  }

  get asked(): number {
    return this.#asked;
  }

  /** Resident bytes of the process; undefined where the system does not tell. */
  memory(): number | undefined {
    return this.#child.memory();
  }

  async ask(question: object, bytes: Uint8Array = NO_BYTES): Promise<HelperAnswer> {
    if (!this.isOpen) throw this.#over.signal.reason;
    const number = ++this.#asked;
    const answered = new Promise<HelperAnswer>((resolve, reject) => this.#waiting.set(number, { resolve, reject }));
    this.#child.send(bytes.length === 0 ? question : { ...question, following: bytes.length });
    if (bytes.length > 0) this.#child.input?.write(bytes);
    const late = new AbortController();
    const { limits } = this.#policy;
    if (limits !== undefined) {
      const why = new Lost(`it takes longer than ${limits.patience / 1000} s`, 'time');
      void after(limits.patience, limits.clock, late.signal, () => this.#lose(why));
    }
    try {
      return await answered;
    } finally {
      late.abort();
      if (this.#isRetired) this.retire();
    }
  }

  /** Ends the process once it has answered all questions. */
  retire(): void {
    this.#isRetired = true;
    if (this.#waiting.size === 0) this.close();
  }

  /** Ends the process: at once, or in order where the signal is SIGTERM. */
  close(signal?: 'SIGTERM'): void {
    this.#lose(new Lost('the process that works on it was ended'), signal);
  }

  async #take(reply: Reply, intake: Intake): Promise<void> {
    const number = reply.number ?? this.#waiting.keys().next().value ?? 0;
    const waiting = this.#waiting.get(number);
    const bytes = 'value' in reply ? await intake.take(reply.bytes ?? 0) : NO_BYTES;
    // The end of the process reports bytes that never came.
    if (bytes === undefined) return;
    this.#waiting.delete(number);
    if ('value' in reply) waiting?.resolve({ value: reply.value, bytes });
    else waiting?.reject(new Error(reply.error));
  }

  #lose(reason: unknown, signal?: 'SIGTERM'): void {
    if (!this.isOpen) return;
    this.#over.abort(reason);
    this.#child.kill(signal);
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }
}

/** Cuts the bytes of a stream into parts of known length. */
class Intake {
  /** Settles when all parts asked for are there, or the stream has ended. */
  taken: Promise<unknown> = Promise.resolve();
  readonly #pieces: Buffer[] = [];
  #held = 0;
  #isOver: boolean;
  #look = (): void => {};

  constructor(stream: Readable | undefined) {
    this.#isOver = stream === undefined;
    stream?.on('data', (piece: Buffer) => {
      this.#pieces.push(piece);
      this.#held += piece.length;
      this.#look();
    });
    for (const end of ['end', 'close', 'error']) {
      stream?.once(end, () => {
        this.#isOver = true;
        this.#look();
      });
    }
  }

  /** The next `count` bytes; undefined where the stream ends before. */
  take(count: number): Promise<Uint8Array | undefined> {
    const taking = this.taken.then(() => this.#next(count));
    this.taken = taking;
    return taking;
  }

  async #next(count: number): Promise<Uint8Array | undefined> {
    if (count === 0) return NO_BYTES;
    await new Promise<void>((resolve) => {
      this.#look = () => {
        if (this.#held >= count || this.#isOver) resolve();
      };
      this.#look();
    });
    if (this.#held < count) return undefined;
    this.#held -= count;
    const taken: Buffer[] = [];
    for (let missing = count; missing > 0; ) {
      const piece = this.#pieces.shift()!;
      taken.push(piece.subarray(0, missing));
      if (piece.length > missing) this.#pieces.unshift(piece.subarray(missing));
      missing -= piece.length;
    }
    return Buffer.concat(taken);
  }
}

/** The child's side of a channel. */
export interface Asker {
  /** Aborted when the parent has closed the channel or ended. */
  readonly gone: AbortSignal;
  /** A document to be read: an open file of the parent, by its descriptor there, or else standard input. The one before is closed. */
  file(name: string, descriptor?: number): RandomAccess;
  /** Closes that document. */
  closeFile(): void;
  /** Answers questions one by one until the parent is gone or the signal is aborted. */
  serve(answer: (question: object) => Promise<unknown>, signal?: AbortSignal): Promise<void>;
  /** Answers questions side by side, with bytes. */
  serveAtOnce(answer: (question: object, bytes: Uint8Array) => Promise<HelperAnswer>): Promise<void>;
}

/** The asker of this process, which runs the hidden command. Refuses where a person started it; `hint`: what to use. */
export function openAsker(command: string, hint: string): Asker {
  const parent = openParent();
  if (parent === undefined) throw new Failure('usage', `${command} is for pdftool itself`, { hint });
  const reply = (number: number, answering: Promise<HelperAnswer>) =>
    answering.then(
      ({ value, bytes }) => {
        parent.send({ number, value, bytes: bytes.length });
        if (bytes.length > 0) process.stdout.write(bytes);
      },
      (error: unknown) => parent.send({ number, error: error instanceof Error ? error.message : String(error) }),
    );
  const descriptors = new Descriptors();
  return {
    gone: parent.gone,
    file(name, descriptor) {
      descriptors.close();
      const file =
        descriptor === undefined
          ? descriptors.adopt(0, '/dev/stdin', name)
          : descriptors.open(`/proc/${process.ppid}/fd/${descriptor}`, name);
      return fileSource(file, descriptors);
    },
    closeFile: () => descriptors.close(),
    async serve(answer, signal) {
      let number = 0;
      let last = Promise.resolve();
      parent.onMessage((question) => {
        const answerNext = async () => ({ value: await answer(question as object), bytes: NO_BYTES });
        const mine = ++number;
        last = last.then(() => reply(mine, answerNext()));
      });
      if (signal?.aborted === true) parent.leave();
      signal?.addEventListener('abort', parent.leave, { once: true });
      if (!parent.gone.aborted) await once(parent.gone, 'abort');
      await last;
    },
    async serveAtOnce(answer) {
      let number = 0;
      let intake: Intake | undefined;
      parent.onMessage(async (message) => {
        const mine = ++number;
        const { following = 0, ...question } = message as { following?: number }; // sent by Channel.ask
        if (following > 0) intake ??= new Intake(process.stdin);
        const bytes = (await intake?.take(following)) ?? NO_BYTES;
        void reply(mine, answer(question, bytes));
      });
      if (!parent.gone.aborted) await once(parent.gone, 'abort');
    },
  };
}
