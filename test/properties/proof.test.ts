// Holds that the quick count of an output's pages is taken where it can be, and never differs from what a reader finds.
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { split } from '../../src/contract/operations/pages.ts';
import { createLocalEngine } from '../../src/local/engine.ts';
import { Damage } from '../../src/pdf/file/damage.ts';
import { openPdf } from '../../src/pdf/file/open.ts';
import { countPages } from '../../src/pdf/file/pages.ts';
import { Proof } from '../../src/pdf/file/proof.ts';
import { pdfOf } from '../structure/run.ts';
import { bytesOf, createContext, sourceOf } from './context.ts';
import { anyBlow, damage } from './damage.ts';
import { readSamples } from './samples.ts';

const proof = new Proof();

/** Pages as the quick way counts them; undefined where it does not know. Some of the bytes may have been lent. */
function quick(whole: Uint8Array, ...lent: readonly (readonly [from: number, to: number])[]): number | undefined {
  const kept = [0, ...lent.flat(), whole.length];
  const bytes = Buffer.concat(kept.flatMap((from, i) => (i % 2 === 0 ? [whole.subarray(from, kept[i + 1])] : [])));
  let before = 0;
  const gaps = lent.flatMap(([from, to]) => {
    const place = from - before;
    before += to - from;
    return [place, to - from];
  });
  try {
    return proof.pagesIn({ bytes, gaps });
  } catch (error) {
    if (error instanceof Damage) return undefined;
    throw error;
  }
}

/** As a reader that trusts the table counts them; undefined where it can read nothing. */
async function whole(bytes: Uint8Array): Promise<number | undefined> {
  try {
    return countPages(await openPdf(sourceOf('part.pdf', bytes), { table: 'trust' }));
  } catch {
    return undefined;
  }
}

/** Outputs of a split, of files with object streams and without: of a page each, and of two. */
const parts: { readonly bytes: Uint8Array; readonly pages: number; readonly packed: boolean }[] = [];

beforeAll(async () => {
  const engine = createLocalEngine();
  for (const { name, bytes, pages } of (await readSamples()).slice(0, 40)) {
    for (const ranges of [undefined, [[1, Math.min(2, pages.length)] as [number, number]]]) {
      const input = { file: sourceOf(name, bytes), ...(ranges === undefined ? {} : { ranges }) };
      const result = await engine.call(split, input, createContext());
      for (const { body, pages: count } of result.parts.slice(0, 3)) {
        const written = await bytesOf(body);
        parts.push({ bytes: written, pages: count ?? 0, packed: Buffer.from(written).includes('/Type/XRef') });
      }
    }
  }
});

it('counts one page in every part of one, with a table and with a stream of few objects', () => {
  const known = parts.map(({ bytes, pages, packed }) => ({ pages, packed, quick: quick(bytes) }));
  for (const { quick: found, pages } of known) expect([pages, undefined]).toContain(found);
  for (const packed of [true, false]) {
    const single = known.filter((part) => part.pages === 1 && part.packed === packed);
    expect(single.length).toBeGreaterThan(5);
    expect(single.filter((part) => part.quick === 1).length / single.length).toBeGreaterThan(0.8);
  }
});

it('never counts what a reader would count otherwise, however the file is damaged', async () => {
  const small = parts.filter(({ bytes }) => bytes.length < 20_000);
  expect(small.length).toBeGreaterThan(20);
  let counted = 0;
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.array(anyBlow, { minLength: 1, maxLength: 4 }), async (pick, blows) => {
      const bytes = new Uint8Array(damage(small[pick % small.length]!.bytes, blows));
      const found = quick(bytes);
      if (found === undefined) return;
      counted += 1;
      expect([found, undefined]).toContain(await whole(bytes));
    }),
    { numRuns: 12_000, seed: 20_261_122 },
  );
  // Nearly all blows move what the table speaks of, and are seen.
  expect(counted).toBeGreaterThan(200);
});

it('counts the same where streams of the file were lent, and never another number where anything was', () => {
  const single = parts.filter(({ pages, bytes }) => pages === 1 && quick(bytes) === 1);
  let streams = 0;
  for (const { bytes } of single) {
    const text = Buffer.from(bytes).toString('latin1');
    const data = text.matchAll(/(?<!XRef.{0,200})>>stream\n.*?\nendstream/gs);
    const spans = [...data].map(({ index, 0: { length } }) => [index + 9, index + length - 10] as const);
    streams += spans.length;
    expect(quick(bytes, ...spans)).toBe(1);
  }
  expect(streams).toBeGreaterThan(20);
  fc.assert(
    fc.property(fc.nat(), fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }), (pick, ends) => {
      const { bytes } = single[pick % single.length]!;
      const sorted = ends.map((end) => Math.floor(end * bytes.length)).sort((a, b) => a - b);
      const spans = sorted.flatMap((from, i) => (i % 2 === 0 ? [[from, sorted[i + 1] ?? from] as const] : []));
      expect([1, undefined]).toContain(quick(bytes, ...spans));
    }),
    { numRuns: 3000 },
  );
});

it.each([
  [
    'a page tree of two levels',
    '<</Type/Pages/Kids[4 0 R]/Count 1>>',
    '<</Type/Page/Parent 4 0 R>>',
    '<</Type/Pages/Parent 2 0 R/Kids[3 0 R]/Count 1>>',
  ],
  ['a kid that is null', '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>', '<</Type/Page/Parent 2 0 R>>', 'null'],
  [
    'a kid that stands in the node',
    '<</Type/Pages/Kids[3 0 R<</Type/Page/Parent 2 0 R>>]/Count 2>>',
    '<</Type/Page/Parent 2 0 R>>',
    'null',
  ],
])('says nothing of %s', (_, root, ...rest) => {
  expect(quick(Buffer.from(pdfOf(['<</Type/Catalog/Pages 2 0 R>>', root, ...rest])))).toBe(undefined);
});
