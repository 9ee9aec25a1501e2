/** The part of pdf.js's image decoders that is used; the package types its main entry alone. */
declare module 'pdfjs-dist/image_decoders/pdf.image_decoders.min.mjs' {
  export class Jbig2Image {
    parseChunks(chunks: readonly { data: Uint8Array; start: number; end: number }[]): Uint8ClampedArray;
  }
}
