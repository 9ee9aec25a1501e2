import type { Table } from '../tables/tables.ts';

/** The end of a sentence, with the bracket or quotation mark behind it. */
export const SENTENCE_END = /[.!?:;。！？：；]["”’)\]」』）]?$/;

interface Placed {
  /** The page it begins on, from 1. */
  readonly page: number;
}

/** Lines as they stand on the page; whether they are joined is a matter of writing. */
export type Block = Placed &
  (
    | { readonly kind: 'heading'; readonly level: number; readonly lines: readonly string[] }
    | {
        readonly kind: 'paragraph';
        readonly lines: readonly string[];
        readonly open: boolean;
        readonly continues: boolean;
      }
    | { readonly kind: 'item'; readonly depth: number; readonly mark: string; readonly lines: readonly string[] }
    | { readonly kind: 'code'; readonly lines: readonly string[] }
    | { readonly kind: 'table'; readonly table: Table }
  );
