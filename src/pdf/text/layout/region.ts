import type { Table } from '../tables/tables.ts';
import type { Line } from './lines.ts';

/** What is read in one go: lines below each other, or a table. */
export type Region =
  | { readonly kind: 'lines'; readonly lines: readonly Line[] }
  | { readonly kind: 'table'; readonly table: Table };
