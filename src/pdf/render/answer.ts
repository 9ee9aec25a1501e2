// Answers a drawing process's questions about one document: with a value, a failure, or `broken`.
import { Failure } from '../../contract/base/failure.ts';
import type {
  DrawnPage,
  DrawQuestion,
  HelperAnswer,
  PageDrawing,
  PictureFormat,
  RandomAccess,
} from '../../contract/base/ports.ts';
import { loadSharp } from '../images/sharp.ts';
import { byteAt } from '../syntax/arrays.ts';
import { checkSize, isLarge } from './bounds.ts';
import { type Band, Pdfium, type PdfiumDocument } from './pdfium.ts';
import { PdfiumRefusal } from './pdfium-module.ts';
import { PngWriter } from './png-file.ts';

type Refusal = { readonly failure: Pick<Failure, 'code' | 'message' | 'kind' | 'hint'> } | { readonly broken: string };

const NONE = new Uint8Array(0);

/** `open` selects the document of the questions after it. `file`: opens and closes it. `wasm`: the bytes of PDFium. */
export function answerWith(
  file: { file(name: string, descriptor?: number): RandomAccess; closeFile(): void },
  wasm: () => Promise<Uint8Array>,
): (question: DrawQuestion) => Promise<HelperAnswer> {
  let name = 'the file';
  let opened: Promise<PdfiumDocument> | undefined;
  /** Serializes the coding of large pictures. */
  let large: Promise<unknown> = Promise.resolve();
  const answer = async (question: DrawQuestion): Promise<HelperAnswer> => {
    if (question.ask === 'open') {
      ({ name } = question);
      opened = wasm()
        .then((bytes) => Pdfium.load(bytes))
        .then((pdfium) => pdfium.open(file.file(name, question.descriptor), question.password));
      return { value: { pages: (await opened).pageCount }, bytes: NONE };
    }
    if (question.ask === 'close') {
      opened = undefined;
      file.closeFile();
      return { value: {}, bytes: NONE };
    }
    if (opened === undefined) throw new TypeError('no document was opened');
    const document = await opened;
    if (question.ask === 'pictures') {
      const list = await document.pictures(question.page, async (pictures) => pictures.list());
      return { value: list, bytes: NONE };
    }
    if (question.ask === 'take') {
      const { page, index } = question;
      return { value: {}, bytes: await document.pictures(page, (pictures) => pictures.read(page, index)) };
    }
    if (question.ask === 'size') return { value: document.size(question.page), bytes: NONE };
    const { drawing } = question;
    if (question.ask === 'picture') {
      const made = isLarge(drawing)
        ? large.then(() => storePage(document, drawing, question.format))
        : storePage(document, drawing, question.format);
      if (isLarge(drawing)) large = made.catch(() => undefined);
      return { value: {}, bytes: await made };
    }
    const { pixels, ...value } = await drawWhole(document, drawing);
    return { value, bytes: pixels };
  };
  return (question) =>
    answer(question).catch((error: unknown) => ({ value: refusalOf(error, name, question), bytes: NONE }));
}

function refusalOf(error: unknown, name: string, question: DrawQuestion): Refusal {
  if (error instanceof Failure) {
    const { code, message, kind, hint } = error;
    return { failure: { code, message: `${name}: ${message}`, kind, hint } };
  }
  const page = 'drawing' in question ? question.drawing.page : 'page' in question ? question.page : undefined;
  if (error instanceof PdfiumRefusal) {
    const message = `${name}${page === undefined ? '' : `: page ${page}`} ${error.message}`;
    const hint = 'Write the file anew with the program it came from, then try again.';
    if (error.password) return { failure: { code: 'password', message, kind: 'encrypted', hint } };
    return { failure: { code: 'unprocessable', message, kind: 'damaged', hint } };
  }
  // A WebAssembly trap or a failed allocation: the instance is unusable.
  return { broken: error instanceof Error && error.name === 'RuntimeError' ? 'its drawing breaks off' : String(error) };
}

// PNG is written here; JPEG and WebP by sharp, which is optional.

/** Bytes of pixels per band: a page at 600 dpi has two. Grey is drawn in colour first. */
const BAND = 64 << 20;

async function storePage(document: PdfiumDocument, drawing: PageDrawing, format: PictureFormat): Promise<Uint8Array> {
  checkSize(drawing, format.type);
  const { type } = format;
  return type === 'png' ? storePng(document, drawing, format.dpi) : storeLossy(document, drawing, { ...format, type });
}

async function drawWhole(document: PdfiumDocument, drawing: PageDrawing): Promise<DrawnPage> {
  checkSize(drawing, 'pixels');
  const { width, height } = drawing;
  let whole: DrawnPage | undefined;
  await document.draw(drawing, bandsOf(drawing), async ({ channels, pixels }, { top }) => {
    whole ??= { width, height, channels, pixels: new Uint8Array(width * height * channels) };
    whole.pixels.set(pixels, top * width * channels);
  });
  if (whole === undefined) throw new TypeError('a page of no bands was drawn');
  return whole;
}

async function storePng(document: PdfiumDocument, drawing: PageDrawing, dpi: number): Promise<Uint8Array> {
  const bands = bandsOf(drawing);
  let writer: PngWriter | undefined;
  await document.draw(drawing, bands, async (band) => {
    // A colourless page as grey takes a third of the time and fewer bytes; only whole pages are checked.
    const drawn = bands.length === 1 ? withoutColour(band) : band;
    writer ??= new PngWriter({ ...drawn, height: drawing.height }, dpi);
    await writer.add(drawn);
  });
  if (writer === undefined) throw new TypeError('a page of no bands was drawn');
  return writer.finish();
}

function bandsOf({ width, height, colours }: PageDrawing): Band[] {
  const channels = colours === 'rgba' ? 4 : 3;
  const rows = Math.max(1, Math.floor(BAND / (width * channels)));
  const bands: Band[] = [];
  for (let top = 0; top < height; top += rows) bands.push({ top, rows: Math.min(rows, height - top) });
  return bands;
}

function withoutColour(drawn: DrawnPage): DrawnPage {
  const { pixels, channels } = drawn;
  if (channels !== 3) return drawn;
  for (let i = 0; i < pixels.length; i += 3) {
    if (pixels[i] !== pixels[i + 1] || pixels[i] !== pixels[i + 2]) return drawn;
  }
  const gray = new Uint8Array(pixels.length / 3);
  for (let i = 0; i < gray.length; i++) gray[i] = byteAt(pixels, 3 * i);
  return { ...drawn, channels: 1, pixels: gray };
}

/** The pixels up to which a picture counts as a thumbnail. */
const THUMBNAIL = 1 << 17;

type Lossy = PictureFormat & { readonly type: 'jpeg' | 'webp' };

async function storeLossy(document: PdfiumDocument, drawing: PageDrawing, format: Lossy): Promise<Uint8Array> {
  const { type, quality, dpi: density } = format;
  const sharp = sharpFor(type);
  const drawn = await drawWhole(document, drawing);
  // WebP has no greyscale.
  const { width, height, channels, pixels } = type === 'jpeg' ? withoutColour(drawn) : drawn;
  const image = sharp(pixels, { raw: { width, height, channels }, limitInputPixels: false });
  if (type === 'webp') {
    // Effort 2 takes half the time for 4 % more bytes. withMetadata would convert sRGB to sRGB, as slow as coding.
    const effort = width * height <= THUMBNAIL ? 2 : 4;
    const pixelsPerInch = `${Math.round(density * 100)}/100`;
    const IFD0 = { XResolution: pixelsPerInch, YResolution: pixelsPerInch, ResolutionUnit: '2' };
    return image.webp({ quality, effort }).withExif({ IFD0 }).toBuffer();
  }
  // Optimised codes need the whole picture in memory: 3 bytes a pixel.
  const optimiseCoding = !isLarge(drawing);
  const stored = image.jpeg({ quality, optimiseCoding });
  if (channels === 1) stored.toColourspace('b-w');
  return stored.withMetadata({ density }).toBuffer();
}

function sharpFor(type: Lossy['type']) {
  try {
    return loadSharp();
  } catch (cause) {
    const name = type === 'jpeg' ? 'JPEG' : 'WebP';
    throw new Failure('unavailable', `${name} files cannot be written: the image library sharp is not installed`, {
      hint: 'Install it with `npm install -g sharp`, or write PNG files, which need no other library.',
      cause,
    });
  }
}
