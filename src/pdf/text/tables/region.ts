import type { Line } from '../lines/lines.ts';
import type { Table } from './tables.ts';

/** A part of a page that is read from top to bottom: consecutive lines, a table, or a picture that says what it shows. */
export type TextRegion =
  | { readonly kind: 'lines'; readonly lines: readonly Line[] }
  | { readonly kind: 'table'; readonly table: Table }
  | { readonly kind: 'figure'; readonly alt: string };
