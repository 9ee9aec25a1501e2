// Draws pages in child processes. One at a time holds the document, and is replaced when it breaks or has grown.

import { Failure } from '../../contract/failure.ts';
import type {
  ByteSource,
  Clock,
  DrawnPage,
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

interface Document {
  /** What messages call it. */
  readonly name: string;
  readonly password: string | undefined;
}

/** Questions as `pdf/render/answer.ts` of the same program answers them. */
type DrawQuestion =
  | ({ readonly ask: 'open' } & Document)
  | { readonly ask: 'size'; readonly page: number }
  | { readonly ask: 'pictures'; readonly page: number }
  | { readonly ask: 'take'; readonly page: number; readonly index: number }
  | { readonly ask: 'draw'; readonly drawing: PageDrawing }
  | { readonly ask: 'picture'; readonly drawing: PageDrawing; readonly format: PictureFormat };

/** Values of a child that are not answers. `broken`: the process must not be asked again. */
type Refusal = { readonly failure?: Pick<Failure, 'code' | 'message' | 'kind' | 'hint'>; readonly broken?: string };

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
  readonly #start: () => Promise<Channel>;
  readonly #name: string;
  readonly #channels = new Set<Channel>();
  #current: Promise<Channel> | undefined;
  /** Lost questions are asked once more, one by one, each in a process of its own: so only the page at fault fails. */
  #again: Promise<unknown> = Promise.resolve();
  #pages = 0;

  constructor(command: readonly string[], file: ByteSource, document: Document, clock: Clock, signal: AbortSignal) {
    this.#name = document.name;
    this.#start = async () => {
      const input = descriptorFor(file);
      if (input === undefined) throw new TypeError(`${file.name} is no file that a process could be given`);
      const limits = { clock, memory: MEMORY, patience: PATIENCE };
      const channel = new Channel(command, {
        input,
        output: true,
        bytes: true,
        processorTime: PROCESSOR,
        signal,
        limits,
      });
      this.#channels.add(channel);
      void channel.ended.then(() => this.#channels.delete(channel));
      const { value } = await askOf(channel, { ask: 'open', ...document });
      this.#pages = (value as { pages: number }).pages; // said by cli/page-drawer.ts of the same program
      return channel;
    };
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
    for (const channel of this.#channels) channel.close();
  }

  async #ask(page: number, question: DrawQuestion): Promise<HelperAnswer> {
    try {
      const channel = await this.#channel();
      return await askOf(channel, question);
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
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
      return await askOf(channel, question);
    } catch (error) {
      throw error instanceof Lost ? failed(this.#name, `page ${page}`, error) : error;
    } finally {
      channel?.close();
    }
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
