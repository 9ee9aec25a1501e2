import { expect, it } from 'vitest';
import { openPdf } from '../../src/pdf/file/open.ts';
import { PDFS } from './pdfs.ts';

it('a key of 400,000,000 bits is refused at once, and no other reader is asked as for damage', async () => {
  const bytes = PDFS['key of 400,000,000 bits']?.() ?? Buffer.alloc(0);
  const read = (into: Uint8Array, position: number) => {
    const piece = bytes.subarray(position, position + into.length);
    into.set(piece);
    return piece.length;
  };
  async function* open() {
    yield bytes;
  }
  await expect(openPdf({ name: 'a.pdf', size: bytes.length, read, open })).rejects.toThrow(
    /encrypted by a key of 400000000 bits/,
  );
});
