import { CLASS, SPACE } from '../../syntax/characters.ts';
import { serialize } from '../../syntax/serialize.ts';
import type { Value } from '../../syntax/values.ts';
import { type Operation, Unreadable } from './content-scanner.ts';

/** A content stream made of another one: operators that stay are its very bytes; what stood between them is not. */
export class ContentWriter {
  private readonly source: Uint8Array;
  private readonly parts: Uint8Array[] = [];
  private from = -1;
  private to = -1;

  constructor(source: Uint8Array) {
    this.source = source;
  }

  keep({ start, end }: Pick<Operation, 'start' | 'end'>): void {
    if (this.from >= 0 && this.isBlank(this.to, start)) {
      this.to = end;
      return;
    }
    this.flush();
    [this.from, this.to] = [start, end];
  }

  write(operands: readonly Value[], operator: string): void {
    this.flush();
    const words = operands.map((value) => serialize(value, noReference));
    this.parts.push(Buffer.from(`${[...words, operator].join(' ')}\n`, 'latin1'));
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
    for (let at = from; at < to; at++) if (CLASS[this.source[at]!] !== SPACE) return false;
    return true;
  }
}

const NEWLINE = Uint8Array.of(0x0a);

function noReference(): never {
  throw new Unreadable('a reference in a content stream');
}
