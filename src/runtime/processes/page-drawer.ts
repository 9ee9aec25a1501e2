// Draws pages in child processes. One at a time holds the document, and is replaced when it breaks or has grown. A worker of
// serve keeps one for the next document, which has a library of its own there: starting a process takes longer than to draw
// 50 thumbnails.

import { closeSync, openSync } from 'node:fs';
import { atEnd } from '../../contract/base/closing.ts';
import { Failure } from '../../contract/base/failure.ts';
import type {
  ByteSource,
  Clock,
  DrawnPage,
  DrawQuestion,
  HelperAnswer,
  InnerPicture,
  PageDrawer,
} from '../../contract/base/ports.ts';
import { after } from '../../contract/base/timing.ts';
import { field, say } from '../../contract/base/wording.ts';
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
    void after(IDLE, this.#clock, this.#taken.signal, () => channel.close());
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
  const idle = process.platform === 'linux' ? kept : undefined;
  const limits = { clock, memory: MEMORY, patience: PATIENCE };
  const policy = { output: true, bytes: true, processorTime: PROCESSOR, signal, limits };
  const channels = new Set<Channel>();
  let current: Promise<Channel> | undefined;
  /** Lost questions are asked once more, one by one, each in a process of its own: so only the page at fault fails. */
  let again: Promise<unknown> = Promise.resolve();
  let pageCount = 0;
  let isClosed = false;

  function take(channel: Channel): Channel {
    channels.add(channel);
    void channel.ended.then(() => channels.delete(channel));
    return channel;
  }

  async function open(channel: Channel, asked: Document & { readonly descriptor?: number }): Promise<Channel> {
    const { value } = await askOf(channel, { ask: 'open', ...asked });
    pageCount = (value as { pages: number }).pages; // said by cli/page-drawer.ts of the same program
    return channel;
  }

  async function start(): Promise<Channel> {
    const input = descriptorFor(file);
    if (input === undefined) throw new TypeError(`${file.name} is no file that a process could be given`);
    if (idle === undefined) return open(take(new Channel(command, { ...policy, input })), document);
    // A process that is there already opens it again by its descriptor here, which is this drawer's own.
    const descriptor = openSync(`/proc/self/fd/${input}`, 'r');
    using _ = atEnd(() => closeSync(descriptor));
    return await open(take(idle.take() ?? new Channel(command, policy)), { ...document, descriptor });
  }

  /** The process that is asked next; another one takes its place when it has grown. */
  async function next(): Promise<Channel> {
    // A process that failed to start was reported to whoever asked first; another one is started.
    const last = await current?.catch(() => undefined);
    if (last !== undefined && isFit(last)) return last;
    last?.retire();
    // Other callers wait for the same process.
    current = start();
    return current;
  }

  async function send(channel: Channel, question: DrawQuestion): Promise<HelperAnswer> {
    // By now the process may hold another document.
    if (isClosed) throw new Lost('its drawing was ended');
    return askOf(channel, question);
  }

  async function askAlone(page: number, question: DrawQuestion): Promise<HelperAnswer> {
    let channel: Channel | undefined;
    try {
      channel = await start();
      return await send(channel, question);
    } catch (error) {
      throw error instanceof Lost ? failed(document.name, `page ${page}`, error) : error;
    } finally {
      channel?.close();
    }
  }

  async function ask(page: number, question: DrawQuestion): Promise<HelperAnswer> {
    try {
      return await send(await next(), question);
    } catch (error) {
      if (!(error instanceof Lost) || isClosed) throw error;
    }
    const turn = again.then(() => askAlone(page, question));
    // Whoever asked is told of a failure; the next question only waits for its end.
    again = turn.catch(() => undefined);
    return turn;
  }

  function close(): void {
    isClosed = true;
    for (const channel of channels) {
      if (idle !== undefined && channel.isIdle && isFit(channel)) idle.keep(channel);
      else channel.close();
      channels.delete(channel);
    }
  }

  try {
    await next();
  } catch (error) {
    close();
    throw error instanceof Lost ? failed(document.name, 'its pages', error) : error;
  }
  // Values are said by cli/page-drawer.ts of the same program.
  return {
    pageCount,
    size: async (page) => (await ask(page, { ask: 'size', page })).value as { width: number; height: number },
    async draw(drawing) {
      const { value, bytes } = await ask(drawing.page, { ask: 'draw', drawing });
      return { ...(value as Omit<DrawnPage, 'pixels'>), pixels: bytes };
    },
    picture: async (drawing, format) => (await ask(drawing.page, { ask: 'picture', drawing, format })).bytes,
    pictures: async (page) => (await ask(page, { ask: 'pictures', page })).value as readonly InnerPicture[],
    takePicture: async (page, index) => (await ask(page, { ask: 'take', page, index })).bytes,
    close,
  };
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
