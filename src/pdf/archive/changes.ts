import { deflateSync } from 'node:zlib';
import type { PdfFile } from '../file/read/pdf-file.ts';
import type { Source } from '../file/read/source.ts';
import { revised } from '../file/repair/revised.ts';
import { freeNumber } from '../file/repair/revision.ts';
import { Dict, Name, Ref, type Value } from '../syntax/values.ts';

interface Changed {
  readonly value: Value;
  readonly data?: Uint8Array | undefined;
}

/** The objects of a document with the fixes made to them. */
export class ObjectChanges {
  readonly file: PdfFile;
  private readonly changed = new Map<number, Changed>();
  private next: number;

  constructor(file: PdfFile) {
    this.file = file;
    this.next = freeNumber(file);
  }

  get nums(): number[] {
    return [...this.changed.keys()];
  }

  has(num: number): boolean {
    return this.changed.has(num) || this.file.has(num);
  }

  /** The new value of an object. */
  object(num: number): Value {
    return this.changed.get(num)?.value ?? this.file.object(num);
  }

  resolve(value: Value | undefined): Value {
    if (value instanceof Ref && this.changed.has(value.num)) return this.object(value.num);
    return this.file.resolve(value);
  }

  dict(value: Value | undefined): Dict | undefined {
    const target = this.resolve(value);
    return target instanceof Dict ? target : undefined;
  }

  /** The elements of an array, references followed; empty where it is none. */
  list(value: Value | undefined): Value[] {
    const target = this.resolve(value);
    return Array.isArray(target) ? target : [];
  }

  name(dict: Dict | undefined, key: string): string | undefined {
    const target = this.resolve(dict?.get(key));
    return target instanceof Name ? target.value : undefined;
  }

  number(dict: Dict | undefined, key: string): number | undefined {
    const target = this.resolve(dict?.get(key));
    return typeof target === 'number' ? target : undefined;
  }

  /** Replaces an object; `data`: new uncompressed data of a stream. */
  set(num: number, value: Value, data?: Uint8Array): void {
    const packed = data === undefined ? this.changed.get(num)?.data : deflateSync(data);
    if (data !== undefined && value instanceof Dict) {
      value.set('Filter', new Name('FlateDecode'));
      value.delete('DecodeParms');
    }
    this.changed.set(num, { value, data: packed });
  }

  /** As `set`, for data that must stay uncompressed. */
  setPlain(num: number, value: Value, data: Uint8Array): void {
    this.changed.set(num, { value, data });
  }

  add(value: Value, data?: Uint8Array): Ref {
    const num = this.next++;
    this.set(num, value, data);
    return new Ref(num, 0);
  }

  source(source: Source): Source {
    return revised(source, (revision, table) => {
      for (const [num, { value, data: fresh }] of this.changed) {
        const data = fresh ?? this.dataOf(num);
        if (data !== undefined && value instanceof Dict) value.set('Length', data.length);
        revision.put(table, num, value, data);
      }
      return this.nums;
    });
  }

  /** The place of unchanged stream data; its bytes, where the file is encrypted. */
  private dataOf(num: number): Uint8Array | { readonly offset: number; readonly length: number } | undefined {
    const { file } = this;
    const scan = file.has(num) ? file.scanObject(num) : undefined;
    if (scan?.isStream !== true) return undefined;
    if (file.decryption !== undefined) return file.rawStream(num, Number.MAX_SAFE_INTEGER).raw;
    const { start, length } = file.streamPlace(num, scan);
    return { offset: start, length };
  }
}
