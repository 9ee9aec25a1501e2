// Answers of a drawing process to questions about one document: a value, a failure, or that it is broken.
import { Failure } from '../../contract/failure.ts';
import type { HelperAnswer, PageDrawing, PictureFormat, RandomAccess } from '../../contract/ports.ts';
import { isLarge } from './bounds.ts';
import { Pdfium, type PdfiumDocument } from './pdfium.ts';
import { PdfiumRefusal } from './pdfium-module.ts';
import { drawWhole, storePage } from './store.ts';

type Question =
  | { readonly ask: 'open'; readonly password: string | undefined; readonly name: string }
  | { readonly ask: 'size'; readonly page: number }
  | { readonly ask: 'pictures'; readonly page: number }
  | { readonly ask: 'take'; readonly page: number; readonly index: number }
  | { readonly ask: 'draw'; readonly drawing: PageDrawing }
  | { readonly ask: 'picture'; readonly drawing: PageDrawing; readonly format: PictureFormat };

type Refusal = { readonly failure: Pick<Failure, 'code' | 'message' | 'kind' | 'hint'> } | { readonly broken: string };

const NONE = new Uint8Array(0);

/** The first question opens the document. `wasm`: the bytes of the library. */
export function answerWith(
  file: (name: string) => RandomAccess,
  wasm: () => Promise<Uint8Array>,
): (question: Question) => Promise<HelperAnswer> {
  let name = 'the file';
  let opened: Promise<PdfiumDocument> | undefined;
  /** Large pictures are made one after the other. */
  let large: Promise<unknown> = Promise.resolve();
  const answer = async (question: Question): Promise<HelperAnswer> => {
    if (question.ask === 'open') {
      ({ name } = question);
      opened = wasm()
        .then((bytes) => Pdfium.load(bytes))
        .then((pdfium) => pdfium.open(file(name), question.password));
      return { value: { pages: (await opened).pageCount }, bytes: NONE };
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
    answer(question).catch((error: unknown) => ({ value: told(error, name, question), bytes: NONE }));
}

function told(error: unknown, name: string, question: Question): Refusal {
  if (error instanceof Failure) {
    const { code, message, kind, hint } = error;
    return { failure: { code, message: `${name}: ${message}`, kind, hint } };
  }
  const page = question.ask === 'open' ? undefined : 'drawing' in question ? question.drawing.page : question.page;
  if (error instanceof PdfiumRefusal) {
    const message = `${name}${page === undefined ? '' : `: page ${page}`} ${error.message}`;
    const hint = 'Write the file anew with the program it came from, then try again.';
    if (error.password) return { failure: { code: 'password', message, kind: 'encrypted', hint } };
    return { failure: { code: 'unprocessable', message, kind: 'damaged', hint } };
  }
  // A trap of WebAssembly, or a failed allocation: nothing it holds can be trusted any more.
  return { broken: error instanceof Error && error.name === 'RuntimeError' ? 'its drawing breaks off' : String(error) };
}
