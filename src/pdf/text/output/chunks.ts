// Cuts a Markdown document into bounded chunks along its structure.
import { createHash } from 'node:crypto';
import { codePoints } from '../../fonts/characters.ts';
import type { Block } from '../layout/blocks.ts';
import { type MarkdownDocument, pageAnchor, type WrittenBlock } from './markdown-document.ts';

/** Part of every chunk's id: another way of cutting gives other ids. */
export const CHUNKER = 'chunks-1';

/** Code points. Whole blocks are packed up to TARGET; a longer block is cut so that no chunk is longer than BOUND. */
export const TARGET = 1_200;
export const BOUND = 2_000;
/** A heading begins a new chunk when the current one has so much. */
const ENOUGH = 400;

/** A chunk as in the record and in a line of chunks.jsonl. Lengths and offsets count code points. */
export interface Chunk {
  readonly chunk_id: string;
  readonly text: string;
  readonly page_number: number;
  readonly page_anchor: string;
  /** Headings above it, outermost first, its own first heading included. */
  readonly heading_path: readonly string[];
  readonly kind: 'text' | 'table' | 'code' | 'mixed';
  /** Counts from 1 on each page. */
  readonly index: number;
  /** Its span in the document; a continued table or code block repeats its head or fence in `text`. */
  readonly char_start: number;
  readonly char_end: number;
  readonly char_count: number;
}

interface Piece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface Open {
  readonly page: number;
  readonly path: readonly string[];
  readonly kinds: Set<Chunk['kind']>;
  text: string;
  length: number;
  readonly start: number;
  end: number;
  lastIsItem: boolean;
}

export function chunksOf({ blocks }: MarkdownDocument): Chunk[] {
  const chunks: Chunk[] = [];
  let path: { level: number; title: string }[] = [];
  let open: Open | undefined;
  let [page, index] = [0, 0];
  const close = () => {
    if (open === undefined) return;
    if (open.page !== page) [page, index] = [open.page, 0];
    chunks.push(chunkOf(open, ++index));
    open = undefined;
  };
  for (const written of blocks) {
    const { block } = written;
    if (block.kind === 'heading') {
      path = path.filter((heading) => heading.level < block.level);
      path.push({ level: block.level, title: block.lines.join(' ') });
      if (open !== undefined && open.length >= ENOUGH) close();
    }
    const pieces = codePoints(written.text) > BOUND ? cut(written) : [written];
    for (const piece of pieces) {
      const length = codePoints(piece.text);
      if (open !== undefined && (open.page !== block.page || pieces.length > 1 || open.length + length + 2 > TARGET)) {
        close();
      }
      const item = block.kind === 'item';
      if (open === undefined) {
        const titles = path.map((heading) => heading.title);
        const { text, start, end } = piece;
        open = {
          page: block.page,
          path: titles,
          kinds: new Set([kindOf(block)]),
          text,
          length,
          start,
          end,
          lastIsItem: item,
        };
        continue;
      }
      const separator = item && open.lastIsItem ? '\n' : '\n\n';
      open.text += separator + piece.text;
      open.length += separator.length + length;
      open.end = piece.end;
      open.lastIsItem = item;
      open.kinds.add(kindOf(block));
    }
  }
  close();
  return chunks;
}

function kindOf(block: Block): Chunk['kind'] {
  return block.kind === 'table' || block.kind === 'code' ? block.kind : 'text';
}

function chunkOf(open: Open, index: number): Chunk {
  const place = `p${String(open.page).padStart(4, '0')}-c${String(index).padStart(3, '0')}`;
  const hash = createHash('sha256').update(`${CHUNKER}\n${place}\n${open.text}`, 'utf8').digest('hex');
  const [kind = 'text'] = open.kinds;
  return {
    chunk_id: `${place}-${hash.slice(0, 12)}`,
    text: open.text,
    page_number: open.page,
    page_anchor: pageAnchor(open.page),
    heading_path: open.path,
    kind: open.kinds.size > 1 ? 'mixed' : kind,
    index,
    char_start: open.start,
    char_end: open.end,
    char_count: open.length,
  };
}

/** Pieces of a block that is too long, cut between rows, lines or sentences, and elsewhere only where there are none. */
function cut({ block, text, start }: WrittenBlock): Piece[] {
  if (block.kind === 'table' && text.startsWith('|')) {
    const [head = '', rule = ''] = text.split('\n', 2);
    const frame = `${head}\n${rule}\n`;
    if (codePoints(frame) < BOUND / 2) return packed(text, start, /(?<=\n)/, frame, '', codePoints(frame));
  }
  if (block.kind === 'code') {
    const fence = text.slice(0, text.indexOf('\n') + 1);
    return packed(text, start, /(?<=\n)/, fence, `\n${fence.trimEnd()}`, codePoints(fence));
  }
  if (block.kind === 'table') return packed(text, start, /(?<=<\/tr>\n|<\/t[dh]>)/, '', '', 0);
  return packed(text, start, /(?<=[.!?。！？]["”’)]?\s)|(?<=\n)|(?<=[。！？])/u, '', '', 0);
}

/**
 * Parts of `text` packed up to TARGET. `before` and `after` frame every piece; the text begins with `before`, of length
 * `skip`, and ends with `after`.
 */
function packed(text: string, start: number, ends: RegExp, before: string, after: string, skip: number): Piece[] {
  const body = text.slice(before.length, text.length - after.length);
  const room = BOUND - codePoints(before) - codePoints(after);
  const target = Math.min(TARGET, room);
  const pieces: Piece[] = [];
  let at = start + skip;
  let from = at;
  let held = '';
  const flush = () => {
    const trimmed = held.replace(/\s+$/, '');
    if (trimmed !== '') {
      pieces.push({ text: before + trimmed + after, start: from, end: from + codePoints(trimmed) });
    }
    held = '';
    from = at;
  };
  for (const part of body.split(ends).flatMap((piece) => short(piece, room))) {
    if (held !== '' && codePoints(held) + codePoints(part) > target) flush();
    held += part;
    at += codePoints(part);
  }
  flush();
  return pieces;
}

/** A part without any end is cut at spaces, and one without spaces anywhere. */
function short(part: string, room: number): string[] {
  if (codePoints(part) <= room) return [part];
  const pieces: string[] = [];
  let rest = [...part];
  while (rest.length > room) {
    const space = rest.lastIndexOf(' ', room - 1);
    const at = space > room / 2 ? space + 1 : room;
    pieces.push(rest.slice(0, at).join(''));
    rest = rest.slice(at);
  }
  pieces.push(rest.join(''));
  return pieces;
}

export function jsonLines(chunks: readonly Chunk[]): string {
  return chunks.map((chunk) => `${JSON.stringify(chunk)}\n`).join('');
}
