import type { Span } from '../lines/spans.ts';
import type { Table } from '../tables/tables.ts';

/** The end of a sentence, including a bracket or quotation mark behind it. */
export const SENTENCE_END = /[.!?:;。！？：；]["”’)\]」』）]?$/;

interface Placed {
  /** The page it begins on, from 1. */
  readonly page: number;
}

/** Lines as they stand on the page; the writer decides whether to join them. */
export type Block = Placed &
  (
    | { readonly kind: 'heading'; readonly level: number; readonly lines: readonly string[] }
    | {
        readonly kind: 'paragraph';
        readonly lines: readonly string[];
        /** What is set apart in each line. */
        readonly spans: readonly (readonly Span[])[];
        readonly open: boolean;
        readonly continues: boolean;
      }
    | {
        readonly kind: 'item';
        readonly depth: number;
        readonly mark: string;
        readonly lines: readonly string[];
        readonly spans: readonly (readonly Span[])[];
      }
    | { readonly kind: 'code'; readonly lines: readonly string[] }
    | { readonly kind: 'table'; readonly table: Table }
  );
