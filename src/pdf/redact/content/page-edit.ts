import type { Operation } from '../../content/scanner.ts';
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
  /** Nothing that is in them stays. */
  readonly regions: readonly Rect[];
  /** Text that is in them goes, for it is a hidden copy of what is removed elsewhere. */
  readonly erase: readonly Rect[];
  /** The text of the page before anything went, to see what stands behind a line; without it nothing is moved far. */
  readonly letters?: readonly Letter[];
  /** Whether a value about the content may stay; left out where marks of content are not kept. */
  readonly keeps?: (value: Value) => boolean;
}

/** What was met on a page. */
export interface Findings {
  /** Places of text that is there and not seen. */
  readonly hidden: { readonly box: Rect; readonly why: HiddenBy }[];
  /** All text, as our own reader has it, in the order in which it is shown; also what nobody sees. */
  readonly letters: Letter[];
  /** Text in the cells of patterns: it has no place of its own on the page. */
  readonly inPatterns: Letter[];
  /** Small shapes that may be the letters of a word that is drawn as outlines. */
  readonly shapes: Rect[];
  readonly pictureBoxes: Rect[];
  /** Pictures and shapes in the cells of patterns. */
  patterns: number;
  /** Text that was placed, and what was painted over the page, in order; `at` counts both. */
  readonly shown: { readonly box: Rect; readonly at: number }[];
  readonly covers: { readonly box: Rect; readonly at: number; readonly by: 'picture' | 'area' }[];
  at: number;
  /** Where drawings cross a region and stay, such as the rules of a table: there a region is not plain. */
  readonly crossing: Rect[];
  /** Pictures of the source, by object number, that are drawn whole, and those that lost pixels. */
  readonly whole: { readonly num: number; readonly box: Rect; readonly at: number }[];
  readonly cut: Set<number>;
  /** Marked content by its number in the tags: whether something in it went. */
  readonly marked: Map<number, boolean>;
  operators: number;
}
/** A glyph with what it says; empty where nobody can tell. */
export interface Letter {
  readonly text: string;
  /** The letter that its font draws, where that is another one. */
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

export function noFindings(): Findings {
  return {
    letters: [],
    inPatterns: [],
    shapes: [],
    pictureBoxes: [],
    patterns: 0,
    hidden: [],
    shown: [],
    covers: [],
    at: 0,
    crossing: [],
    whole: [],
    cut: new Set(),
    marked: new Map(),
    operators: 0,
  };
}

/** What edits of all pages share. */
export interface DocumentEdit {
  readonly file: PdfFile;
  readonly output: OutputDocument;
  readonly copier: ValueCopier;
  readonly fonts: FontRegistry;
  readonly layers: LayerView;
  readonly pictures: PictureEditor;
  /** Forms, patterns and the like that came out the same wherever they are drawn. */
  readonly shared: Map<number, Ref>;
  /** What was met in the cells of patterns, by object number. */
  readonly cells: Map<number, Findings>;
  /** How many names were given to what is new. */
  named: number;
}

export interface PageEdit {
  readonly document: DocumentEdit;
  readonly removal: Removal;
  /** What is displayed of the page. */
  readonly shown: Rect;
  readonly findings: Findings;
  /** The content draws appearances of annotations and nothing else. */
  readonly isOfAppearances?: boolean;
}

export interface Edited {
  readonly bytes: Uint8Array;
  readonly resources: Dict;
  /** Something went because of where it is: the same content drawn elsewhere comes out otherwise. */
  readonly changed: boolean;
}

/** Content while it is edited. */
export interface OpenContent {
  readonly edit: PageEdit;
  readonly state: GraphicsState;
  readonly writer: ContentWriter;
  changed: boolean;
  /** Whether what is drawn now is in a hidden layer. */
  readonly isHidden: boolean;
  /** Writes an operation as it came, or its operands anew. */
  pass(op: Operation, exact: boolean): void;
}
