// What every kind of Blobs keeps: one suite, run over each of them.
import { createHash } from 'node:crypto';
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { expect, it } from 'vitest';
import type { BlobName, Blobs } from '../../src/serve/blobs/blobs.ts';
import { type Folder, folder } from '../e2e/pdftool.ts';
import { noisyPdf } from './documents.ts';

const BYTES = noisyPdf(9_000_000);
const UPLOAD: BlobName = 'uploads/up_1';

async function* of(...chunks: Buffer[]) {
  yield* chunks;
}

async function* cut(bytes: Buffer) {
  yield bytes;
  throw new Error('the client left');
}

async function read(blobs: Blobs, blob: BlobName, here: Folder, start: number, end: number): Promise<Buffer> {
  const path = here.at(`read-${start}`);
  const file = createWriteStream(path);
  await blobs.read(blob, file, start, end);
  file.end();
  await finished(file);
  return readFileSync(path);
}

const sum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** `open` gives another view of the same blobs each time, as another server has it. */
export function blobsContract(open: () => Promise<Blobs>): void {
  it('appends what comes in pieces of any size, at one server after the other', async () => {
    const here = folder();
    const [one, two] = [await open(), await open()];
    expect(await one.size(UPLOAD)).toBe(0);
    await one.append(UPLOAD, 0, of(BYTES.subarray(0, 1), BYTES.subarray(1, 100)));
    await two.append(UPLOAD, 100, of(BYTES.subarray(100, 6_000_000)));
    expect(await one.size(UPLOAD)).toBe(6_000_000);
    await one.append(UPLOAD, 6_000_000, of(BYTES.subarray(6_000_000, 8_000_000), BYTES.subarray(8_000_000)));
    await one.seal(UPLOAD);
    expect(await two.size(UPLOAD)).toBe(BYTES.length);
    expect(sum(readFileSync(await two.fetch(UPLOAD, here.at('copy'))))).toBe(sum(BYTES));
    expect((await read(two, UPLOAD, here, 50, 5_000_000)).equals(BYTES.subarray(50, 5_000_000))).toBe(true);
    await two.remove(UPLOAD);
    expect([await one.size(UPLOAD), await one.list()]).toEqual([0, []]);
    await two.remove(UPLOAD);
  });

  it('keeps what came before a cut', async () => {
    const blobs = await open();
    await expect(blobs.append(UPLOAD, 0, cut(BYTES.subarray(0, 5_000_000)))).rejects.toThrow('the client left');
    expect(await blobs.size(UPLOAD)).toBe(5_000_000);
    await blobs.remove(UPLOAD);
  });

  it('makes files blobs, lists them, and reads any part of them', async () => {
    const here = folder();
    const blobs = await open();
    writeFileSync(here.at('out'), BYTES);
    await blobs.promote(here.at('out'), 'results/job_1.1.pdf');
    await blobs.append('uploads/up_2', 0, of(Buffer.from('two')));
    expect((await blobs.list()).sort()).toEqual(['results/job_1.1.pdf', 'uploads/up_2']);
    expect(await blobs.size('results/job_1.1.pdf')).toBe(BYTES.length);
    const start = BYTES.length - 10;
    expect(await read(blobs, 'results/job_1.1.pdf', here, start, BYTES.length)).toEqual(BYTES.subarray(start));
    await expect(read(blobs, 'uploads/up_2', here, 0, 4)).rejects.toThrow('missing');
    for (const blob of await blobs.list()) await blobs.remove(blob);
    expect(await blobs.list()).toEqual([]);
  });
}
