import { createHash } from 'node:crypto';
import { zlibSync } from 'fflate/browser';
import { serialize } from '../../syntax/serialize.ts';
import { Dict, dictOf, Name, PdfString, Ref, type Value } from '../../syntax/values.ts';

/** A stream of the output: its dictionary without /Length, and its bytes as the filters in the dictionary made them. */
export class OutputStream {
  readonly dict: Dict;
  /** Called twice when the document is written, first for the length; the bytes are not kept. */
  readonly data: () => Uint8Array;
  constructor(dict: Dict, data: () => Uint8Array) {
    this.dict = dict;
    this.data = data;
  }
}

const NO_ID = `<${'0'.repeat(32)}>`;

export type OutputObject = Value | OutputStream;

/** A new document built object by object. References are to its own objects. */
export class OutputDocument {
  private readonly objects: (OutputObject | undefined)[] = [undefined];

  reserve(): Ref {
    this.objects.push(undefined);
    return new Ref(this.objects.length - 1, 0);
  }

  set(ref: Ref, value: OutputObject): void {
    this.objects[ref.num] = value;
  }

  add(value: OutputObject): Ref {
    const ref = this.reserve();
    this.set(ref, value);
    return ref;
  }

  addDict(entries: Readonly<Record<string, Value | undefined>>): Ref {
    return this.add(dictOf(entries));
  }

  get({ num }: Ref): OutputObject | undefined {
    return this.objects[num];
  }

  /** The file: one revision of the objects reachable from the root, with a hash of its bytes as identifier. */
  write(root: Ref, info?: Ref): Uint8Array {
    const order = this.reached(info === undefined ? [root] : [root, info]);
    const numbers = new Map(order.map((num, i) => [num, i + 1]));
    const reference = ({ num }: Ref) => {
      const number = numbers.get(num);
      return number === undefined ? 'null' : `${number} 0 R`;
    };
    // Stream data is produced again when the file is filled in, so that it is never held twice.
    const parts: (Uint8Array | OutputStream)[] = [];
    let length = 0;
    const offsets: number[] = [];
    const push = (text: string) => {
      const bytes = Buffer.from(text, 'latin1');
      parts.push(bytes);
      length += bytes.length;
    };
    push('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n');
    for (const [i, num] of order.entries()) {
      offsets.push(length);
      const value = this.objects[num]!;
      if (!(value instanceof OutputStream)) {
        push(`${i + 1} 0 obj\n${serialize(value, reference)}\nendobj\n`);
        continue;
      }
      const size = value.data().length;
      const dict = new Dict([...value.dict, ['Length', size]]);
      push(`${i + 1} 0 obj\n${serialize(dict, reference)}\nstream\n`);
      parts.push(value);
      length += size;
      push('\nendstream\nendobj\n');
    }
    const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
    const size = order.length + 1;
    const about = info === undefined ? '' : `/Info ${reference(info)}`;
    const tail = (id: string) =>
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<</Size ${size}/Root ${reference(root)}${about}/ID[${id}${id}]>>\n` +
      `startxref\n${length}\n%%EOF\n`;
    const file = Buffer.allocUnsafeSlow(length + tail(NO_ID).length);
    let at = 0;
    for (const part of parts) {
      const bytes = part instanceof OutputStream ? part.data() : part;
      file.set(bytes, at);
      at += bytes.length;
    }
    const digest = createHash('sha256').update(file.subarray(0, length)).digest('hex');
    file.write(tail(`<${digest.slice(0, NO_ID.length - 2)}>`), length, 'latin1');
    return file;
  }

  /** Reachable object numbers in depth-first order. */
  private reached(roots: readonly Ref[]): number[] {
    const order: number[] = [];
    const seen = new Set<number>();
    const work: Value[] = [...roots].reverse();
    for (let value = work.pop(); value !== undefined; value = work.pop()) {
      if (value instanceof Ref) {
        const { num } = value;
        const object = this.objects[num];
        if (seen.has(num) || object === undefined) continue;
        seen.add(num);
        order.push(num);
        work.push(object instanceof OutputStream ? object.dict : object);
      } else if (Array.isArray(value)) for (let i = value.length - 1; i >= 0; i--) work.push(value[i]!);
      else if (value instanceof Dict) work.push(...[...value.values()].reverse());
    }
    return order;
  }
}

type Entries = Iterable<readonly [string, Value]>;

/** Bytes as a Flate stream, the same on every machine, unlike zlib's. */
export function flateStream(entries: Entries, bytes: Uint8Array, level: 4 | 6 = 6): OutputStream {
  const packed = zlibSync(bytes, { level });
  return new OutputStream(new Dict([...entries, ['Filter', new Name('FlateDecode')]]), () => packed);
}

export function formStream(entries: readonly (readonly [string, Value])[], content: Uint8Array): OutputStream {
  return flateStream([['Type', name('XObject')], ['Subtype', name('Form')], ...entries], content);
}

export const name = (value: string): Name => new Name(value);
export const latinString = (value: string): PdfString => new PdfString(Buffer.from(value, 'latin1'));
