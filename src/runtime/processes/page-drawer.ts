// Draws pages in child processes. One at a time holds the document, and is replaced when it breaks or has grown. A worker of
// serve keeps one for the next document, which has a library of its own there: starting a process takes longer than to draw
// 50 thumbnails.

import { closeSync, openSync } from 'node:fs';
import { Failure } from '../../contract/failure.ts';
import type {
  ByteSource,
  Clock,
  DrawnPage,
  DrawQuestion,
  HelperAnswer,
  InnerPicture,
  PageDrawer,
  PageDrawing,
  PictureFormat,
} from '../../contract/ports.ts';
import { field, say } from '../../contract/wording.ts';
import { descriptorFor } from '../files/system/file-source.ts';
import { Channel, Lost } from './channel.ts';

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
/** Milliseconds that a process waits for the next document. */
const IDLE = 60_000;

interface Document {
  /** What messages call it. */
  readonly name: string;
  readonly password: string | undefined;
}

/** Values of a child that are not answers. `broken`: the process must not be asked again. */
type Refusal = { readonly failure?: Pick<Failure, 'code' | 'message' | 'kind' | 'hint'>; readonly broken?: string };

/** A process that has let go of its document and waits for the next one, for a while; at most one. */
export class Kept {
  readonly #clock: Clock;
  #channel: Channel | undefined;
  #taken = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The process, which is nobody else's then. */
  take(): Channel | undefined {
    const channel = this.#channel;
    this.#channel = undefined;
    this.#taken.abort();
    return channel?.isOpen === true ? channel : undefined;
  }

  keep(channel: Channel): void {
    this.take()?.close();
    this.#channel = channel;
    this.#taken = new AbortController();
    // Answered before anything that is asked later.
    askOf(channel, { ask: 'close' }).catch(() => channel.close());
    this.#clock.sleep(IDLE, this.#taken.signal).then(
      () => channel.close(),
      () => undefined,
    );
  }
}

/** `command`: the command line of a process that answers questions about a file. `kept`: where it may have worked before. */
export async function startDrawer(
  command: readonly string[],
  file: ByteSource,
  document: Document,
  clock: Clock,
  signal: AbortSignal,
  kept?: Kept,
): Promise<PageDrawer> {
  // What the descriptors of another process are is told by Linux alone.
  const drawer = new Drawer(command, file, document, clock, signal, process.platform === 'linux' ? kept : undefined);
  try {
    await drawer.open();
    return drawer;
  } catch (error) {
    drawer.close();
    throw error instanceof Lost ? failed(document.name, 'its pages', error) : error;
  }
}

class Drawer implements PageDrawer {
  readonly #start: () => Promise<Channel>;
  readonly #name: string;
  readonly #kept: Kept | undefined;
  readonly #channels = new Set<Channel>();
  #current: Promise<Channel> | undefined;
  /** Lost questions are asked once more, one by one, each in a process of its own: so only the page at fault fails. */
  #again: Promise<unknown> = Promise.resolve();
  #pages = 0;
  #isClosed = false;

  constructor(
    command: readonly string[],
    file: ByteSource,
    document: Document,
    clock: Clock,
    signal: AbortSignal,
    kept: Kept | undefined,
  ) {
    this.#name = document.name;
    this.#kept = kept;
    const limits = { clock, memory: MEMORY, patience: PATIENCE };
    const policy = { output: true, bytes: true, processorTime: PROCESSOR, signal, limits };
    const take = (channel: Channel) => {
      this.#channels.add(channel);
      void channel.ended.then(() => this.#channels.delete(channel));
      return channel;
    };
    this.#start = async () => {
      const input = descriptorFor(file);
      if (input === undefined) throw new TypeError(`${file.name} is no file that a process could be given`);
      if (kept === undefined) return this.#open(take(new Channel(command, { ...policy, input })), document);
      // A process that is there already opens it again by its descriptor here, which is this drawer's own.
      const descriptor = openSync(`/proc/self/fd/${input}`, 'r');
      try {
        return await this.#open(take(kept.take() ?? new Channel(command, policy)), { ...document, descriptor });
      } finally {
        closeSync(descriptor);
      }
    };
  }

  async #open(channel: Channel, document: Document & { readonly descriptor?: number }): Promise<Channel> {
    const { value } = await askOf(channel, { ask: 'open', ...document });
    this.#pages = (value as { pages: number }).pages; // said by cli/page-drawer.ts of the same program
    return channel;
  }

  get pageCount(): number {
    return this.#pages;
  }

  async open(): Promise<void> {
    await this.#channel();
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
    this.#isClosed = true;
    for (const channel of this.#channels) {
      if (this.#kept !== undefined && channel.isIdle && isFit(channel)) this.#kept.keep(channel);
      else channel.close();
      this.#channels.delete(channel);
    }
  }

  async #ask(page: number, question: DrawQuestion): Promise<HelperAnswer> {
    try {
      return await this.#send(await this.#channel(), question);
    } catch (error) {
      if (!(error instanceof Lost) || this.#isClosed) throw error;
    }
    const turn = this.#again.then(() => this.#askAlone(page, question));
    // Whoever asked is told of a failure; the next question only waits for its end.
    this.#again = turn.catch(() => undefined);
    return turn;
  }

  async #askAlone(page: number, question: DrawQuestion): Promise<HelperAnswer> {
    let channel: Channel | undefined;
    try {
      channel = await this.#start();
      return await this.#send(channel, question);
    } catch (error) {
      throw error instanceof Lost ? failed(this.#name, `page ${page}`, error) : error;
    } finally {
      channel?.close();
    }
  }

  async #send(channel: Channel, question: DrawQuestion): Promise<HelperAnswer> {
    // By now the process may hold another document.
    if (this.#isClosed) throw new Lost('its drawing was ended');
    return askOf(channel, question);
  }

  /** The process that is asked next; another one takes its place when it has grown. */
  async #channel(): Promise<Channel> {
    // A process that failed to start was reported to whoever asked first; another one is started.
    const current = await this.#current?.catch(() => undefined);
    if (current !== undefined && isFit(current)) return current;
    current?.retire();
    // Other callers wait for the same process.
    this.#current = this.#start();
    return this.#current;
  }
}

/** Asks one process. Its failures are thrown here, and a broken process is ended. */
async function askOf(channel: Channel, question: DrawQuestion): Promise<HelperAnswer> {
  const answer = await channel.ask(question);
  const { failure, broken } = answer.value as Refusal; // the child is this same program
  if (failure !== undefined)
    throw new Failure(failure.code, failure.message, { kind: failure.kind, hint: failure.hint });
  if (broken === undefined) return answer;
  channel.close();
  throw new Lost(broken);
}

function isFit(channel: Channel): boolean {
  return channel.isOpen && channel.asked < MOST_PAGES && (channel.memory() ?? 0) < GROWN;
}

function failed(name: string, what: string, { message }: Lost): Failure {
  return new Failure('unprocessable', `${name}: ${what} cannot be drawn: ${message}`, {
    kind: 'limit',
    hint: say`Leave the page out with ${field('pages')}, or ask for fewer pixels with ${field('dpi')}.`,
  });
}
