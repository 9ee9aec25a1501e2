// Adds content before or behind a page's own, whose streams stay unchanged.
import type { Copier } from '../file/copy/copier.ts';
import { contentsOf } from '../file/read/page-dict.ts';
import { type Writer, writeStream } from '../file/write/writer.ts';
import { serialize } from '../syntax/serialize.ts';
import type { Dict } from '../syntax/values.ts';
import { balanceOf } from './balance.ts';

interface Surround {
  /** Operators before the page's own, in its user space. */
  readonly before?: string;
  /** Operators behind them. */
  readonly after?: string;
  /** Operators that apply to its own content alone, such as another matrix. */
  readonly around?: string;
}

/** The value of /Contents. `dict`: the page's. */
export function surrounded(copier: Copier, dict: Dict, { before = '', after = '', around }: Surround): string {
  const contents = contentsOf(copier.file, dict);
  const texts = contents.map((item) => serialize(item, ({ num }) => copier.reference(num)));
  const parts = texts.filter((text) => text !== 'null');
  if (after === '' && around === undefined) {
    return `[${[streamText(copier.writer, `${before}\n`), ...parts].join(' ')}]`;
  }
  const { open, closed } = balanceOf(copier.file, dict);
  const moved = around === undefined ? '' : `${around}\n`;
  const front = streamText(copier.writer, `${before}\n${'q '.repeat(1 + closed)}${moved}`);
  // A stream that does not end with white space would run into ours.
  const back = streamText(copier.writer, `\n${'Q '.repeat(1 + open)}\n${after}\n`);
  return `[${[front, ...parts, back].join(' ')}]`;
}

export function streamText(writer: Writer, operators: string): string {
  return `${writeStream(writer, '', Buffer.from(operators, 'latin1'))} 0 R`;
}
