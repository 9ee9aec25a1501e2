import type { DrawnPage, OpenPages, OtherEyes, PageCharacter, TextPiece } from './base/ports.ts';

/** Questions to a process that judges documents. Documents are referred to by number. */
type Question =
  | {
      readonly ask: 'part';
      readonly document: number;
      readonly size: number;
      readonly at: number;
      readonly bytes: Uint8Array;
    }
  | { readonly ask: 'open'; readonly document: number }
  | { readonly ask: 'characters'; readonly document: number; readonly page: number }
  | {
      readonly ask: 'draw';
      readonly document: number;
      readonly page: number;
      readonly width: number;
      readonly height: number;
      readonly scale?: number;
    }
  | { readonly ask: 'close'; readonly document: number }
  | { readonly ask: 'texts'; readonly document: number };

export type Ask = (question: Question) => Promise<unknown>;

/** Bytes of a document in one message: a message takes several times its size in memory. */
const PART = 4 << 20;

/** The asking end, as `OtherEyes`. */
export function askingEyes(ask: Ask, close: () => void): OtherEyes {
  let count = 0;
  return {
    async open(bytes): Promise<OpenPages> {
      const document = ++count;
      const size = bytes.length;
      for (let at = 0; at < size; at += PART) {
        await ask({ ask: 'part', document, size, at, bytes: bytes.subarray(at, at + PART) });
      }
      const pages = await ask({ ask: 'open', document });
      if (typeof pages !== 'number') throw new TypeError('a document without a number of pages');
      // Answers come from answerQuestions of the same program.
      return {
        pages,
        characters: async (page) => (await ask({ ask: 'characters', document, page })) as readonly PageCharacter[],
        draw: async (page, width, height, scale) =>
          (await ask({
            ask: 'draw',
            document,
            page,
            width,
            height,
            ...(scale === undefined ? {} : { scale }),
          })) as DrawnPage,
        texts: async () => (await ask({ ask: 'texts', document })) as readonly (readonly TextPiece[])[],
        // A process that has ended holds no document.
        close: () => void ask({ ask: 'close', document }).catch(() => undefined),
      };
    },
    close,
  };
}
