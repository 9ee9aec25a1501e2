import type { Draft, RandomAccess } from '../../contract/ports.ts';
import { fill } from '../file/read/random-access.ts';
import type { Reduced } from './pictures/reduced.ts';

/** A reduced picture whose data is on disk: it is read after the store was closed and before it is cleared. */
export interface StoredPicture extends Omit<Reduced, 'data' | 'parts'> {
  read(): Pick<Reduced, 'data' | 'parts'>;
}

/** Holds the reduced pictures of one round on disk: all those of a large document do not fit in memory. */
export class ReducedStore {
  private readonly draft: Draft;
  private source: RandomAccess | undefined;

  constructor(draft: Draft) {
    this.draft = draft;
  }

  put({ data, parts = [], ...rest }: Reduced): StoredPicture {
    const own = this.place(data);
    const others = parts.map((part) => ({ entries: part.entries, data: this.place(part.data) }));
    return {
      ...rest,
      read: () => ({ data: own(), parts: others.map(({ entries, data: read }) => ({ entries, data: read() })) }),
    };
  }

  private place(data: Uint8Array): () => Uint8Array {
    const from = this.draft.size;
    const { length } = data;
    this.draft.write(data);
    return () => this.bytes(from, length);
  }

  close(): void {
    this.source = this.draft.finish();
  }

  clear(): void {
    this.draft.discard();
  }

  private bytes(from: number, length: number): Uint8Array {
    if (this.source === undefined) throw new TypeError('the store is still being filled');
    const bytes = new Uint8Array(length);
    if (fill(this.source, bytes, from) < length) throw new Error('a picture put aside is no longer there');
    return bytes;
  }
}
