import { Failure } from '../../../contract/base/failure.ts';

export interface StampFacts {
  readonly page: number;
  readonly pages: number;
  /** The file's name, without a folder. */
  readonly file: string;
  /** Such as 2026-11-22. */
  readonly date: string;
}

const KEYS = ['page', 'pages', 'file', 'date'] as const;
const WORD = /\{(\w+)(?::(\d{1,2}))?\}/g;

/** Fills in the words in braces; {page:6} has at least six digits. */
export function filled(template: string, facts: StampFacts): string {
  return template.replace(WORD, (whole, word: string, digits: string | undefined) => {
    const key = KEYS.find((known) => known === word);
    if (key === undefined) {
      throw new Failure('usage', `${whole} stands for nothing`, {
        hint: `Use ${KEYS.map((known) => `{${known}}`).join(', ')}.`,
      });
    }
    return String(facts[key]).padStart(Number(digits ?? 0), '0');
  });
}
