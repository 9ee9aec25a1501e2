import type { DrawnPage, OpenPages, OtherEyes, PageCharacter } from './ports.ts';

/** What a process that judges documents is asked; documents have numbers. */
export type Question =
  | { readonly ask: 'open'; readonly document: number; readonly bytes: Uint8Array }
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
  | { readonly ask: 'texts'; readonly bytes: Uint8Array };

/** Asks a process one thing after the other. */
export type Ask = (question: Question) => Promise<unknown>;

/** The other end: readers that ask. */
export function askingEyes(ask: Ask, close: () => void): OtherEyes {
  let count = 0;
  return {
    async open(bytes): Promise<OpenPages> {
      const document = ++count;
      const pages = await ask({ ask: 'open', document, bytes });
      if (typeof pages !== 'number') throw new TypeError('a document without a number of pages');
      // What is answered was made by answerQuestions of the same program.
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
        close: () => void ask({ ask: 'close', document }).catch(() => undefined),
      };
    },
    texts: async (bytes) => (await ask({ ask: 'texts', bytes })) as readonly string[],
    close,
  };
}
