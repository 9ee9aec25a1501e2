// Made by npm run derive from the table of operations.

/** A file that goes in: its path, its bytes or a stream of them. A name is for messages, and for names of outputs. */
export type Input = Data | { readonly name?: string; readonly data: Data };
type Data = string | URL | ArrayBuffer | ArrayBufferView | Blob | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

/** Pages as on the command line, such as "1-3,7-", or as numbers and pairs of first and last page. */
export type Pages = string | number | readonly (number | readonly [first: number, last: number])[];

/** Options of every function. */
export interface Options {
  /** Where it runs; left out, on this machine. */
  readonly engine?: 'local' | 'remote';
  /** Key of the service. */
  readonly apiKey?: string;
  /** Address of the service. */
  readonly baseUrl?: string;
  /** Refuse a call that would cost more credits. */
  readonly maxCredits?: number;
  /** Milliseconds after which a call of the service is given up. */
  readonly timeout?: number;
  /** Ends the call, which leaves nothing behind. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (step: Progress) => void;
  /** Password of the PDFs that need one. */
  readonly password?: string | ((name: string, attempt: number) => string | undefined | Promise<string | undefined>);
  /** Of a damaged PDF that readers disagree on take what is likeliest. */
  readonly salvage?: boolean;
}

export interface Progress {
  readonly phase: string;
  readonly done: number;
  readonly total?: number;
  readonly unit: 'files' | 'pages' | 'bytes' | 'credits' | 'parts' | 'rounds' | 'sentences';
  readonly note?: string;
}

/** The output is written to this path: whole, or not at all. */
export interface ToPath {
  readonly output: string | URL;
  /** Replace what is there. */
  readonly force?: boolean;
  readonly as?: undefined;
}
/** The output is a stream. */
export interface ToStream {
  readonly as: 'stream';
  readonly output?: undefined;
}
/** The output is in memory. */
export interface ToMemory {
  readonly as?: 'bytes';
  readonly output?: undefined;
}

interface Facts {
  readonly warnings: readonly string[];
  readonly credits?: { readonly used?: number; readonly remaining?: number };
  readonly pages?: number;
  readonly measurement?: {
    readonly original_bytes: number;
    readonly output_bytes: number;
    readonly target_bytes?: number;
    readonly target_reached?: boolean;
    readonly mode: string;
  };
  readonly details?: Readonly<Record<string, unknown>>;
}
interface Made extends Facts {
  /** As the command line would call it. */
  readonly name: string;
  readonly mediaType: string;
}
export interface OutputFile extends Made {
  readonly size: number;
  readonly bytes: Uint8Array;
  /** Files that belong beside it, such as subtitles. */
  readonly beside?: readonly { readonly extension: string; readonly bytes: Uint8Array }[];
}
export interface OutputStream extends Made {
  readonly size?: number;
  /** To be read to its end, or cancelled. */
  readonly stream: ReadableStream<Uint8Array>;
}
export interface OutputPart {
  readonly name: string;
  readonly mediaType: string;
  readonly pages?: number;
  readonly size: number;
  readonly bytes: Uint8Array;
}
export interface WrittenFile {
  readonly path: string;
  readonly size: number;
  readonly pages?: number;
  /** The files of a folder. */
  readonly files?: readonly WrittenFile[];
  readonly beside?: readonly WrittenFile[];
}
export interface Written extends WrittenFile, Facts {
  readonly pages?: number;
}

/** All that functions throw. */
export class PdftoolError extends Error {
  private constructor();
  readonly code: 'internal' | 'usage' | 'unauthenticated' | 'forbidden' | 'out_of_credits' | 'over_max_credits' | 'refused' | 'not_found' | 'conflict' | 'too_large' | 'unprocessable' | 'password' | 'pending' | 'output_exists' | 'rate_limited' | 'network' | 'server' | 'ambiguous' | 'partial' | 'job_failed' | 'unavailable' | 'interrupted' | 'terminated';
  /** The next step, as a sentence. */
  readonly hint: string | undefined;
  /** unknown: the answer of a paid call was lost; do not repeat it unseen. */
  readonly charged: 'no' | 'yes' | 'unknown';
  /** What the command line would have ended with. */
  readonly exitCode: number;
  /** What kind of input was refused. */
  readonly kind: string | undefined;
  /** The HTTP status that the service answered with. */
  readonly status: number | undefined;
}

export interface PdfInfoRecord {
  readonly ok: true;
  readonly page_count: number;
  readonly title?: string | null;
  readonly author?: string | null;
  readonly subject?: string | null;
  readonly keywords?: string | null;
  readonly producer?: string | null;
  readonly creator?: string | null;
  readonly credits_remaining: number;
  /** What a careful person wants to know before sending the file on. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface MetadataRecord {
  readonly ok: true;
  readonly title?: string | null;
  readonly author?: string | null;
  readonly subject?: string | null;
  readonly keywords?: string | null;
  readonly creator?: string | null;
  readonly producer?: string | null;
  readonly created?: string | null;
  readonly modified?: string | null;
  readonly custom?: Readonly<Record<string, string>>;
  readonly xmp: boolean;
  readonly differ?: Readonly<Record<string, string | null>>;
}

export interface BookmarksRecord {
  readonly ok: true;
  readonly bookmarks: readonly {
    readonly level: number;
    readonly title: string;
    readonly page?: number;
  }[];
  readonly text: string;
}

export interface LabelsRecord {
  readonly ok: true;
  readonly labels: readonly ({
    readonly page: number;
    readonly style?: string | null;
    readonly prefix?: string | null;
    readonly start: number;
  })[];
  readonly text: string;
}

export interface AttachmentsRecord {
  readonly ok: true;
  readonly attachments: readonly {
    readonly name: string;
    readonly bytes?: number;
  }[];
  readonly table: string;
}

export interface PicturesRecord {
  readonly ok: true;
  readonly pictures: readonly {
    readonly page: number;
    readonly number: number;
    readonly width: number;
    readonly height: number;
  }[];
  readonly table: string;
}

export interface ComparisonRecord {
  readonly ok: true;
  readonly same: boolean;
  readonly pages: readonly number[];
  readonly differences: readonly {
    readonly page: number;
    readonly what: string;
    readonly pixels?: number;
    readonly share?: number;
    readonly removed: readonly string[];
    readonly added: readonly string[];
  }[];
  readonly summary: string;
}

export interface SignaturesRecord {
  readonly ok: true;
  readonly valid: boolean;
  readonly signatures: readonly ({
    readonly field: string;
    readonly kind: "signature" | "timestamp";
    readonly verdict: "valid" | "untrusted" | "changed" | "broken";
    readonly reasons: readonly string[];
    readonly signer?: string;
    readonly signing_time?: string;
    readonly revision?: number;
    readonly covers_whole_file?: boolean;
  })[];
  readonly summary: string;
}

export interface ConformanceRecord {
  readonly ok: true;
  readonly conforms: boolean | null;
  readonly checked: readonly ({
    readonly standard: string;
    readonly judge: string;
    readonly conforms: boolean | null;
    readonly rules_looked_at: number;
    readonly rules: number;
    readonly findings: readonly {
      readonly rule: string;
      readonly what: string;
      readonly page?: number;
      readonly object?: number;
    }[];
  })[];
  readonly lines: string;
}

export interface InvoiceRecord {
  readonly ok: true;
  readonly file: string;
  readonly bytes: number;
  readonly root: string;
  readonly profile?: string;
  readonly level?: string;
  readonly declared?: string;
  readonly text: string;
}

export interface FormFieldsRecord {
  readonly ok: true;
  readonly fields: readonly ({
    readonly name: string;
    readonly type: "text" | "check" | "radio" | "choice" | "button" | "signature";
    readonly value: string | boolean | readonly string[];
  })[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly table: string;
}

export interface TextRecord {
  readonly ok: true;
  readonly text: string;
  readonly page_count: number;
  /** Pages whose words were recognised in pictures. */
  readonly ocr_pages?: readonly number[];
}

export interface PdfJsonRecord {
  readonly ok: true;
  readonly page_count: number;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly pages: readonly {
    readonly page_number: number;
    readonly text: string;
    readonly char_count: number;
    /** Whether its words were recognised in a picture. */
    readonly ocr?: boolean;
  }[];
  readonly text: string;
  readonly extraction_mode: "pdfjs_text_layer";
  readonly note?: string;
}

export interface StructuredMarkdownRecord {
  readonly ok: true;
  readonly markdown: string;
  readonly page_count: number;
  readonly mode: "developer" | "academic" | "rag";
  readonly pages: readonly {
    /** From 1. */
    readonly page_number?: number;
    /** The id of the anchor where the page begins in the Markdown. */
    readonly page_anchor?: string;
    /** Where the page begins in the Markdown, in Unicode code points. */
    readonly char_start?: number;
    /** Where it ends. */
    readonly char_end?: number;
    /** The length of its Markdown in Unicode code points. */
    readonly char_count?: number;
    /** The headings that begin on the page. */
    readonly headings?: readonly string[];
    /** How many tables begin on the page. */
    readonly tables?: number;
    /** The chunks that begin on the page. */
    readonly chunk_ids?: readonly string[];
    /** Whether its words were recognised in a picture. */
    readonly ocr?: boolean;
  }[];
  readonly chunks: readonly ({
    readonly chunk_id: string;
    readonly text: string;
    readonly page_number: number;
    readonly page_anchor: string;
    /** The headings above it, outermost first, its own first heading included. */
    readonly heading_path?: readonly string[];
    /** What it is made of. */
    readonly kind?: "text" | "table" | "code" | "mixed";
    /** Its number on its page, from 1. */
    readonly index?: number;
    /** Where it begins in the Markdown, in Unicode code points. */
    readonly char_start?: number;
    /** Where it ends in the Markdown, in Unicode code points. */
    readonly char_end?: number;
    /** The length of its text in Unicode code points. */
    readonly char_count?: number;
  })[];
  readonly capabilities: {
    /** Where the text comes from. */
    readonly extraction_mode?: string;
    /** Whether words were recognised in pictures. */
    readonly ocr?: boolean;
    /** Whether images are extracted. */
    readonly images?: boolean;
    /** Whether headings are told from text. */
    readonly headings?: boolean;
    /** Whether lists are told from text. */
    readonly lists?: boolean;
    /** Whether code is fenced. */
    readonly code_blocks?: boolean;
    /** Whether tables are rebuilt; those with spanning cells as HTML. */
    readonly tables?: boolean;
    /** Whether links are written. */
    readonly links?: boolean;
    /** Whether running heads and page numbers are left out. */
    readonly running_heads_removed?: boolean;
    /** The way of cutting chunks; another one gives other ids. */
    readonly chunker?: string;
    /** Blocks are packed into a chunk up to this length. */
    readonly chunk_target_chars?: number;
    /** No chunk is longer. */
    readonly chunk_max_chars?: number;
    /** What lengths and places count. */
    readonly offsets?: string;
  };
  readonly warnings: readonly string[];
}

export interface TablesRecord {
  readonly ok: true;
  readonly page_count: number;
  readonly tables: readonly {
    readonly page: number;
    readonly number: number;
    readonly box: readonly number[];
    readonly rows: number;
    readonly columns: number;
    readonly cells: readonly {
      readonly row: number;
      readonly column: number;
      readonly rowspan: number;
      readonly colspan: number;
      readonly text: string;
      readonly value?: number;
      readonly box?: readonly number[];
    }[];
  }[];
  readonly warnings: readonly string[];
}

export interface JobStatusRecord {
  readonly status: string;
  readonly result_url?: string | null;
  readonly error_code?: string | null;
  readonly error_message?: string | null;
}

export interface RedactionRegionsRecord {
  readonly reviewed: boolean;
  readonly sourceSha256: string;
  readonly page_count: number;
  readonly regions: readonly {
    readonly page: number;
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
    readonly kind: string;
    readonly id: string;
  }[];
  readonly counts: Readonly<Record<string, number>>;
  readonly terms?: readonly {
    readonly regions: number;
    readonly elsewhere: readonly {
      readonly where: string;
      readonly count: number;
    }[];
  }[];
  readonly differences?: readonly {
    readonly page: number;
    readonly reader: string;
    readonly what: string;
    readonly count: number;
  }[];
  readonly unread?: readonly {
    readonly page: number;
    readonly what: string;
    readonly count: number;
  }[];
  readonly pages_without_text: readonly number[];
  readonly pages_to_picture: readonly number[];
  readonly ocr_pages?: readonly number[];
}

export interface RedactionFindingsRecord {
  readonly ok: true;
  readonly page_count: number;
  readonly readable: boolean;
  readonly passed: boolean;
  readonly leaks: readonly {
    readonly page?: number;
    readonly what: string;
    readonly count: number;
    readonly by?: readonly string[];
    readonly where?: string;
  }[];
  readonly hidden?: readonly {
    readonly page: number;
    readonly what: string;
    readonly count: number;
  }[];
  readonly differences?: readonly {
    readonly page: number;
    readonly reader: string;
    readonly what: string;
    readonly count: number;
  }[];
  readonly unread?: readonly {
    readonly page: number;
    readonly what: string;
    readonly count: number;
  }[];
  readonly notes: readonly {
    readonly what: string;
    readonly count: number;
  }[];
}

export interface AccountRecord {
  readonly ok: true;
  readonly credits_remaining: number;
  readonly credits_lifetime_used: number;
  readonly free_tier_resets_at?: string | null;
  readonly api_key: {
    readonly id: string;
    readonly label?: string | null;
  };
  /** Set aside for work under way. */
  readonly credits_reserved?: number;
}

export interface OpenapiRecord {
  readonly openapi: string;
}

export interface InfoOptions extends Options {
  /** Pages whose sizes and fonts are told, instead of all, such as 1-3,7; on this machine only. */
  readonly pages?: Pages;
}
/** Show page count and metadata: `pdftool info`. */
export function info(file: Input, options: InfoOptions & ToPath): Promise<Written>;
export function info(file: Input, options?: InfoOptions & ToMemory): Promise<PdfInfoRecord>;

export interface MergeOptions extends Options {
  /** Pages of the file before it, such as 1-3 or z-1 (from the last to the first); one for each file, in its order; on this machine only. */
  readonly pages?: string | readonly string[];
  /** Take a page of each file in turn; with the pages z-1 of the second one for the backs of a scan; on this machine only. */
  readonly interleave?: boolean;
  /** Put the bookmarks of each file under one named after it; on this machine only. */
  readonly bookmarks?: boolean;
  /** Title of the output, instead of the first file's; on this machine only. */
  readonly title?: string;
  /** Author of the output, instead of the first file's; on this machine only. */
  readonly author?: string;
  /** Subject of the output, instead of the first file's; on this machine only. */
  readonly subject?: string;
  /** Keywords of the output, instead of the first file's; on this machine only. */
  readonly keywords?: string;
}
/** Join PDFs in the order given: `pdftool merge`. */
export function merge(file: readonly Input[], options: MergeOptions & ToPath): Promise<Written>;
export function merge(file: readonly Input[], options: MergeOptions & ToStream): Promise<OutputStream>;
export function merge(file: readonly Input[], options?: MergeOptions & ToMemory): Promise<OutputFile>;

export interface SplitOptions extends Options {
  /** Split after these pages, such as 3,7. */
  readonly atPages?: Pages;
  /** One file per range, such as 1-3,7-9. */
  readonly ranges?: Pages;
  /** As many pages to each file; on this machine only. */
  readonly every?: number;
  /** A file from each bookmark to the next, down to this level; on this machine only. */
  readonly byBookmark?: number;
  /** As many pages to each file as it may hold of bytes, such as 10MB; on this machine only. */
  readonly maxSize?: number | string;
  /** Cut at empty pages, which are left out; on this machine only. */
  readonly blank?: boolean;
  /** Names of the files: {stem} of the input, {n}umber, {title} of the bookmark, {first} and {last} page; on this machine only. */
  readonly name?: string;
}
/** Cut a PDF into one file per page, or into segments: `pdftool split`. */
export function split(file: Input, options: SplitOptions & ToPath): Promise<Written>;
export function split(file: Input, options?: SplitOptions & ToMemory): AsyncGenerator<OutputPart, void, void>;

export interface RotateOptions extends Options {
  /** Pages to turn, instead of all; on this machine only. */
  readonly pages?: Pages;
  /** Degrees, clockwise, added to how each page is turned already. */
  readonly angle: 90 | 180 | 270 | -90 | -180 | -270;
  /** Append the change to the file as it is, where its signatures allow it: signed bytes stay untouched; on this machine only. */
  readonly incremental?: boolean;
}
/** Turn every page: `pdftool rotate`. */
export function rotate(file: Input, options: RotateOptions & ToPath): Promise<Written>;
export function rotate(file: Input, options: RotateOptions & ToStream): Promise<OutputStream>;
export function rotate(file: Input, options: RotateOptions & ToMemory): Promise<OutputFile>;

export interface PagesTakeOptions extends Options {
  /** Pages to take, such as 3,1-2 or r2-. */
  readonly pages: string;
}
/** Puts pages into a PDF of their own, in the order given; a page may be given twice. Bookmarks, links, forms, labels, layers and tags follow the pages: `pdftool pages take`. */
export function pagesTake(file: Input, options: PagesTakeOptions & ToPath): Promise<Written>;
export function pagesTake(file: Input, options: PagesTakeOptions & ToStream): Promise<OutputStream>;
export function pagesTake(file: Input, options: PagesTakeOptions & ToMemory): Promise<OutputFile>;

export interface PagesDropOptions extends Options {
  /** Pages to leave out, such as 1,7-9. */
  readonly pages: string;
}
/** Leaves pages out and keeps all others. Bookmarks, links, forms, labels, layers and tags follow the pages: `pdftool pages drop`. */
export function pagesDrop(file: Input, options: PagesDropOptions & ToPath): Promise<Written>;
export function pagesDrop(file: Input, options: PagesDropOptions & ToStream): Promise<OutputStream>;
export function pagesDrop(file: Input, options: PagesDropOptions & ToMemory): Promise<OutputFile>;

export interface PagesReverseOptions extends Options {
  /** Pages whose order is turned round, instead of all. */
  readonly pages?: string;
}
/** Turns the order of all pages round, or of some among the places they have. Bookmarks, links, forms, labels, layers and tags follow the pages: `pdftool pages reverse`. */
export function pagesReverse(file: Input, options: PagesReverseOptions & ToPath): Promise<Written>;
export function pagesReverse(file: Input, options: PagesReverseOptions & ToStream): Promise<OutputStream>;
export function pagesReverse(file: Input, options?: PagesReverseOptions & ToMemory): Promise<OutputFile>;

export interface PagesOrderOptions extends Options {
  /** Pages that come first, in their order, such as 3,1-2. */
  readonly pages: string;
}
/** Puts the pages given first, in their order; all others follow in theirs, so that none is lost. Bookmarks, links, forms, labels, layers and tags follow the pages: `pdftool pages order`. */
export function pagesOrder(file: Input, options: PagesOrderOptions & ToPath): Promise<Written>;
export function pagesOrder(file: Input, options: PagesOrderOptions & ToStream): Promise<OutputStream>;
export function pagesOrder(file: Input, options: PagesOrderOptions & ToMemory): Promise<OutputFile>;

export interface EncryptOptions extends Options {
  /** Password that opens it. */
  readonly userPassword?: string;
  /** Password that allows everything. */
  readonly ownerPassword?: string;
  /** What may be done without the owner password: all, none, or some of print, print-low, change, copy, annotate, fill-forms, assemble. */
  readonly allow?: string;
  /** What may not be done without it, of the same words. */
  readonly deny?: string;
}
/** Encrypts a PDF with AES-256 (revision 6). With the user password it is opened; with the owner password all is allowed. Programs are asked not to do what is not allowed: a request, not a lock: `pdftool encrypt`. */
export function encrypt(file: Input, options: EncryptOptions & ToPath): Promise<Written>;
export function encrypt(file: Input, options: EncryptOptions & ToStream): Promise<OutputStream>;
export function encrypt(file: Input, options?: EncryptOptions & ToMemory): Promise<OutputFile>;

export interface DecryptOptions extends Options {}
/** Takes the encryption off a PDF whose password is known, and says how it was encrypted and what it allowed without the owner password: `pdftool decrypt`. */
export function decrypt(file: Input, options: DecryptOptions & ToPath): Promise<Written>;
export function decrypt(file: Input, options: DecryptOptions & ToStream): Promise<OutputStream>;
export function decrypt(file: Input, options?: DecryptOptions & ToMemory): Promise<OutputFile>;

export interface MetaShowOptions extends Options {}
/** Show title, author and other metadata, and where its two places differ: `pdftool meta show`. */
export function metaShow(file: Input, options: MetaShowOptions & ToPath): Promise<Written>;
export function metaShow(file: Input, options?: MetaShowOptions & ToMemory): Promise<MetadataRecord>;

export interface MetaSetOptions extends Options {
  /** Title. */
  readonly title?: string;
  /** Author. */
  readonly author?: string;
  /** Subject. */
  readonly subject?: string;
  /** Keywords, with commas between them. */
  readonly keywords?: string;
  /** Program that the document was written with. */
  readonly creator?: string;
  /** Program that made the PDF. */
  readonly producer?: string;
  /** When it was made, such as 2026-11-22 or 2026-11-22T21:40:00+01:00. */
  readonly created?: string;
  /** When it was changed. */
  readonly modified?: string;
  /** Append the change to the file as it is, where its signatures allow it: signed bytes stay untouched; on this machine only. */
  readonly incremental?: boolean;
}
/** Sets metadata in the information dictionary and in the XMP packet, so that both say the same; what is not given stays as it is: `pdftool meta set`. */
export function metaSet(file: Input, options: MetaSetOptions & ToPath): Promise<Written>;
export function metaSet(file: Input, options: MetaSetOptions & ToStream): Promise<OutputStream>;
export function metaSet(file: Input, options?: MetaSetOptions & ToMemory): Promise<OutputFile>;

export interface MetaClearOptions extends Options {
  /** Only these, such as author,producer. */
  readonly fields?: string;
}
/** Takes off what a document says of itself: the information dictionary and the XMP packet. What pictures say of themselves stays: `pdftool meta clear`. */
export function metaClear(file: Input, options: MetaClearOptions & ToPath): Promise<Written>;
export function metaClear(file: Input, options: MetaClearOptions & ToStream): Promise<OutputStream>;
export function metaClear(file: Input, options?: MetaClearOptions & ToMemory): Promise<OutputFile>;

export interface BookmarksShowOptions extends Options {}
/** Show the bookmarks with their pages, in a form that bookmarks set takes: `pdftool bookmarks show`. */
export function bookmarksShow(file: Input, options: BookmarksShowOptions & ToPath): Promise<Written>;
export function bookmarksShow(file: Input, options?: BookmarksShowOptions & ToMemory): Promise<BookmarksRecord>;

export interface BookmarksSetOptions extends Options {
  /** The list; @FILE is what a file says. */
  readonly bookmarks: string;
  /** Append the change to the file as it is, where its signatures allow it: signed bytes stay untouched; on this machine only. */
  readonly incremental?: boolean;
}
/** Gives a PDF the bookmarks of a list, in place of those that it has. A line each: two spaces for each level, the title, a tab and the page; or JSON, as `bookmarks show` prints it, with colours, styles and places on the page: `pdftool bookmarks set`. */
export function bookmarksSet(file: Input, options: BookmarksSetOptions & ToPath): Promise<Written>;
export function bookmarksSet(file: Input, options: BookmarksSetOptions & ToStream): Promise<OutputStream>;
export function bookmarksSet(file: Input, options: BookmarksSetOptions & ToMemory): Promise<OutputFile>;

export interface BookmarksClearOptions extends Options {}
/** Take all bookmarks off: `pdftool bookmarks clear`. */
export function bookmarksClear(file: Input, options: BookmarksClearOptions & ToPath): Promise<Written>;
export function bookmarksClear(file: Input, options: BookmarksClearOptions & ToStream): Promise<OutputStream>;
export function bookmarksClear(file: Input, options?: BookmarksClearOptions & ToMemory): Promise<OutputFile>;

export interface LabelsShowOptions extends Options {}
/** Show how pages are labelled, in a form that labels set takes: `pdftool labels show`. */
export function labelsShow(file: Input, options: LabelsShowOptions & ToPath): Promise<Written>;
export function labelsShow(file: Input, options?: LabelsShowOptions & ToMemory): Promise<LabelsRecord>;

export interface LabelsSetOptions extends Options {
  /** Labels, such as 1:r,5:D,20:D/1/A-; @FILE is what a file says. */
  readonly labels: string;
  /** Append the change to the file as it is, where its signatures allow it: signed bytes stay untouched; on this machine only. */
  readonly incremental?: boolean;
}
/** Sets the page labels that viewers show, in place of those that there are. A page, a colon, a style (D 1 2 3, r i ii iii, R I II III, a a b c, A A B C, or none), and where they are wanted the first number and a prefix: 1:r,5:D,20:D/1/A-: `pdftool labels set`. */
export function labelsSet(file: Input, options: LabelsSetOptions & ToPath): Promise<Written>;
export function labelsSet(file: Input, options: LabelsSetOptions & ToStream): Promise<OutputStream>;
export function labelsSet(file: Input, options: LabelsSetOptions & ToMemory): Promise<OutputFile>;

export interface LabelsClearOptions extends Options {}
/** Take all page labels off, so that pages are counted from 1: `pdftool labels clear`. */
export function labelsClear(file: Input, options: LabelsClearOptions & ToPath): Promise<Written>;
export function labelsClear(file: Input, options: LabelsClearOptions & ToStream): Promise<OutputStream>;
export function labelsClear(file: Input, options?: LabelsClearOptions & ToMemory): Promise<OutputFile>;

export interface AttachListOptions extends Options {}
/** List the files that a PDF holds: `pdftool attach list`. */
export function attachList(file: Input, options: AttachListOptions & ToPath): Promise<Written>;
export function attachList(file: Input, options?: AttachListOptions & ToMemory): Promise<AttachmentsRecord>;

export interface AttachAddOptions extends Options {
  /** What the files are. */
  readonly description?: string;
  /** How they belong to the document. */
  readonly relationship?: "source" | "data" | "alternative" | "supplement" | "unspecified";
  /** Put a file in the place of one of the same name. */
  readonly replace?: boolean;
  /** Append the change to the file as it is, where its signatures allow it: signed bytes stay untouched; on this machine only. */
  readonly incremental?: boolean;
}
/** Puts files into a PDF, byte for byte, under their names. With a relationship they are said to belong to the document, as invoices with XML want it: `pdftool attach add`. */
export function attachAdd(file: readonly Input[], options: AttachAddOptions & ToPath): Promise<Written>;
export function attachAdd(file: readonly Input[], options: AttachAddOptions & ToStream): Promise<OutputStream>;
export function attachAdd(file: readonly Input[], options?: AttachAddOptions & ToMemory): Promise<OutputFile>;

export interface AttachExtractOptions extends Options {
  /** Only the files of this name. */
  readonly name?: string;
}
/** Takes out the files that a PDF holds, byte for byte: those of the document and those that are notes on its pages. The PDF stays as it is: `pdftool attach extract`. */
export function attachExtract(file: Input, options: AttachExtractOptions & ToPath): Promise<Written>;
export function attachExtract(file: Input, options?: AttachExtractOptions & ToMemory): AsyncGenerator<OutputPart, void, void>;

export interface AttachRemoveOptions extends Options {
  /** The file of this name. */
  readonly name?: string;
  /** All of them. */
  readonly all?: boolean;
}
/** Take files off a PDF: `pdftool attach remove`. */
export function attachRemove(file: Input, options: AttachRemoveOptions & ToPath): Promise<Written>;
export function attachRemove(file: Input, options: AttachRemoveOptions & ToStream): Promise<OutputStream>;
export function attachRemove(file: Input, options?: AttachRemoveOptions & ToMemory): Promise<OutputFile>;

export interface CompressOptions extends Options {
  /** Upload limit to measure against, in bytes; the output is best effort. */
  readonly targetBytes?: number | string;
  /** Upload limit to measure against, in bytes; the output is best effort. */
  readonly target?: number | string;
  /** Pages that the output has, instead of all, such as 1-3,7; on this machine only. */
  readonly pages?: Pages;
  /** Touch no pixel: only structure, fonts and coding; on this machine only. */
  readonly lossless?: boolean;
  /** JPEG quality of pictures, 1 to 100; chosen by how they look unless given; on this machine only. */
  readonly quality?: number;
  /** Pixels to the inch that pictures are reduced to where they have many more; 150 unless given; on this machine only. */
  readonly dpi?: number;
  /** Make pictures grey; on this machine only. */
  readonly grayscale?: boolean;
  /** Make scanned pages of text black and white; on this machine only. */
  readonly bilevel?: boolean;
  /** Leave scanned pages in one layer: no text kept sharp above a coarser ground; on this machine only. */
  readonly noMrc?: boolean;
  /** Take the first good answer: a few times as fast for larger scans and pictures; on this machine only. */
  readonly fast?: boolean;
  /** Meet the target even where text in pictures can no longer be read (below 72 dpi); on this machine only. */
  readonly allowUnreadable?: boolean;
}
/** Make a PDF smaller: `pdftool compress`. */
export function compress(file: Input, options: CompressOptions & ToPath): Promise<Written>;
export function compress(file: Input, options: CompressOptions & ToStream): Promise<OutputStream>;
export function compress(file: Input, options?: CompressOptions & ToMemory): Promise<OutputFile>;

export interface MergeCompressOptions extends Options {
  /** Upload limit to measure against, in bytes; the output is best effort. */
  readonly targetBytes?: number | string;
  /** Upload limit to measure against, in bytes; the output is best effort. */
  readonly target?: number | string;
  /** Touch no pixel: only structure, fonts and coding; on this machine only. */
  readonly lossless?: boolean;
  /** JPEG quality of pictures, 1 to 100; chosen by how they look unless given; on this machine only. */
  readonly quality?: number;
  /** Pixels to the inch that pictures are reduced to where they have many more; 150 unless given; on this machine only. */
  readonly dpi?: number;
  /** Make pictures grey; on this machine only. */
  readonly grayscale?: boolean;
  /** Make scanned pages of text black and white; on this machine only. */
  readonly bilevel?: boolean;
  /** Leave scanned pages in one layer: no text kept sharp above a coarser ground; on this machine only. */
  readonly noMrc?: boolean;
  /** Take the first good answer: a few times as fast for larger scans and pictures; on this machine only. */
  readonly fast?: boolean;
  /** Meet the target even where text in pictures can no longer be read (below 72 dpi); on this machine only. */
  readonly allowUnreadable?: boolean;
}
/** Join PDFs and make the result smaller: `pdftool merge-compress`. */
export function mergeCompress(file: readonly Input[], options: MergeCompressOptions & ToPath): Promise<Written>;
export function mergeCompress(file: readonly Input[], options: MergeCompressOptions & ToStream): Promise<OutputStream>;
export function mergeCompress(file: readonly Input[], options?: MergeCompressOptions & ToMemory): Promise<OutputFile>;

export interface ImagesToPdfOptions extends Options {
  /** Page: as large as the image at its own resolution (fit), or paper it is fitted on; left out: "fit"; on this machine only. */
  readonly pageSize?: "fit" | "A4" | "Letter";
  /** Points (1/72 inch) left free around each image; left out: 0; on this machine only. */
  readonly margin?: number;
  /** Pixels to the inch, whatever the images say; on this machine only. */
  readonly dpi?: number;
}
/** Make a PDF of images, one page each: `pdftool images-to-pdf`. */
export function imagesToPdf(file: readonly Input[], options: ImagesToPdfOptions & ToPath): Promise<Written>;
export function imagesToPdf(file: readonly Input[], options: ImagesToPdfOptions & ToStream): Promise<OutputStream>;
export function imagesToPdf(file: readonly Input[], options?: ImagesToPdfOptions & ToMemory): Promise<OutputFile>;

export interface ImagesToPdfCompressOptions extends Options {
  /** Upload limit to measure against, in bytes; the output is best effort. */
  readonly targetBytes?: number | string;
  /** Upload limit to measure against, in bytes; the output is best effort. */
  readonly target?: number | string;
  /** Page: as large as the image at its own resolution (fit), or paper it is fitted on; left out: "fit"; on this machine only. */
  readonly pageSize?: "fit" | "A4" | "Letter";
  /** Points (1/72 inch) left free around each image; left out: 0; on this machine only. */
  readonly margin?: number;
  /** Touch no pixel: only structure, fonts and coding; on this machine only. */
  readonly lossless?: boolean;
  /** JPEG quality of pictures, 1 to 100; chosen by how they look unless given; on this machine only. */
  readonly quality?: number;
  /** Pixels to the inch that pictures are reduced to where they have many more; 150 unless given; on this machine only. */
  readonly dpi?: number;
  /** Make pictures grey; on this machine only. */
  readonly grayscale?: boolean;
  /** Make scanned pages of text black and white; on this machine only. */
  readonly bilevel?: boolean;
  /** Leave scanned pages in one layer: no text kept sharp above a coarser ground; on this machine only. */
  readonly noMrc?: boolean;
  /** Take the first good answer: a few times as fast for larger scans and pictures; on this machine only. */
  readonly fast?: boolean;
  /** Meet the target even where text in pictures can no longer be read (below 72 dpi); on this machine only. */
  readonly allowUnreadable?: boolean;
}
/** Make a small PDF of images, one page each: `pdftool images-to-pdf-compress`. */
export function imagesToPdfCompress(file: readonly Input[], options: ImagesToPdfCompressOptions & ToPath): Promise<Written>;
export function imagesToPdfCompress(file: readonly Input[], options: ImagesToPdfCompressOptions & ToStream): Promise<OutputStream>;
export function imagesToPdfCompress(file: readonly Input[], options?: ImagesToPdfCompressOptions & ToMemory): Promise<OutputFile>;

export interface ToImagesOptions extends Options {
  /** Pages to draw, instead of all, such as 1-3,7. */
  readonly pages?: Pages;
  /** Kind of picture; left out: "png". */
  readonly format?: "png" | "jpeg" | "webp";
  /** Pixels per inch; left out: 150. */
  readonly dpi?: number;
  /** Width in pixels; with a height, the largest picture that fits in both. */
  readonly width?: number;
  /** Height in pixels. */
  readonly height?: number;
  /** Shades of grey instead of colours. */
  readonly grayscale?: boolean;
  /** Quality of JPEG and WebP; left out: 85. */
  readonly quality?: number;
  /** Nothing behind the page instead of white; for PNG and WebP. */
  readonly transparent?: boolean;
}
/** Draw pages as PNG, JPEG or WebP pictures, one file per page: `pdftool to-images`. */
export function toImages(file: Input, options: ToImagesOptions & ToPath): Promise<Written>;
export function toImages(file: Input, options?: ToImagesOptions & ToMemory): AsyncGenerator<OutputPart, void, void>;

export interface ImagesOptions extends Options {
  /** Pages to look at, instead of all, such as 1-3,7. */
  readonly pages?: Pages;
  /** List them with page, size and resolution, and write none. */
  readonly list?: boolean;
}
/** Takes out the pictures that pages show: JPEGs byte for byte, all others as PNG, with their masks applied. A picture that is shown again is written once: `pdftool images`. */
export function images(file: Input, options: ImagesOptions & ToPath & { list: true }): Promise<Written>;
export function images(file: Input, options: ImagesOptions & ToMemory & { list: true }): Promise<PicturesRecord>;
export function images(file: Input, options: ImagesOptions & ToPath & { list?: false }): Promise<Written>;
export function images(file: Input, options?: ImagesOptions & ToMemory & { list?: false }): AsyncGenerator<OutputPart, void, void>;

export interface OcrOptions extends Options {
  /** Languages by their three letters, such as eng or eng+deu; left out: "eng". */
  readonly language?: string;
  /** Pages to look at, instead of all, such as 1-3,7. */
  readonly pages?: Pages;
  /** Read pages with text too, beside the text that they have. */
  readonly all?: boolean;
  /** Take invisible text of an earlier run away, and read those pages again. */
  readonly redo?: boolean;
  /** Turn pages upright that lie on their side or their head, where it is sure how they lie; left out: "auto". */
  readonly rotatePages?: "auto" | "off";
  /** Straighten lines that run askew: in the text layer alone, or by turning the page. */
  readonly deskew?: "text" | "page";
  /** Also make it smaller, as compress does: scans come to a quarter of their bytes and look the same. */
  readonly optimize?: boolean;
  /** Make it a PDF/A in the same run. */
  readonly to?: "pdfa-2b" | "pdfa-2u" | "pdfa-3b";
  /** Also write the words to this file: JSON lines with page, box in points and confidence; on this machine only. */
  readonly text?: string;
}
/** Recognises the words of pages without text and adds them as invisible text, which can be searched and selected. Pages with text stay as they are, and so does how pages look, but that those on their side are turned upright. With optimize pictures are coded again after they were read: `pdftool ocr`. */
export function ocr(file: Input, options: OcrOptions & ToPath): Promise<Written>;
export function ocr(file: Input, options: OcrOptions & ToStream): Promise<OutputStream>;
export function ocr(file: Input, options?: OcrOptions & ToMemory): Promise<OutputFile>;

export interface StampOptions extends Options {
  /** Text to put on, such as "Draft" or "{page} of {pages}"; may have several lines. */
  readonly text?: string;
  /** Picture to put on. */
  readonly image?: Input;
  /** PDF whose first page is put on. */
  readonly pdf?: Input;
  /** Pages to stamp, instead of all, such as 1-3,7. */
  readonly pages?: Pages;
  /** Where on the page; left out: "center". */
  readonly position?: "center" | "top" | "bottom" | "left" | "right" | "top-left" | "top-right" | "bottom-left" | "bottom-right";
  /** Points to the edges of the page; 36, or 0 for a PDF, unless given. */
  readonly margin?: number;
  /** Degrees, counter-clockwise; left out: 0. */
  readonly rotation?: number;
  /** How much it covers: 1 all, 0.2 a little; left out: 1. */
  readonly opacity?: number;
  /** Under what is on the page, not over it. */
  readonly under?: boolean;
  /** Size of the picture or page: 1 is its own; never larger than the room; left out: 1. */
  readonly scale?: number;
  /** Font of the text, which every reader has; left out: "Helvetica". */
  readonly font?: "Helvetica" | "Helvetica-Bold" | "Helvetica-Oblique" | "Helvetica-BoldOblique" | "Times-Roman" | "Times-Bold" | "Times-Italic" | "Times-BoldItalic" | "Courier" | "Courier-Bold" | "Courier-Oblique" | "Courier-BoldOblique" | "Symbol" | "ZapfDingbats";
  /** Font file for the text, of which the letters shown are embedded. */
  readonly fontFile?: Input;
  /** Size of the text in points; smaller where it would not fit; left out: 24. */
  readonly size?: number;
  /** Colour of the text: black, white, gray, red, green, blue or #rrggbb; left out: "black". */
  readonly color?: string;
  /** Append the change to the file as it is, where its signatures allow it: signed bytes stay untouched; on this machine only. */
  readonly incremental?: boolean;
}
/** Puts text, a picture or the first page of another PDF on pages, upright as they are shown. In the text {page} is the number of the page, {pages} how many there are, {file} the name of the file and {date} today; {page:6} has six digits: `pdftool stamp`. */
export function stamp(file: Input, options: StampOptions & ToPath): Promise<Written>;
export function stamp(file: Input, options: StampOptions & ToStream): Promise<OutputStream>;
export function stamp(file: Input, options?: StampOptions & ToMemory): Promise<OutputFile>;

export interface NumberOptions extends Options {
  /** Pages to number, instead of all, such as 3-. */
  readonly pages?: Pages;
  /** Number of the first one; left out: 1. */
  readonly start?: number;
  /** What is written, such as "{page} of {pages}" or "A{page:6}"; left out: "{page}". */
  readonly format?: string;
  /** Where on the page; left out: "bottom". */
  readonly position?: "center" | "top" | "bottom" | "left" | "right" | "top-left" | "top-right" | "bottom-left" | "bottom-right";
  /** Points to the edges of the page; 24 unless given. */
  readonly margin?: number;
  /** Font of the text, which every reader has; left out: "Helvetica". */
  readonly font?: "Helvetica" | "Helvetica-Bold" | "Helvetica-Oblique" | "Helvetica-BoldOblique" | "Times-Roman" | "Times-Bold" | "Times-Italic" | "Times-BoldItalic" | "Courier" | "Courier-Bold" | "Courier-Oblique" | "Courier-BoldOblique" | "Symbol" | "ZapfDingbats";
  /** Font file for the text, of which the letters shown are embedded. */
  readonly fontFile?: Input;
  /** Size of the text in points; left out: 10. */
  readonly size?: number;
  /** Colour of the text: black, white, gray, red, green, blue or #rrggbb; left out: "black". */
  readonly color?: string;
}
/** Writes numbers on pages, from the number of the first one on. {page} stands for the number, {pages} for the last one; {page:6} has six digits: `pdftool number`. */
export function number(file: Input, options: NumberOptions & ToPath): Promise<Written>;
export function number(file: Input, options: NumberOptions & ToStream): Promise<OutputStream>;
export function number(file: Input, options?: NumberOptions & ToMemory): Promise<OutputFile>;

export interface OverlayOptions extends Options {
  /** PDF whose pages are laid over. */
  readonly pdf: Input;
  /** Pages to lay over, instead of all, such as 1-3,7. */
  readonly pages?: Pages;
  /** What becomes of pages that are left; left out: "none". */
  readonly repeat?: "none" | "last" | "all";
  /** How much it covers: 1 all, 0.2 a little; left out: 1. */
  readonly opacity?: number;
  /** Under what is on the page, not over it. */
  readonly under?: boolean;
}
/** Lays the pages of another PDF over those of this one, the first over the first and so on. Pages that are left keep as they are, unless they are to repeat: `pdftool overlay`. */
export function overlay(file: Input, options: OverlayOptions & ToPath): Promise<Written>;
export function overlay(file: Input, options: OverlayOptions & ToStream): Promise<OutputStream>;
export function overlay(file: Input, options: OverlayOptions & ToMemory): Promise<OutputFile>;

export interface NupOptions extends Options {
  /** Pages on a sheet, such as 2, 4 or 9. */
  readonly perSheet: number;
  /** Pages to put on sheets, instead of all, such as 1-3,7. */
  readonly pages?: Pages;
  /** Paper of the sheets; they lie where pages are larger so; left out: "A4". */
  readonly paper?: "A3" | "A4" | "A5" | "Letter" | "Legal" | "Tabloid";
  /** Points around the pages of a sheet; left out: 0. */
  readonly margin?: number;
  /** Points between pages; 6 unless given, 0 in a booklet. */
  readonly gap?: number;
  /** A line around each page. */
  readonly border?: boolean;
  /** In the order of a booklet, to be folded once: two pages on a sheet. */
  readonly booklet?: boolean;
}
/** Puts several pages side by side on each sheet of a new PDF, upright and as large as they fit. Links, bookmarks and what can be filled in are not part of it: `pdftool nup`. */
export function nup(file: Input, options: NupOptions & ToPath): Promise<Written>;
export function nup(file: Input, options: NupOptions & ToStream): Promise<OutputStream>;
export function nup(file: Input, options: NupOptions & ToMemory): Promise<OutputFile>;

export interface CropOptions extends Options {
  /** Pages to crop, instead of all, such as 1-3,7. */
  readonly pages?: Pages;
  /** Points to cut off at every edge; left out: 0. */
  readonly margin?: number;
  /** Points to cut off at the left. */
  readonly left?: number;
  /** Points to cut off at the right. */
  readonly right?: number;
  /** Points to cut off at the top. */
  readonly top?: number;
  /** Points to cut off at the bottom. */
  readonly bottom?: number;
  /** Cut off what is white, but for the margin. */
  readonly auto?: boolean;
}
/** Shows less of each page: what is cut off at the edges is hidden, and still in the file. To remove it, use redact: `pdftool crop`. */
export function crop(file: Input, options: CropOptions & ToPath): Promise<Written>;
export function crop(file: Input, options: CropOptions & ToStream): Promise<OutputStream>;
export function crop(file: Input, options?: CropOptions & ToMemory): Promise<OutputFile>;

export interface ResizeOptions extends Options {
  /** Pages to resize, instead of all, such as 1-3,7. */
  readonly pages?: Pages;
  /** Paper to fit. */
  readonly paper?: "A3" | "A4" | "A5" | "Letter" | "Legal" | "Tabloid";
  /** Width of another paper in points; its height as well. */
  readonly width?: number;
  /** Height of another paper in points. */
  readonly height?: number;
  /** Points that stay free at each edge; left out: 0. */
  readonly margin?: number;
  /** By how much, not to fit: 1 changes the paper alone. */
  readonly scale?: number;
  /** The paper stands, also for pages that lie. */
  readonly upright?: boolean;
}
/** Makes pages as large as a paper, and what they show larger or smaller to fit, with links, notes and fields in their places: `pdftool resize`. */
export function resize(file: Input, options: ResizeOptions & ToPath): Promise<Written>;
export function resize(file: Input, options: ResizeOptions & ToStream): Promise<OutputStream>;
export function resize(file: Input, options?: ResizeOptions & ToMemory): Promise<OutputFile>;

export interface BlankOptions extends Options {
  /** Put one behind each of these pages, such as 3,7 or z. */
  readonly after?: Pages;
  /** Put one before the first page. */
  readonly first?: boolean;
  /** How many at each place; left out: 1. */
  readonly count?: number;
  /** Paper of the empty pages. */
  readonly paper?: "A3" | "A4" | "A5" | "Letter" | "Legal" | "Tabloid";
}
/** Inserts empty pages, as large as the page before. Bookmarks, links and labels stay with their pages: `pdftool blank`. */
export function blank(file: Input, options: BlankOptions & ToPath): Promise<Written>;
export function blank(file: Input, options: BlankOptions & ToStream): Promise<OutputStream>;
export function blank(file: Input, options?: BlankOptions & ToMemory): Promise<OutputFile>;

export interface CompareOptions extends Options {
  /** Compare the words alone, and draw nothing. */
  readonly text?: boolean;
  /** Pixels per inch of what is compared; left out: 96. */
  readonly dpi?: number;
  /** Shades from 0 to 255 that a pixel may differ by; left out: 8. */
  readonly tolerance?: number;
  /** Also write a page to look at to this file: both pages and what differs; a service answers with the page; on this machine only. */
  readonly html?: string;
}
/** Draws the pages of two PDFs, reads their words, and tells which differ, page by page. It ends with 0 where they are the same and with 1 where they differ, as diff does; any other code says that they could not be compared: `pdftool compare`. */
export function compare(file: readonly Input[], options: CompareOptions & ToPath): Promise<Written>;
export function compare(file: readonly Input[], options?: CompareOptions & ToMemory): Promise<ComparisonRecord>;

export interface VerifyOptions extends Options {
  /** Certificates to trust besides those of the system, in PEM. */
  readonly trust?: Input;
  /** Ask the issuers of certificates whether they were revoked; on this machine only. */
  readonly online?: boolean;
}
/** Tells of each signature and timestamp who made it and when, which revision it covers, what was changed afterwards and whether its certificate leads to a trusted one. It asks nobody on the network unless it is told to. It ends with 0 where all are intact and trusted and with 3 where one is not, or where there is none: `pdftool verify`. */
export function verify(file: Input, options: VerifyOptions & ToPath): Promise<Written>;
export function verify(file: Input, options?: VerifyOptions & ToMemory): Promise<SignaturesRecord>;

export interface SignOptions extends Options {
  /** The key, in PEM or PKCS#12. */
  readonly key?: Input;
  /** Password of the key. */
  readonly keyPassword?: string;
  /** Certificates of the key and its issuers, in PEM. */
  readonly cert?: Input;
  /** Command line of a program that signs in place of a key. */
  readonly command?: string;
  /** Digest; left out, one that suits the key. */
  readonly digest?: "sha256" | "sha384" | "sha512";
  /** Sign with RSA-PSS where the key is one of RSA. */
  readonly pss?: boolean;
  /** Signature field to sign, there already or new. */
  readonly field?: string;
  /** Why it is signed. */
  readonly reason?: string;
  /** Where it is signed. */
  readonly location?: string;
  /** How to reach the signer. */
  readonly contact?: string;
  /** Show the signature on a page. */
  readonly visible?: boolean;
  /** Page that shows it; the first unless given. */
  readonly page?: number;
  /** Where on the page. */
  readonly position?: "bottom-right" | "bottom-left" | "top-right" | "top-left" | "bottom" | "top" | "center";
  /** Picture in the visible signature. */
  readonly image?: Input;
  /** Certify the document: what others may do to it afterwards. */
  readonly certify?: "no-changes" | "form-filling" | "annotations";
  /** Address of the authority that stamps the time. */
  readonly timestamp?: string;
  /** A list of revoked certificates or an OCSP answer to keep in the file. */
  readonly revocation?: Input;
  /** Ask the issuers of certificates whether they were revoked, and keep the answers in the file. */
  readonly online?: boolean;
}
/** Appends a signature to a PDF, which leaves earlier ones as they are: PAdES B-B; B-T with a timestamp; B-LT with what the issuers say of the certificates. The key is a file in PEM or PKCS#12, or stays in a smart card, an HSM or a KMS that a command speaks to. The command is given a digest on standard input: with certificates it answers with the signature of that digest, without them with a CMS message: `pdftool sign`. */
export function sign(file: Input, options: SignOptions & ToPath): Promise<Written>;
export function sign(file: Input, options: SignOptions & ToStream): Promise<OutputStream>;
export function sign(file: Input, options?: SignOptions & ToMemory): Promise<OutputFile>;

export interface TimestampOptions extends Options {
  /** Address of the authority that stamps the time. */
  readonly timestamp: string;
  /** Signature field to use, there already or new. */
  readonly field?: string;
  /** A list of revoked certificates or an OCSP answer to keep in the file. */
  readonly revocation?: Input;
  /** Ask the issuers of certificates whether they were revoked, and keep the answers in the file. */
  readonly online?: boolean;
}
/** Appends a timestamp of the whole document (RFC 3161), which leaves signatures as they are: it proves that they were there at that time. With what the issuers say of the certificates the file is PAdES B-LTA: `pdftool timestamp`. */
export function timestamp(file: Input, options: TimestampOptions & ToPath): Promise<Written>;
export function timestamp(file: Input, options: TimestampOptions & ToStream): Promise<OutputStream>;
export function timestamp(file: Input, options: TimestampOptions & ToMemory): Promise<OutputFile>;

export interface OptimizeOptions extends Options {
  /** The first page comes first. */
  readonly linearize?: boolean;
}
/** Lays a PDF out so that a browser shows the first page while the rest is on its way (linearized, "fast web view"): `pdftool optimize`. */
export function optimize(file: Input, options: OptimizeOptions & ToPath): Promise<Written>;
export function optimize(file: Input, options: OptimizeOptions & ToStream): Promise<OutputStream>;
export function optimize(file: Input, options?: OptimizeOptions & ToMemory): Promise<OutputFile>;

export interface ArchiveOptions extends Options {
  /** Part and level of the standard; 3b may hold files; left out: "pdfa-2b". */
  readonly to?: "pdfa-2b" | "pdfa-2u" | "pdfa-3b";
  /** A font that is neither in the file nor has a metric twin is replaced by the nearest one. */
  readonly substituteFonts?: boolean;
}
/** Makes a PDF/A of a PDF: what breaks a rule is put right, or taken out and told. Pages, text, bookmarks, links, fields, tags and layers stay. What cannot be put right is refused, with the reason: `pdftool archive`. */
export function archive(file: Input, options: ArchiveOptions & ToPath): Promise<Written>;
export function archive(file: Input, options: ArchiveOptions & ToStream): Promise<OutputStream>;
export function archive(file: Input, options?: ArchiveOptions & ToMemory): Promise<OutputFile>;

export interface CheckOptions extends Options {
  /** What it is to be, instead of what it claims. */
  readonly for?: "pdfa-1a" | "pdfa-1b" | "pdfa-2a" | "pdfa-2b" | "pdfa-2u" | "pdfa-3a" | "pdfa-3b" | "pdfa-3u" | "pdfa-4" | "pdfa-4e" | "pdfa-4f" | "pdfua-1" | "pdfua-2";
}
/** Tells what keeps a PDF from being PDF/A or PDF/UA, in words with rule, page and object. veraPDF judges where it is installed; without it a part of the rules is looked at, and the answer says how many: then nothing found is not "valid". For PDF/UA tags, title, language, order, figures, headings, links and fonts are reported. It ends with 3 where something was found: `pdftool check`. */
export function check(file: Input, options: CheckOptions & ToPath): Promise<Written>;
export function check(file: Input, options?: CheckOptions & ToMemory): Promise<ConformanceRecord>;

export interface InvoiceAttachOptions extends Options {
  /** Level of the XML, where it does not say it. */
  readonly level?: "minimum" | "basic-wl" | "basic" | "en16931" | "extended" | "xrechnung";
  /** Put it in the place of an invoice of the same name. */
  readonly replace?: boolean;
  /** A font that is neither in the file nor has a metric twin is replaced by the nearest one. */
  readonly substituteFonts?: boolean;
}
/** Makes a PDF/A-3b that holds the invoice in XML beside the page for people, with the relationship and the metadata of its level. The XML is taken as it is: it is not checked against the rules of EN 16931: `pdftool invoice attach`. */
export function invoiceAttach(file: readonly Input[], options: InvoiceAttachOptions & ToPath): Promise<Written>;
export function invoiceAttach(file: readonly Input[], options: InvoiceAttachOptions & ToStream): Promise<OutputStream>;
export function invoiceAttach(file: readonly Input[], options?: InvoiceAttachOptions & ToMemory): Promise<OutputFile>;

export interface InvoiceShowOptions extends Options {
  /** The XML itself. */
  readonly xml?: boolean;
}
/** Show the invoice that a PDF holds: file, level, profile: `pdftool invoice show`. */
export function invoiceShow(file: Input, options: InvoiceShowOptions & ToPath & { xml: true }): Promise<Written>;
export function invoiceShow(file: Input, options: InvoiceShowOptions & ToStream & { xml: true }): Promise<OutputStream>;
export function invoiceShow(file: Input, options: InvoiceShowOptions & ToMemory & { xml: true }): Promise<OutputFile>;
export function invoiceShow(file: Input, options: InvoiceShowOptions & ToPath & { xml?: false }): Promise<Written>;
export function invoiceShow(file: Input, options?: InvoiceShowOptions & ToMemory & { xml?: false }): Promise<InvoiceRecord>;

export interface FormShowOptions extends Options {}
/** Lists the fields of a form: name, type, value, and the values that it takes. Its JSON is data that form fill takes: `pdftool form show`. */
export function formShow(file: Input, options: FormShowOptions & ToPath): Promise<Written>;
export function formShow(file: Input, options?: FormShowOptions & ToMemory): Promise<FormFieldsRecord>;

export interface FormFillOptions extends Options {
  /** Values by name: JSON, CSV with the names in its first line, or FDF. */
  readonly data?: Input;
  /** Values by name, such as {"Name":"Ada","Agreed":true}. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** One PDF for each line of a CSV, or each object of a JSON list. */
  readonly each?: boolean;
  /** Names of those PDFs, such as "{Name}-{n}": {n} counts them, other words are fields; left out: "{n}". */
  readonly name?: string;
  /** Make what is filled in a part of the pages, so that nobody changes it. */
  readonly flatten?: boolean;
  /** Font file for values that the form has no letters for. */
  readonly fontFile?: Input;
  /** Append the change to the file as it is, where its signatures allow it: signed bytes stay untouched; on this machine only. */
  readonly incremental?: boolean;
}
/** Fills fields by their names: texts, ticks (true or false), buttons and choices by their values. What fields show is drawn, so that every viewer shows the same: `pdftool form fill`. */
export function formFill(file: Input, options: FormFillOptions & ToPath & { each: true }): Promise<Written>;
export function formFill(file: Input, options: FormFillOptions & ToMemory & { each: true }): AsyncGenerator<OutputPart, void, void>;
export function formFill(file: Input, options: FormFillOptions & ToPath & { each?: false }): Promise<Written>;
export function formFill(file: Input, options: FormFillOptions & ToStream & { each?: false }): Promise<OutputStream>;
export function formFill(file: Input, options?: FormFillOptions & ToMemory & { each?: false }): Promise<OutputFile>;

export interface FormFlattenOptions extends Options {}
/** Draws what fields show on their pages, and takes the fields away: `pdftool form flatten`. */
export function formFlatten(file: Input, options: FormFlattenOptions & ToPath): Promise<Written>;
export function formFlatten(file: Input, options: FormFlattenOptions & ToStream): Promise<OutputStream>;
export function formFlatten(file: Input, options?: FormFlattenOptions & ToMemory): Promise<OutputFile>;

export interface ExtractTextOptions extends Options {
  /** Pages to read, instead of all, such as 1-3,7; on this machine only. */
  readonly pages?: Pages;
  /** Recognise the words of pages without text first, as `pdftool ocr` does; on this machine only. */
  readonly ocr?: boolean;
  /** Succeed with empty text where a document has no text layer; on this machine only. */
  readonly allowEmpty?: boolean;
}
/** Extract the text layer as plain text: `pdftool extract-text`. */
export function extractText(file: Input, options: ExtractTextOptions & ToPath): Promise<Written>;
export function extractText(file: Input, options?: ExtractTextOptions & ToMemory): Promise<TextRecord>;

export interface ToJsonOptions extends Options {
  /** Pages to read, instead of all, such as 1-3,7; on this machine only. */
  readonly pages?: Pages;
  /** Recognise the words of pages without text first, as `pdftool ocr` does; on this machine only. */
  readonly ocr?: boolean;
}
/** Extract the text layer page by page as JSON: `pdftool to-json`. */
export function toJson(file: Input, options: ToJsonOptions & ToPath): Promise<Written>;
export function toJson(file: Input, options?: ToJsonOptions & ToMemory): Promise<PdfJsonRecord>;

export interface MarkdownOptions extends Options {
  /** developer: links. academic: a rule between pages too. rag: plain text across pages, for retrieval; left out: "developer". */
  readonly mode?: "developer" | "academic" | "rag";
  /** What comes out; source-pack needs mode rag; left out: "json". */
  readonly outputFormat?: "json" | "markdown" | "jsonl" | "source-pack";
  /** Pages to read, instead of all, such as 1-3,7; on this machine only. */
  readonly pages?: Pages;
  /** Leave out the anchors where pages begin; on this machine only. */
  readonly noAnchors?: boolean;
  /** Recognise the words of pages without text first, as `pdftool ocr` does; on this machine only. */
  readonly ocr?: boolean;
  /** Succeed with empty text where a document has no text layer; on this machine only. */
  readonly allowEmpty?: boolean;
}
/** Extract the text layer as structured Markdown: `pdftool markdown`. */
export function markdown(file: Input, options: MarkdownOptions & ToPath & { outputFormat: "markdown" | "jsonl" | "source-pack" }): Promise<Written>;
export function markdown(file: Input, options: MarkdownOptions & ToStream & { outputFormat: "markdown" | "jsonl" | "source-pack" }): Promise<OutputStream>;
export function markdown(file: Input, options: MarkdownOptions & ToMemory & { outputFormat: "markdown" | "jsonl" | "source-pack" }): Promise<OutputFile>;
export function markdown(file: Input, options: MarkdownOptions & ToPath & { outputFormat?: "json" }): Promise<Written>;
export function markdown(file: Input, options?: MarkdownOptions & ToMemory & { outputFormat?: "json" }): Promise<StructuredMarkdownRecord>;

export interface TablesOptions extends Options {
  /** csv: one after the other, an empty line between. csv-files: one file for each table. xlsx: a workbook; left out: "csv". */
  readonly format?: "csv" | "csv-files" | "xlsx" | "json" | "markdown";
  /** Pages to read, instead of all, such as 1-3,7. */
  readonly pages?: Pages;
  /** Recognise the words of pages without text first, as `pdftool ocr` does. */
  readonly ocr?: boolean;
}
/** Extracts the tables of a document, in the order of reading. A workbook has a sheet for each, and numbers as numbers where no digit is lost and their column leaves no doubt; JSON tells the place and the span of each cell: `pdftool tables`. */
export function tables(file: Input, options: TablesOptions & ToPath & { format: "csv-files" }): Promise<Written>;
export function tables(file: Input, options: TablesOptions & ToMemory & { format: "csv-files" }): AsyncGenerator<OutputPart, void, void>;
export function tables(file: Input, options: TablesOptions & ToPath & { format: "json" }): Promise<Written>;
export function tables(file: Input, options: TablesOptions & ToMemory & { format: "json" }): Promise<TablesRecord>;
export function tables(file: Input, options: TablesOptions & ToPath & { format?: "csv" | "xlsx" | "markdown" }): Promise<Written>;
export function tables(file: Input, options: TablesOptions & ToStream & { format?: "csv" | "xlsx" | "markdown" }): Promise<OutputStream>;
export function tables(file: Input, options?: TablesOptions & ToMemory & { format?: "csv" | "xlsx" | "markdown" }): Promise<OutputFile>;

export interface VoicePreviewOptions extends Options {
  /** Sound format; left out: "mp3". */
  readonly outputFormat?: "mp3" | "wav";
  /** Voice style. */
  readonly voiceStyle?: string;
  /** Voice id, as pdftool voices lists them. */
  readonly voiceId?: string;
  /** Language to be spoken. */
  readonly language?: string;
  /** Speed of speech, 1 being normal. */
  readonly speed?: number;
}
/** Hear a short sample of a voice, at no cost: `pdftool voice-preview`. */
export function voicePreview(text: string, options: VoicePreviewOptions & ToPath): Promise<Written>;
export function voicePreview(text: string, options: VoicePreviewOptions & ToStream): Promise<OutputStream>;
export function voicePreview(text: string, options?: VoicePreviewOptions & ToMemory): Promise<OutputFile>;

export interface AudiobookOptions extends Options {
  /** Sound format. */
  readonly outputFormat?: "mp3" | "m4b" | "mp4";
  /** Voice style. */
  readonly voiceStyle?: string;
  /** Voice id, as pdftool voices lists them. */
  readonly voiceId?: string;
  /** Language to be spoken. */
  readonly language?: string;
  /** Speed of speech, 1 being normal. */
  readonly speed?: number;
  /** Pages to speak, in the order of the PDF, such as 1-5. */
  readonly pageRange?: Pages;
  /** Even out pauses; left out: true. */
  readonly normalizePauses?: boolean;
  /** Keep chapters; left out: true. */
  readonly preserveChapters?: boolean;
  /** Pronunciation fixes: JSON, or lines word==said; @FILE reads a file. */
  readonly pronunciationFixes?: string;
  /** Said for links, tables and code: a word, nothing, or all of it; left out: "word"; on this machine only. */
  readonly asides?: "word" | "skip" | "read";
  /** Subtitles in a file beside the output; on this machine only. */
  readonly subtitles?: "srt" | "vtt";
  /** Recognise the words of pages without text first, as `pdftool ocr` does; on this machine only. */
  readonly ocr?: boolean;
}
/** Turn a PDF into an audiobook: `pdftool audiobook`. */
export function audiobook(file: Input, options: AudiobookOptions & ToPath): Promise<Written>;
export function audiobook(file: Input, options: AudiobookOptions & ToStream): Promise<OutputStream>;
export function audiobook(file: Input, options?: AudiobookOptions & ToMemory): Promise<OutputFile>;

export interface NarrateOptions extends Options {
  /** Format of the narration; left out: "mp4". */
  readonly outputFormat?: string;
  /** Voice style. */
  readonly voiceStyle?: string;
  /** Speed of speech, 1 being normal. */
  readonly speed?: number;
  /** Pages to speak, in the order of the PDF, such as 1-5. */
  readonly pageRange?: Pages;
  /** Voice id, as pdftool voices lists them; on this machine only. */
  readonly voiceId?: string;
  /** Language to be spoken; on this machine only. */
  readonly language?: string;
  /** Pronunciation fixes: JSON, or lines word==said; @FILE reads a file; on this machine only. */
  readonly pronunciationFixes?: string;
  /** Seconds that a page without text is shown; left out: 3; on this machine only. */
  readonly blankSeconds?: number;
  /** Said for links, tables and code: a word, nothing, or all of it; left out: "word"; on this machine only. */
  readonly asides?: "word" | "skip" | "read";
  /** Subtitles in a file beside the output; on this machine only. */
  readonly subtitles?: "srt" | "vtt";
  /** Recognise the words of pages without text first, as `pdftool ocr` does; on this machine only. */
  readonly ocr?: boolean;
}
/** Narrate a PDF page by page, as a video of slides: `pdftool narrate`. */
export function narrate(file: Input, options: NarrateOptions & ToPath): Promise<Written>;
export function narrate(file: Input, options: NarrateOptions & ToStream): Promise<OutputStream>;
export function narrate(file: Input, options?: NarrateOptions & ToMemory): Promise<OutputFile>;

export interface TranslateAndSpeakOptions extends Options {
  /** Language to translate into. */
  readonly targetLanguage: string;
  /** Language of the PDF. */
  readonly sourceLanguage?: string;
  /** Sound format. */
  readonly outputFormat?: string;
  /** Voice style. */
  readonly voiceStyle?: string;
  /** Speed of speech, 1 being normal. */
  readonly speed?: number;
  /** Pages to speak, in the order of the PDF, such as 1-5. */
  readonly pageRange?: Pages;
  /** How the audio is cut; pages for slides. */
  readonly segmentationMode?: "chapters" | "pages";
  /** Glossary. */
  readonly translationGlossary?: string;
}
/** Translate a PDF and speak it (disabled by the service): `pdftool translate-and-speak`. */
export function translateAndSpeak(file: Input, options: TranslateAndSpeakOptions & ToPath): Promise<Written>;
export function translateAndSpeak(file: Input, options: TranslateAndSpeakOptions & ToStream): Promise<OutputStream>;
export function translateAndSpeak(file: Input, options: TranslateAndSpeakOptions & ToMemory): Promise<OutputFile>;

export interface JobStatusOptions extends Options {}
/** Poll an audio job: `pdftool job-status`. */
export function jobStatus(id: string, options: JobStatusOptions & ToPath): Promise<Written>;
export function jobStatus(id: string, options?: JobStatusOptions & ToMemory): Promise<JobStatusRecord>;

export interface JobDownloadOptions extends Options {}
/** Download the audio of a finished job: `pdftool job-download`. */
export function jobDownload(id: string, options: JobDownloadOptions & ToPath): Promise<Written>;
export function jobDownload(id: string, options: JobDownloadOptions & ToStream): Promise<OutputStream>;
export function jobDownload(id: string, options?: JobDownloadOptions & ToMemory): Promise<OutputFile>;

export interface RedactInspectOptions extends Options {
  /** find, regex, kinds, ocr; left out: {}. */
  readonly options?: Readonly<Record<string, unknown>>;
}
/** Find what to black out: `pdftool redact-inspect`. */
export function redactInspect(file: Input, options: RedactInspectOptions & ToPath): Promise<Written>;
export function redactInspect(file: Input, options?: RedactInspectOptions & ToMemory): Promise<RedactionRegionsRecord>;

export interface RedactReviewOptions extends Options {
  /** regions, sourceSha256; left out: {}. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** What to write; left out: "pdf". */
  readonly format?: "pdf" | "html";
}
/** Show the regions, on a page that edits them or in a PDF: `pdftool redact-review`. */
export function redactReview(file: Input, options: RedactReviewOptions & ToPath): Promise<Written>;
export function redactReview(file: Input, options: RedactReviewOptions & ToStream): Promise<OutputStream>;
export function redactReview(file: Input, options?: RedactReviewOptions & ToMemory): Promise<OutputFile>;

export interface RedactApplyOptions extends Options {
  /** regions, sourceSha256, reviewed, label, fill, strict, raster, clean; left out: {}. */
  readonly options?: Readonly<Record<string, unknown>>;
}
/** Remove what is in the regions, and prove it: `pdftool redact-apply`. */
export function redactApply(file: Input, options: RedactApplyOptions & ToPath): Promise<Written>;
export function redactApply(file: Input, options: RedactApplyOptions & ToStream): Promise<OutputStream>;
export function redactApply(file: Input, options?: RedactApplyOptions & ToMemory): Promise<OutputFile>;

export interface RedactCheckOptions extends Options {
  /** regions, find; left out: {}. */
  readonly options?: Readonly<Record<string, unknown>>;
}
/** Look for what can still be read in a redacted PDF: `pdftool redact-check`. */
export function redactCheck(file: Input, options: RedactCheckOptions & ToPath): Promise<Written>;
export function redactCheck(file: Input, options?: RedactCheckOptions & ToMemory): Promise<RedactionFindingsRecord>;

export interface AccountOptions extends Options {}
/** Show credits left and used: `pdftool account`. */
export function account(options: AccountOptions & ToPath): Promise<Written>;
export function account(options?: AccountOptions & ToMemory): Promise<AccountRecord>;

export interface OpenapiOptions extends Options {}
/** Print the machine-readable description (OpenAPI 3.1): `pdftool openapi`. */
export function openapi(options: OpenapiOptions & ToPath): Promise<Written>;
export function openapi(options?: OpenapiOptions & ToMemory): Promise<OpenapiRecord>;
