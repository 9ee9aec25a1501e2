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
  /** As `read`, by another thread: `into` must be left alone until it settles. */
  readAside?(into: Uint8Array, position: number): Promise<number>;
}

/** A source whose size is known and that can be read at any place: what the local engine works on. */
export type RandomAccess = ByteSource & Required<Pick<ByteSource, 'size' | 'read'>>;

/** A file that is being written and is under no final name yet; it goes away with the call unless a result hands it on. */
export interface Draft {
  readonly name: string;
  /** Bytes written so far. */
  readonly size: number;
  /** Takes the bytes at once; the caller may reuse the array. */
  write(bytes: Uint8Array): void;
  /** Ends the writing; the file can be read back until the call ends. */
  finish(): RandomAccess;
  /** Deletes the draft, finished or not; its name is free again. */
  discard(): void;
}

/** Where a call may put bytes. Names are plain file names and are unique within a call. */
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
 * What another reader makes of a file; `why`: the rest of a sentence about it, where it has no answer. `late`: it was
 * ended because it took too long.
 */
export type OtherCount = { readonly pages: number } | { readonly why: string; readonly late?: true };

export interface ProgramRun {
  /** Of its exit; undefined where it was ended. */
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
  /** Added to its environment. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Programs that this machine has beside this one. None of them is needed. */
export interface Programs {
  readonly platform: string;
  /** How many can usefully run at the same time. */
  readonly processors: number;
  /** The command line that runs this program, without its arguments. */
  readonly own: readonly string[];
  /** Its path; undefined where PATH has none. */
  find(name: string): string | undefined;
  /** A setting of the environment that names what a program works with, such as its model. */
  setting(name: `PDFTOOL_${string}`): string | undefined;
  run(path: string, args: readonly string[], options: ProgramOptions): Promise<ProgramRun>;
}

/** A page as a viewer shows it: upright, cut to its crop box, with annotations and form fields; exactly so many pixels. */
export interface PageDrawing {
  /** From 1. */
  readonly page: number;
  readonly width: number;
  readonly height: number;
  /** Pixels a point, from the top left; what they leave of the picture is white. Left out, the page fills the picture. */
  readonly scale?: number;
  /** 8 bits a channel. rgba: the page lies on nothing; in the others it lies on white. */
  readonly colours: 'gray' | 'rgb' | 'rgba';
}

/** Rows from the top, left to right, nothing between them. */
export interface DrawnPage {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3 | 4;
  readonly pixels: Uint8Array;
}

export interface PictureFormat {
  readonly type: 'png' | 'jpeg' | 'webp';
  /** From 1 to 100, where pixels may change. */
  readonly quality: number;
  readonly dpi: number;
}

export interface InnerPicture {
  /** In pixels of its own. */
  readonly width: number;
  readonly height: number;
  /** Its pixels to the inch where it is shown. */
  readonly x_dpi: number;
  readonly y_dpi: number;
  /** It has transparent parts. */
  readonly masked: boolean;
  /** How it is stored, such as DCTDecode. */
  readonly filter: string;
  /** The type that it is extracted as. */
  readonly type: 'jpeg' | 'png';
  /** Equal for equal pictures. */
  readonly hash: string;
}

/**
 * Draws pages of one document in processes of its own, each ended when it takes too long or too much, which fails that
 * page alone. Several pages may be asked for at once: one is drawn while another is stored.
 */
export interface PageDrawer {
  readonly pageCount: number;
  size(page: number): Promise<{ readonly width: number; readonly height: number }>;
  draw(drawing: PageDrawing): Promise<DrawnPage>;
  /** The page as the bytes of a picture file. */
  picture(drawing: PageDrawing, format: PictureFormat): Promise<Uint8Array>;
  pictures(page: number): Promise<readonly InnerPicture[]>;
  /** The bytes of one of them, counted from 0: a JPEG as it is stored, or a PNG. */
  takePicture(page: number, index: number): Promise<Uint8Array>;
  close(): void;
}

/** A character of a page as PDFium reads it. The box is in the page's user space: left, bottom, right, top. */
export interface PageCharacter {
  readonly text: string;
  readonly box: { readonly x0: number; readonly y0: number; readonly x1: number; readonly y1: number };
  /** Of its font on the page, in points. */
  readonly size: number;
  /** Not in the file: a space or a line end that follows from where the others stand. */
  readonly generated: boolean;
}

/** A piece of text as pdf.js reads it, in the page's user space: it stands from `at` along one vector and is as high as the other. */
export interface TextPiece {
  readonly text: string;
  readonly at: readonly [x: number, y: number];
  readonly along: readonly [dx: number, dy: number];
  readonly up: readonly [dx: number, dy: number];
  /** A line ends behind it. */
  readonly ends: boolean;
}

/** A document open in readers that share no code with ours: PDFium, and pdf.js where texts are asked for. Pages count from 0. */
export interface OpenPages {
  readonly pages: number;
  characters(page: number): Promise<readonly PageCharacter[]>;
  /** `scale`: pixels for a point, where the page is to be no larger than that. */
  draw(page: number, width: number, height: number, scale?: number): Promise<DrawnPage>;
  /** The text of each page by pdf.js. */
  texts(): Promise<readonly (readonly TextPiece[])[]>;
  close(): void;
}

/** Where documents in memory are judged: a process that is ended when it takes too much. */
export interface OtherEyes {
  open(bytes: Uint8Array): Promise<OpenPages>;
  /** Ends the process. */
  close(): void;
}

/** What another process answers: a value, and bytes beside it. */
export interface HelperAnswer {
  readonly value: unknown;
  readonly bytes: Uint8Array;
}

/** A process that works for a call, and can be ended whatever a library in it does. */
export interface Helper {
  /** Undefined where the process ended before it had answered: it took too long, or broke down. */
  ask(question: object, bytes?: Uint8Array): Promise<HelperAnswer | undefined>;
  end(): void;
}

/** A thread of this program in which a library works: whatever it does, it can be ended. */
export interface Thread {
  send(message: object): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Settles when it has ended, whatever ended it, with a reason for the log. */
  readonly ended: Promise<string>;
  /** At once, whatever it does. */
  kill(): Promise<void>;
}

/** Results that may be wanted again, by a name made of all their inputs. Entries may disappear at any time. */
export interface Cache {
  get(name: string): Uint8Array | undefined;
  put(name: string, bytes: Uint8Array): void;
}

/**
 * Asks a server on the web: a POST where there is a body, else a GET. Rejects with a Failure that names the address where there
 * is no answer, or one that is an error or larger than a few MB.
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
  /** The password of a file that the empty one does not open; undefined when there is none to give. `attempt` counts from 1. */
  password?(name: string, attempt: number): Promise<string | undefined>;
  /**
   * Has another reader count the pages of a file, in a process with bounds of time and memory. Left out where there is
   * none.
   */
  countElsewhere?(reader: OtherReader, file: ByteSource, password: string | undefined): Promise<OtherCount>;
  /** Has such a reader write all that it can read of a file as a sound one; undefined where it cannot. */
  rewriteElsewhere?(
    reader: OtherReader,
    file: ByteSource,
    password: string | undefined,
  ): Promise<Uint8Array | undefined>;
  /**
   * Accepts the likeliest reading of a damaged file on which readers disagree, and is told it in a sentence. Left out,
   * such a file is refused.
   */
  salvage?(taken: string): void;
  /** Refuses what would break a claim to be PDF/A or PDF/UA; left out, the claim is taken out of the output. */
  readonly keepConformance?: boolean;
  /**
   * Opens a document for drawing; `name`: as messages call it. Left out where nothing can draw. Throws a Failure where
   * the library cannot open it: openDrawer (src/pdf/render) then gives it a sound copy.
   */
  drawPages?(
    file: ByteSource,
    document: { readonly name: string; readonly password: string | undefined },
  ): Promise<PageDrawer>;
  /** Starts a thread in which pdf.js reads; left out, it reads in this one, which hears no signal meanwhile. */
  startReader?(): Promise<Thread>;
  /** Starts a process for the codecs of images; left out where none can be started. */
  startCodecs?(): Promise<Helper>;
  /**
   * Called before the last bytes of a request's body leave this machine: until then nobody can have understood the
   * request.
   */
  beforeLastBytes?(): void;
  /** Left out where no other reader can be asked. */
  otherEyes?(): OtherEyes;
  /** Matches of a person's regular expression; throws a Failure where it takes longer than a moment. */
  match?(expression: string, text: string): readonly (readonly [start: number, end: number])[];
  /** A file of a package that is installed beside this one, such as a WebAssembly module. Fails as an import of it would. */
  packageFile?(path: string): Promise<Uint8Array>;
  /** The module of an optional package. Fails as an import of it would. */
  importPackage?(name: string): Promise<unknown>;
  /** A font program that comes with this one, such as LiberationSans-Bold.ttf (Latin, Greek, Cyrillic), or a colour profile. */
  fontFile?(name: string): Promise<Uint8Array>;
  /** Random bytes for keys. Left out where outputs must not differ from run to run. */
  random?(length: number): Uint8Array;
  /** Certificates in PEM that this machine trusts to vouch for others. Left out where it has none. */
  trustedRoots?(): Promise<readonly string[]>;
  /** Left out where nobody on the network may be asked. */
  readonly exchange?: WebExchange;
  /** Left out where no other program may be run. */
  readonly programs?: Programs;
  /** Left out where nothing is kept. */
  readonly cache?: Cache;
  /** Told of what the output will lose, before the work begins, in the words of a warning that the result has too. */
  beforehand?(warning: string): void;
  progress(event: Progress): void;
  /** A step of the work has ended, such as `repaired a.pdf`: told with its time to somebody who asked to see the steps. */
  step?(what: string): void;
  /** One line for somebody who asked to see the steps (`-v`). */
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
  /** What the person should know although the operation succeeded: one sentence each. */
  readonly warnings?: readonly string[];
  /** Milliseconds after which the service wants to be asked again. */
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
  /** What a program may want to know of the output, such as which page is spoken when. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Files that belong beside it: with its name, and an extension of their own. */
  readonly beside?: readonly { readonly extension: string; readonly body: ByteSource }[];
}

export interface Part {
  /** A plain file name, such as page-001.pdf. */
  readonly name: string;
  readonly body: ByteSource;
  readonly pages?: number;
}

/** Several output files that belong together, in order; a ZIP on the wire. */
export interface PartsResult extends Outcome {
  readonly kind: 'parts';
  readonly parts: readonly Part[];
  /** The archive as it came, where there is one. */
  readonly archive?: ByteSource;
}

/** A job that was accepted and is not done. */
export interface JobResult extends Outcome {
  readonly kind: 'job';
  readonly record: Record<string, unknown>;
}

export type Result = RecordResult | BytesResult | PartsResult | JobResult;
