/** Values by name: fields of an operation, options, members of a record. */
export type Values = Readonly<Record<string, unknown>>;

/** Bytes from a file, standard input or a request part. */
export interface ByteSource {
  /** As the person wrote it, for messages; only its base name ever leaves this machine. */
  readonly name: string;
  readonly mediaType?: string;
  readonly size?: number;
  open(signal: AbortSignal): AsyncIterable<Uint8Array>;
  /**
   * Random access, where the bytes are on disk. Fills `into` from `position` (bytes from the start) and returns how
   * many bytes it got; 0 at the end.
   */
  read?(into: Uint8Array, position: number): number;
  /** All of it, while it is in memory. */
  readonly held?: Uint8Array | undefined;
  /** As `read`, on another thread: leave `into` alone until it settles. */
  readAside?(into: Uint8Array, position: number): Promise<number>;
}

/** A source of known size with random access: what the local engine works on. */
export type RandomAccess = ByteSource & Required<Pick<ByteSource, 'size' | 'read'>>;

/** A file being written that has no final name yet; it is deleted with the call unless a result hands it on. */
export interface Draft {
  readonly name: string;
  readonly size: number;
  /** Copies the bytes; the caller may reuse the array. */
  write(bytes: Uint8Array): void;
  /** Ends the writing; the file can be read back until the call ends. */
  finish(): RandomAccess;
  /** Deletes the draft, finished or not; its name is free again. */
  discard(): void;
}

/** Where a call may put bytes. Names are plain file names, unique within a call. */
export interface Temp {
  create(name: string): Draft;
}

/** One step of work that a person may want to watch. `total` is left out where it is not known. */
export interface Progress {
  readonly phase: string;
  readonly done: number;
  readonly total?: number;
  /** parts: pieces of one file. rounds: tries at the same thing. */
  readonly unit: 'files' | 'pages' | 'bytes' | 'credits' | 'parts' | 'rounds' | 'sentences';
  readonly note?: string;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export type OtherReader = 'pdf-lib' | 'pdf.js' | 'PDFium';

/**
 * How many pages another reader finds; `why`: the rest of a sentence where it has no answer. `late`: it was ended
 * because it took too long.
 */
export type OtherCount = { readonly pages: number } | { readonly why: string; readonly late?: true };

export interface ProgramRun {
  /** Its exit code; undefined where it was ended. */
  readonly code: number | undefined;
  /** Its standard output, or the file that it was told to write. */
  readonly bytes: Uint8Array;
  /** The end of its standard error. */
  readonly output: string;
}

export interface ProgramOptions {
  readonly signal: AbortSignal;
  /** Milliseconds after which it is ended. */
  readonly patience: number;
  /** Bytes of output after which it is ended. */
  readonly most: number;
  readonly input?: Uint8Array;
  /** The extension of the file that replaces `{output}` among the arguments; its bytes are the answer. */
  readonly output?: string;
  /** Variables added to its environment. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Other programs of this machine. None of them is needed. */
export interface Programs {
  readonly platform: string;
  /** How many can usefully run at the same time. */
  readonly processors: number;
  /** The command line that runs this program, without its arguments. */
  readonly ownCommand: readonly string[];
  /** Its path; undefined where PATH has none. */
  find(name: string): string | undefined;
  /** A setting of the environment that names what a program works with, such as its model. */
  setting(name: `PDFTOOL_${string}`): string | undefined;
  run(path: string, args: readonly string[], options: ProgramOptions): Promise<ProgramRun>;
}

/** A page as a viewer shows it: upright, cut to its crop box, with annotations and form fields; exactly so many pixels. */
export interface PageDrawing {
  /** Counted from 1. */
  readonly page: number;
  readonly width: number;
  readonly height: number;
  /** Pixels per point, from the top left; pixels beyond the page are white. Left out, the page fills the picture. */
  readonly scale?: number;
  /** 8 bits a channel. rgba: on a transparent ground; the others on white. */
  readonly colours: 'gray' | 'rgb' | 'rgba';
}

/** Rows from the top, without padding. */
export interface DrawnPage {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3 | 4;
  readonly pixels: Uint8Array;
}

export interface PictureFormat {
  readonly type: 'png' | 'jpeg' | 'webp';
  /** From 1 to 100, for lossy formats. */
  readonly quality: number;
  readonly dpi: number;
}

/** Questions of `page-drawer.ts` to its process. */
export type DrawQuestion =
  | { readonly ask: 'open'; readonly password: string | undefined; readonly name: string; readonly descriptor?: number }
  | { readonly ask: 'close' }
  | { readonly ask: 'size'; readonly page: number }
  | { readonly ask: 'pictures'; readonly page: number }
  | { readonly ask: 'take'; readonly page: number; readonly index: number }
  | { readonly ask: 'draw'; readonly drawing: PageDrawing }
  | { readonly ask: 'picture'; readonly drawing: PageDrawing; readonly format: PictureFormat };

export interface InnerPicture {
  /** Pixels of the picture as it is stored. */
  readonly width: number;
  readonly height: number;
  /** Pixels per inch where it is shown. */
  readonly x_dpi: number;
  readonly y_dpi: number;
  /** Whether it has transparent parts. */
  readonly masked: boolean;
  /** Its filter, such as DCTDecode. */
  readonly filter: string;
  /** The type in which it is extracted. */
  readonly type: 'jpeg' | 'png';
  /** Equal for equal pictures. */
  readonly hash: string;
}

/**
 * Draws pages of one document in child processes, each ended when it takes too much time or memory, which fails that
 * page alone. Several pages may be asked for at once: one is drawn while another is stored.
 */
export interface PageDrawer {
  readonly pageCount: number;
  size(page: number): Promise<{ readonly width: number; readonly height: number }>;
  draw(drawing: PageDrawing): Promise<DrawnPage>;
  picture(drawing: PageDrawing, format: PictureFormat): Promise<Uint8Array>;
  pictures(page: number): Promise<readonly InnerPicture[]>;
  /** The bytes of a picture, counted from 0: a JPEG as it is stored, or a PNG. */
  takePicture(page: number, index: number): Promise<Uint8Array>;
  close(): void;
}

/** A character of a page as PDFium reads it. The box is in user space: left, bottom, right, top. */
export interface PageCharacter {
  readonly text: string;
  readonly box: { readonly x0: number; readonly y0: number; readonly x1: number; readonly y1: number };
  /** Font size on the page, in points. */
  readonly size: number;
  /** Not in the file: a space or line end that PDFium adds where characters stand apart. */
  readonly generated: boolean;
}

/** A piece of text as pdf.js reads it, in user space: it starts at `at`, runs along one vector, the other is its height. */
export interface TextPiece {
  readonly text: string;
  readonly at: readonly [x: number, y: number];
  readonly along: readonly [dx: number, dy: number];
  readonly up: readonly [dx: number, dy: number];
  /** Whether a line ends behind it. */
  readonly ends: boolean;
}

/** A document open in readers that share no code with ours: PDFium, and pdf.js where texts are asked for. Pages count from 0. */
export interface OpenPages {
  readonly pages: number;
  characters(page: number): Promise<readonly PageCharacter[]>;
  /** `scale`: pixels per point, where the page should be no larger than that. */
  draw(page: number, width: number, height: number, scale?: number): Promise<DrawnPage>;
  /** The text of each page by pdf.js. */
  texts(): Promise<readonly (readonly TextPiece[])[]>;
  close(): void;
}

/** Judges documents in memory, in a process that is ended when it takes too much. */
export interface OtherEyes {
  open(bytes: Uint8Array): Promise<OpenPages>;
  /** Ends the process. */
  close(): void;
}

/** An answer of another process: a value, and bytes. */
export interface HelperAnswer {
  readonly value: unknown;
  readonly bytes: Uint8Array;
}

/** A process that works for one call and can be ended, whatever a library in it does. */
export interface Helper {
  /** Undefined where the process ended before it answered: it took too long, or crashed. */
  ask(question: object, bytes?: Uint8Array): Promise<HelperAnswer | undefined>;
  end(): void;
}

/** A thread in which a library works; it can be ended, whatever the library does. */
export interface Thread {
  send(message: object): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Settles when the thread has ended, with a reason for the log. */
  readonly ended: Promise<string>;
  /** Ends the thread at once. */
  kill(): Promise<void>;
}

/** Results that may be needed again, by a name made of all their inputs. Entries may disappear at any time. */
export interface Cache {
  get(name: string): Uint8Array | undefined;
  put(name: string, bytes: Uint8Array): void;
}

/**
 * Sends an HTTP request: a POST where there is a body, else a GET. Rejects with a Failure that names the address where
 * there is no answer, an error, or more than a few MB.
 */
export type WebExchange = (
  url: string,
  post?: { readonly body: Uint8Array; readonly type: string },
) => Promise<Uint8Array>;

/** Everything impure that an operation may use. One for each invocation, HTTP request or tool call. */
export interface Context {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly temp: Temp;
  /** The password of a file that does not open with an empty one; undefined where none is known. `attempt`: from 1. */
  password?(name: string, attempt: number): Promise<string | undefined>;
  /** Lets another reader count a file's pages, in a process bounded in time and memory. Left out where there is none. */
  countElsewhere?(reader: OtherReader, file: ByteSource, password: string | undefined): Promise<OtherCount>;
  /** Lets another reader rewrite what it can read of a file as a sound one; undefined where it cannot. */
  rewriteElsewhere?(
    reader: OtherReader,
    file: ByteSource,
    password: string | undefined,
  ): Promise<Uint8Array | undefined>;
  /** Accepts the likeliest reading of a damaged file on which readers disagree. Left out, such a file is refused. */
  salvage?(taken: string): void;
  /** Refuse operations that break a claim of PDF/A or PDF/UA; left out, the output drops the claim. */
  readonly keepConformance?: boolean;
  /**
   * Opens a document for drawing; `name`: for messages. Left out where nothing can draw. Throws a Failure where the
   * library cannot open it: openDrawer (src/pdf/render) then gives it a sound copy.
   */
  drawPages?(
    file: ByteSource,
    document: { readonly name: string; readonly password: string | undefined },
  ): Promise<PageDrawer>;
  /** Starts a thread for pdf.js; left out, it reads on this one, which hears no signal meanwhile. */
  startReader?(): Promise<Thread>;
  /** Starts a process for the codecs of images; left out where none can be started. */
  startCodecs?(): Promise<Helper>;
  /** Called before the last bytes of a request's body leave: until then the server cannot have understood the request. */
  beforeLastBytes?(): void;
  /** Left out where no other reader can be asked. */
  otherEyes?(): OtherEyes;
  /** Matches of a person's regular expression; throws a Failure where it takes longer than a moment. */
  match?(expression: string, text: string): readonly (readonly [start: number, end: number])[];
  /** A file of an installed package, such as a WebAssembly module. Fails like an import of it. */
  packageFile?(path: string): Promise<Uint8Array>;
  /** The module of an optional package. Fails like an import of it. */
  importPackage?(name: string): Promise<unknown>;
  /** A bundled font program, such as LiberationSans-Bold.ttf (Latin, Greek, Cyrillic), or a colour profile. */
  fontFile?(name: string): Promise<Uint8Array>;
  /** Random bytes for keys. Left out where outputs must not differ from run to run. */
  random?(length: number): Uint8Array;
  /** The PEM certificates that this machine trusts. Left out where it has none. */
  trustedRoots?(): Promise<readonly string[]>;
  /** Left out where nobody on the network may be asked. */
  readonly exchange?: WebExchange;
  /** Left out where no other program may be run. */
  readonly programs?: Programs;
  /** Left out where nothing is kept. */
  readonly cache?: Cache;
  /** Warns of what the output will lose, before the work begins; the result has the same warning. */
  beforehand?(warning: string): void;
  progress(event: Progress): void;
  /** A step of the work has ended, such as `repaired a.pdf`; shown with its time by `-v`. */
  step?(what: string): void;
  /** A line for `-v`. */
  detail(line: string): void;
}

/** What every context on this machine has besides files; the rest depends on the operation. */
export type Means = Pick<
  Context,
  | 'countElsewhere'
  | 'rewriteElsewhere'
  | 'drawPages'
  | 'startCodecs'
  | 'startReader'
  | 'fontFile'
  | 'random'
  | 'trustedRoots'
>;

export interface Credits {
  readonly used?: number;
  readonly remaining?: number;
}

/** The measurement headers of SERVICE.md as values; sizes in bytes. */
export interface Measurement {
  readonly original_bytes: number;
  readonly output_bytes: number;
  readonly target_bytes?: number;
  readonly target_reached?: boolean;
  readonly mode: string;
}

interface Outcome {
  readonly credits?: Credits;
  /** One sentence for each thing to know although the operation succeeded. */
  readonly warnings?: readonly string[];
  /** Milliseconds after which to ask the service again. */
  readonly retryAfter?: number;
  /** Other outputs; each goes to the file that the input names in `field`. */
  readonly also?: readonly { readonly field: string; readonly body: ByteSource; readonly mediaType: string }[];
}

export interface RecordResult extends Outcome {
  readonly kind: 'record';
  readonly record: Record<string, unknown>;
}

export interface BytesResult extends Outcome {
  readonly kind: 'bytes';
  readonly mediaType: string;
  readonly body: ByteSource;
  readonly pages?: number;
  readonly measurement?: Measurement;
  /** Facts about the output for programs, such as which page is spoken when. */
  readonly details?: Values;
  /** Files that belong beside the output: with its name, and an extension of their own. */
  readonly beside?: readonly { readonly extension: string; readonly body: ByteSource }[];
}

export interface Part {
  /** A plain file name, such as page-001.pdf. */
  readonly name: string;
  readonly body: ByteSource;
  readonly pages?: number;
}

/** Several output files in order; a ZIP on the wire. */
export interface PartsResult extends Outcome {
  readonly kind: 'parts';
  readonly parts: readonly Part[];
  /** The archive as it arrived, if there is one. */
  readonly archive?: ByteSource;
}

/** A job that was accepted and has not ended. */
export interface JobResult extends Outcome {
  readonly kind: 'job';
  readonly record: Record<string, unknown>;
}

export type Result = RecordResult | BytesResult | PartsResult | JobResult;
