// Pages drawn in child processes: one at a time holds the document, and is replaced when it breaks or has grown. The
// messages go over the channel of the child, bytes over its standard output in the order of the messages.
import type { Readable } from 'node:stream';
import { Failure, type FailureCode, type FailureKind } from '../../contract/failure.ts';
import type {
  ByteSource,
  Clock,
  DrawnPage,
  InnerPicture,
  PageDrawer,
  PageDrawing,
  PictureFormat,
  RandomAccess,
} from '../../contract/ports.ts';
import { Descriptors } from '../files/descriptors.ts';
import { descriptorFor, fileSource } from '../files/file-source.ts';
import { type Child, openParent, outgrown, startChild } from './child.ts';

/** Milliseconds that one page may take. */
const PATIENCE = 60_000;
/** Resident bytes a child may hold while it draws a page. */
const MEMORY = 1024 * 1024 * 1024;
/** WebAssembly gives no memory back: a child that holds more after a page is replaced before the next one. */
const GROWN = 256 * 1024 * 1024;
/** Seconds of processor time a child has in all: for one that is stuck when its parent is killed. */
const PROCESSOR = 900;
/** Pages after which a child is replaced, so that PROCESSOR is never reached by pages that keep to PATIENCE on the whole. */
const MOST_PAGES = 500;

interface Document {
  /** As messages call it. */
  readonly name: string;
  readonly password: string | undefined;
}

/** What the two say to each other: plain data, on one machine and of one version. */
type DrawQuestion =
  | ({ readonly ask: 'open' } & Document)
  | { readonly ask: 'size'; readonly page: number }
  | { readonly ask: 'pictures'; readonly page: number }
  | { readonly ask: 'take'; readonly page: number; readonly index: number }
  | { readonly ask: 'draw'; readonly drawing: PageDrawing }
  | { readonly ask: 'picture'; readonly drawing: PageDrawing; readonly format: PictureFormat };

/** `bytes` follow on standard output. `broken`: the process must not be asked again. */
type DrawAnswer =
  | { readonly value: object; readonly bytes: number }
  | { readonly failure: ToldFailure }
  | { readonly broken: string };

interface ToldFailure {
  readonly code: FailureCode;
  readonly message: string;
  readonly kind: FailureKind | undefined;
  readonly hint: string | undefined;
}

interface Answered {
  readonly value: object;
  readonly bytes: Uint8Array;
}

interface Waiting {
  resolve(answer: Answered): void;
  reject(error: unknown): void;
}

/** The process ended, or had to be ended, before it answered; `why` is the rest of a sentence about a page. */
class Lost extends Error {}

/** `command`: the command line of a process that answers questions about its standard input. */
export async function startDrawer(
  command: readonly string[],
  file: ByteSource,
  document: Document,
  clock: Clock,
  signal: AbortSignal,
): Promise<PageDrawer> {
  const drawer = new Drawer(command, file, document, clock, signal);
  try {
    await drawer.open();
    return drawer;
  } catch (error) {
    drawer.close();
    throw error instanceof Lost ? failed(document.name, 'its pages', error) : error;
  }
}

class Drawer implements PageDrawer {
  readonly #start: () => Promise<Host>;
  readonly #name: string;
  readonly #hosts = new Set<Host>();
  #current: Promise<Host> | undefined;
  /** Those who are asked again go one after the other, each in a process of its own: whose fault it is shows. */
  #again: Promise<unknown> = Promise.resolve();
  #pages = 0;

  constructor(command: readonly string[], file: ByteSource, document: Document, clock: Clock, signal: AbortSignal) {
    this.#name = document.name;
    this.#start = async () => {
      signal.throwIfAborted();
      const host = new Host(command, file, clock, signal);
      this.#hosts.add(host);
      void host.ended.then(() => this.#hosts.delete(host));
      const { value } = await host.ask({ ask: 'open', ...document });
      this.#pages = (value as { pages: number }).pages; // said by cli/page-drawer.ts of the same program
      return host;
    };
  }

  get pageCount(): number {
    return this.#pages;
  }

  async open(): Promise<void> {
    await this.#host();
  }

  async size(page: number): Promise<{ width: number; height: number }> {
    const { value } = await this.#ask(page, { ask: 'size', page });
    return value as { width: number; height: number }; // said by cli/page-drawer.ts of the same program
  }

  async draw(drawing: PageDrawing): Promise<DrawnPage> {
    const { value, bytes } = await this.#ask(drawing.page, { ask: 'draw', drawing });
    return { ...(value as Omit<DrawnPage, 'pixels'>), pixels: bytes }; // likewise
  }

  async picture(drawing: PageDrawing, format: PictureFormat): Promise<Uint8Array> {
    return (await this.#ask(drawing.page, { ask: 'picture', drawing, format })).bytes;
  }

  async pictures(page: number): Promise<readonly InnerPicture[]> {
    const { value } = await this.#ask(page, { ask: 'pictures', page });
    return value as readonly InnerPicture[]; // likewise
  }

  async takePicture(page: number, index: number): Promise<Uint8Array> {
    return (await this.#ask(page, { ask: 'take', page, index })).bytes;
  }

  close(): void {
    for (const host of this.#hosts) host.kill();
  }

  async #ask(page: number, question: DrawQuestion): Promise<Answered> {
    try {
      const host = await this.#host();
      return await host.ask(question);
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
    }
    const turn = this.#again.then(() => this.#askAlone(page, question));
    this.#again = turn.catch(() => undefined);
    return turn;
  }

  async #askAlone(page: number, question: DrawQuestion): Promise<Answered> {
    let host: Host | undefined;
    try {
      host = await this.#start();
      return await host.ask(question);
    } catch (error) {
      throw error instanceof Lost ? failed(this.#name, `page ${page}`, error) : error;
    } finally {
      host?.kill();
    }
  }

  /** The process that is asked next; another one takes its place when it has grown. */
  async #host(): Promise<Host> {
    const current = await this.#current?.catch(() => undefined);
    if (current?.isFit === true) return current;
    current?.retire();
    // Whoever comes meanwhile waits for the same one.
    this.#current = this.#start();
    return this.#current;
  }
}

/** One child process with the document open in it. */
class Host {
  readonly ended: Promise<unknown>;
  readonly #child: Child;
  readonly #intake: Intake;
  readonly #waiting: Waiting[] = [];
  readonly #over = new AbortController();
  readonly #clock: Clock;
  /** Answers are taken one after the other. */
  #taken: Promise<void> = Promise.resolve();
  #asked = 0;
  #isRetired = false;

  constructor(command: readonly string[], file: ByteSource, clock: Clock, signal: AbortSignal) {
    const input = descriptorFor(file);
    if (input === undefined) throw new TypeError(`${file.name} is no file that a process could be given`);
    this.#clock = clock;
    this.#child = startChild(command, { input, output: true, processorTime: PROCESSOR });
    this.#intake = new Intake(this.#child.output);
    this.ended = this.#child.ended;
    this.#child.onMessage((message) => {
      // The child is this same program.
      const waiting = this.#waiting.shift();
      if (waiting !== undefined) this.#taken = this.#taken.then(() => this.#take(message as DrawAnswer, waiting));
    });
    const aborted = () => this.#lose(signal.reason);
    signal.addEventListener('abort', aborted, { once: true });
    void this.ended.then(async () => {
      signal.removeEventListener('abort', aborted);
      // What it said last may be on its way.
      await this.#taken;
      this.#lose(new Lost('the process that draws it ended'));
    });
    outgrown(this.#child, MEMORY, clock, this.#over.signal).then(
      () => this.#lose(new Lost(`it needs more than ${MEMORY / (1024 * 1024)} MiB of memory`)),
      () => undefined,
    );
  }

  get isFit(): boolean {
    return !this.#over.signal.aborted && this.#asked < MOST_PAGES && (this.#child.memory() ?? 0) < GROWN;
  }

  async ask(question: DrawQuestion): Promise<Answered> {
    this.#asked += 1;
    const answered = new Promise<Answered>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    if (this.#over.signal.aborted) this.#lose(new Lost('the process that draws it ended'));
    else this.#child.send(question);
    const late = new AbortController();
    const patience = this.#clock.sleep(PATIENCE, late.signal);
    patience.then(
      () => this.#lose(new Lost(`it takes longer than ${PATIENCE / 1000} s`)),
      () => undefined,
    );
    try {
      return await answered;
    } finally {
      late.abort();
      if (this.#isRetired && this.#waiting.length === 0) this.kill();
    }
  }

  /** Ends it when it has answered. */
  retire(): void {
    this.#isRetired = true;
    if (this.#waiting.length === 0) this.kill();
  }

  kill(): void {
    this.#lose(new Lost('the process that draws it was ended'));
  }

  async #take(answer: DrawAnswer, { resolve, reject }: Waiting): Promise<void> {
    if ('broken' in answer) {
      reject(new Lost(answer.broken));
      this.kill();
    } else if ('failure' in answer) {
      const { code, message, kind, hint } = answer.failure;
      reject(new Failure(code, message, { kind, hint }));
    } else {
      const bytes = await this.#intake.take(answer.bytes);
      if (bytes === undefined) reject(new Lost('the process that draws it ended'));
      else resolve({ value: answer.value, bytes });
    }
  }

  #lose(reason: unknown): void {
    this.#over.abort();
    this.#child.kill();
    for (const { reject } of this.#waiting.splice(0)) reject(reason);
  }
}

/** The bytes of a stream, taken in parts of known length. */
class Intake {
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

  /** The next so many; undefined where the stream ends before. */
  async take(count: number): Promise<Uint8Array | undefined> {
    await new Promise<void>((resolve) => {
      this.#look = () => {
        if (this.#held >= count || this.#isOver) resolve();
      };
      this.#look();
    });
    if (this.#held < count) return undefined;
    const all = Buffer.concat(this.#pieces.splice(0));
    this.#held = all.length - count;
    if (this.#held > 0) this.#pieces.push(all.subarray(count));
    return all.subarray(0, count);
  }
}

function failed(name: string, what: string, { message }: Lost): Failure {
  return new Failure('unprocessable', `${name}: ${what} cannot be drawn: ${message}`, {
    kind: 'limit',
    hint: 'Leave the page out with --pages, or ask for fewer pixels with --dpi.',
  });
}

/** In the child: the file and who asks about it. Undefined where nobody does. */
export function receiveQuestions():
  | {
      readonly file: (name: string) => RandomAccess;
      readonly gone: AbortSignal;
      /** `answer` gives one for each question, in their order. */
      serve(
        answer: (question: DrawQuestion) => Promise<Answered | { failure: ToldFailure } | { broken: string }>,
      ): void;
    }
  | undefined {
  const parent = openParent();
  if (parent === undefined) return undefined;
  const descriptors = new Descriptors();
  return {
    file: (name) => fileSource(descriptors.adopt(0, '/dev/stdin', name), descriptors),
    gone: parent.gone,
    serve(answer) {
      let last: Promise<unknown> = Promise.resolve();
      parent.onMessage((message) => {
        const answering = answer(message as DrawQuestion); // the parent is this same program
        last = last.then(async () => {
          const answered = await answering;
          if (!('bytes' in answered)) return parent.send(answered);
          const { value, bytes } = answered;
          parent.send({ value, bytes: bytes.length });
          await new Promise<void>((resolve) => process.stdout.write(bytes, () => resolve()));
        });
      });
    },
  };
}
