import type { ContentOperation } from '../../content/scanner.ts';
import type { ContentWriter } from '../../content/writer.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import type { Point, Quad, Rect } from '../../page/geometry.ts';
import type { Dict, Ref, Value } from '../../syntax/values.ts';
import type { ValueCopier } from '../objects/copy-value.ts';
import type { LayerView } from '../objects/layers.ts';
import type { OutputDocument } from '../objects/output-document.ts';
import type { FontRegistry } from './font-registry.ts';
import type { GraphicsState } from './graphics-state.ts';
import type { PictureEditor } from './picture-editor.ts';

/** Boxes of a page, in its user space. */
export interface Removal {
  readonly regions: readonly Rect[];
  /** Invisible copies of text that is removed elsewhere; their text is removed too. */
  readonly erase: readonly Rect[];
  /** The page's original text, to measure the room behind a line; without it lines are barely moved. */
  readonly letters?: readonly Letter[];
  /** Whether a property of marked content may stay; undefined where marked content is dropped. */
  readonly keeps?: (value: Value) => boolean;
}

export class Findings {
  readonly hidden: { readonly box: Rect; readonly why: HiddenBy }[] = [];
  /** All text in content order, invisible text included. */
  readonly letters: Letter[] = [];
  /** Text in pattern cells, which has no place on the page. */
  readonly inPatterns: Letter[] = [];
  /** Small shapes that may be outlined letters. */
  readonly shapes: Rect[] = [];
  readonly pictureBoxes: Rect[] = [];
  /** Pictures and shapes in the cells of patterns. */
  patterns = 0;
  /** Placed text and opaque areas; `at` is their common painting order. */
  readonly shown: { readonly box: Rect; readonly at: number }[] = [];
  readonly covers: { readonly box: Rect; readonly at: number; readonly by: 'picture' | 'area' }[] = [];
  at = 0;
  /** Drawings that stay although they cross a region, such as table rules: there a region is not plain. */
  readonly crossing: Rect[] = [];
  /** Pictures of the source, by object number, that are drawn whole, and those that lost pixels. */
  readonly whole: { readonly num: number; readonly box: Rect; readonly at: number }[] = [];
  readonly cut = new Set<number>();
  /** Marked content by MCID: whether part of it was removed. */
  readonly marked = new Map<number, boolean>();
  operators = 0;
}

/** A glyph with its text; empty where unknown. */
export interface Letter {
  readonly text: string;
  /** The letter that the font really draws, where it differs from the text. */
  readonly drawn?: string;
  readonly box: Rect;
  /** Its corners, where it is tilted. */
  readonly quad?: Quad;
  readonly size: number;
  /** Its origin, and that of the glyph after it. */
  readonly start: Point;
  readonly end: Point;
}

export type HiddenBy = 'invisible' | 'outside' | 'picture' | 'area' | 'layer';

/** State shared by the edits of all pages. */
export interface DocumentEdit {
  readonly file: PdfFile;
  readonly output: OutputDocument;
  readonly copier: ValueCopier;
  readonly fonts: FontRegistry;
  readonly layers: LayerView;
  readonly pictures: PictureEditor;
  /** Copies of forms and patterns that are the same wherever they are drawn, by object number. */
  readonly shared: Map<number, Ref>;
  readonly cells: Map<number, Findings>;
  /** Counter for new resource names. */
  named: number;
}

export interface PageEdit {
  readonly document: DocumentEdit;
  readonly removal: Removal;
  /** The displayed area of the page. */
  readonly shown: Rect;
  readonly findings: Findings;
  /** The content draws appearances of annotations and nothing else. */
  readonly isOfAppearances?: boolean;
}

export interface Edited {
  readonly bytes: Uint8Array;
  readonly resources: Dict;
  /** Something was removed because of its position, so this copy is valid only at this place. */
  readonly changed: boolean;
}

export interface OpenContent {
  readonly edit: PageEdit;
  readonly state: GraphicsState;
  readonly writer: ContentWriter;
  changed: boolean;
  /** Whether what is drawn now is in a hidden layer. */
  readonly isHidden: boolean;
  /** Writes an operation verbatim where it is exact, else with its operands serialized again. */
  pass(op: ContentOperation, exact: boolean): void;
}
