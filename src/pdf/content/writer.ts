import { CLASS, SPACE } from '../syntax/characters.ts';
import { Unreadable } from '../syntax/damage.ts';
import { serialize } from '../syntax/serialize.ts';
import type { Value } from '../syntax/values.ts';
import type { ContentOperation } from './scanner.ts';

/** A content stream made from another one: kept operators keep their bytes; what stood between them is left out. */
export class ContentWriter {
  private readonly source: Uint8Array;
  private readonly parts: Uint8Array[] = [];
  private from = -1;
  private to = -1;

  constructor(source: Uint8Array) {
    this.source = source;
  }

  keep({ start, end }: Pick<ContentOperation, 'start' | 'end'>): void {
    if (this.from >= 0 && this.isBlank(this.to, start)) {
      this.to = end;
      return;
    }
    this.flush();
    [this.from, this.to] = [start, end];
  }

  write(operands: readonly Value[], operator: string): void {
    this.flush();
    this.parts.push(line(operands, operator));
  }

  /** Leaves room for what is known only later, and returns its place for `fill`. */
  hold(): number {
    this.flush();
    return this.parts.push(new Uint8Array(0)) - 1;
  }

  fill(place: number, operands: readonly Value[], operator: string): void {
    this.parts[place] = line(operands, operator);
  }

  raw(bytes: Uint8Array): void {
    this.flush();
    this.parts.push(bytes, NEWLINE);
  }

  bytes(): Uint8Array {
    this.flush();
    return Buffer.concat(this.parts);
  }

  private flush(): void {
    if (this.from < 0) return;
    this.parts.push(this.source.subarray(this.from, this.to), NEWLINE);
    this.from = -1;
  }

  private isBlank(from: number, to: number): boolean {
    if (to < from) return false;
    for (let at = from; at < to; at++) if (CLASS[this.source[at] ?? 0] !== SPACE) return false;
    return true;
  }
}

function line(operands: readonly Value[], operator: string): Uint8Array {
  const words = operands.map((value) =>
    serialize(value, () => {
      throw new Unreadable('a reference in a content stream');
    }),
  );
  return Buffer.from(`${[...words, operator].join(' ')}\n`, 'latin1');
}

const NEWLINE = Uint8Array.of(0x0a);
