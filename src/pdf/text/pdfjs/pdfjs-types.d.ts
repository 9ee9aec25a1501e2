// The declarations of the part of pdf.js 5.6.205 that is used: its own cover neither the minified files nor the
// operators.
declare module 'pdfjs-dist/legacy/build/pdf.min.mjs' {
  export interface FontInfo {
    readonly name?: string;
    readonly bold?: boolean;
    readonly black?: boolean;
    readonly italic?: boolean;
    readonly isMonospace?: boolean;
    readonly isType3Font?: boolean;
    readonly vertical?: boolean;
    readonly fontMatrix?: readonly number[];
    readonly bbox?: readonly number[];
    /** By code; holes where there is none. */
    readonly widths?: readonly number[];
    readonly defaultVMetrics?: readonly number[];
    readonly composite?: boolean;
    /** Undefined where codes are Unicode. A copy from a thread has no methods. */
    readonly toUnicode?: { readonly _map?: readonly (string | undefined)[] };
  }
  export interface ShownGlyph {
    readonly originalCharCode: number;
    readonly unicode: string;
    readonly width: number;
    readonly isSpace: boolean;
    readonly vmetric?: readonly number[] | null;
  }
  export interface OperatorList {
    readonly fnArray: readonly number[];
    readonly argsArray: readonly unknown[];
  }
  export interface TextItem {
    readonly str: string;
    readonly dir: string;
    readonly transform: readonly number[];
    readonly width: number;
    readonly height: number;
    readonly fontName: string;
    readonly hasEOL: boolean;
  }
  export interface Viewport {
    readonly width: number;
    readonly height: number;
    readonly transform: readonly number[];
  }
  export interface Page {
    readonly rotate: number;
    readonly view: readonly number[];
    readonly commonObjs: { has(id: string): boolean; get(id: string): FontInfo | null };
    getViewport(parameters: { scale: number }): Viewport;
    getOperatorList(parameters: { annotationMode: number }): Promise<OperatorList>;
    getTextContent(): Promise<{
      readonly items: readonly (TextItem | object)[];
      readonly styles: Readonly<Record<string, { readonly vertical?: boolean }>>;
    }>;
    cleanup(): boolean;
  }
  export interface Document {
    readonly numPages: number;
    getPage(number: number): Promise<Page>;
    cleanup(): Promise<void>;
    extractPages(pages: readonly { readonly document: null }[]): Promise<Uint8Array | null>;
  }
  export interface LoadingTask {
    readonly promise: Promise<Document>;
    destroy(): Promise<void>;
  }
  export class PDFWorker {
    constructor(parameters: { port: unknown; verbosity: number });
    destroy(): void;
  }
  export class PDFDataRangeTransport {
    constructor(length: number, initialData: Uint8Array | null);
    onDataRange(begin: number, chunk: Uint8Array): void;
    requestDataRange(begin: number, end: number): void;
    abort(): void;
  }
  export const OPS: Readonly<Record<string, number>>;
  export const version: string;
  export function getDocument(parameters: Readonly<Record<string, unknown>>): LoadingTask;
}

declare module 'pdfjs-dist/legacy/build/pdf.worker.min.mjs' {
  export const WorkerMessageHandler: { initializeFromPort(port: unknown): void };
}
