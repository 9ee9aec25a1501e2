import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { split } from '../local.ts';
import { check } from '../structure/judges.ts';
import { OutputFolder, pdfOf } from '../structure/run.ts';
import { bytesOf, createContext, sourceOf } from './context.ts';
import { difference, entry, load, ownObjects, Pairs } from './graphs.ts';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 10);
const MINUTES = 60_000;
const PAGES = 20;
const CATALOG = 2;

const folder = new OutputFolder();
afterAll(() => folder.close());

interface Shared {
  /** Which of the shared ones it refers to. */
  readonly leadsTo: readonly number[];
  readonly page?: number | undefined;
  /** Bytes of its text, and of its data; undefined for what is no stream. */
  readonly text: number;
  readonly data?: number | undefined;
}

interface Document {
  readonly shared: readonly Shared[];
  /** What each page refers to. */
  readonly pages: readonly (readonly number[])[];
}

const some = fc.nat({ max: 1000 });
const shared: fc.Arbitrary<Shared> = fc.record({
  leadsTo: fc.array(some, { maxLength: 3 }),
  // Seldom: what leads to a page is different in each part.
  page: fc.oneof(
    { weight: 12, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.nat({ max: PAGES - 1 }) },
  ),
  text: fc.oneof(fc.constant(5), fc.integer({ min: 0, max: 6000 })),
  data: fc.option(fc.oneof(fc.integer({ min: 0, max: 9000 }), fc.constant(140_000)), { nil: undefined, freq: 2 }),
});
const document: fc.Arbitrary<Document> = fc.record({
  shared: fc.array(shared, { minLength: 1, maxLength: 12 }),
  pages: fc.array(fc.array(some, { minLength: 1, maxLength: 3 }), { minLength: PAGES, maxLength: PAGES }),
});

async function source({ shared, pages }: Document): Promise<Uint8Array> {
  const first = CATALOG + PAGES + 1;
  const refs = (nums: readonly number[]) => nums.map((num) => `${first + (num % shared.length)} 0 R`).join(' ');
  const bytes = Buffer.from(
    pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      `<</Type/Pages/Count ${PAGES}/Kids[${pages.map((_, i) => `${CATALOG + 1 + i} 0 R`).join(' ')}]>>`,
      ...pages.map((own) => `<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Shared[${refs(own)}]>>`),
      ...shared.map(({ leadsTo, page, text, data }, i) => {
        const to = page === undefined ? '' : `/At ${CATALOG + 1 + page} 0 R`;
        const entries = `/I ${i}/To[${refs(leadsTo)}]${to}/Text(${'t'.repeat(text)})`;
        if (data === undefined) return `<<${entries}>>`;
        return `<<${entries}/Length ${data}>>stream\n${'d'.repeat(data)}\nendstream`;
      }),
    ]),
    'latin1',
  );
  return (await load(bytes)).save({ useObjectStreams: true });
}

async function partsOf(bytes: Uint8Array): Promise<Uint8Array[]> {
  const { parts } = await split({ file: sourceOf('shared.pdf', bytes) }, createContext());
  return Promise.all(parts.map(({ body }) => bytesOf(body)));
}

async function expectWhole(made: Document): Promise<void> {
  const bytes = await source(made);
  const whole = await load(bytes);
  const pages = whole.getPages();
  const parts = await partsOf(bytes);
  for (const [i, part] of parts.entries()) {
    const found = await load(part);
    const [page] = found.getPages();
    const pairs = new Pairs();
    pairs.take(pages[i]!.ref, page!.ref, () => {});
    const gone = new Set(pages.filter((_, other) => other !== i).map(({ ref }) => ref.tag));
    const of = [whole, found] as const;
    expect(difference(entry(pages[i]!, 'Shared'), entry(page!, 'Shared'), of, pairs, gone)).toBe(undefined);
    expect(ownObjects(found)).toBe(pairs.ours.size - 1);
  }
  const last = check(folder.keep('last.pdf', parts.at(-1)!));
  expect(last.status, last.text).toBe(0);
}

it('parts hold what their pages lead to, each object once, and nothing else', { timeout: 5 * MINUTES }, async () => {
  await fc.assert(
    fc.asyncProperty(document, (made) => expectWhole(made)),
    { numRuns: RUNS },
  );
});

it('so they do where hundreds of objects are shared', async () => {
  const shared = Array.from({ length: 400 }, (_, i) => ({ leadsTo: [], text: 5, data: i < 20 ? undefined : 300 }));
  const pages = Array.from({ length: PAGES }, (_, page) =>
    [...shared.keys()].filter((i) => page < 6 || i % 20 !== page),
  );
  await expectWhole({ shared, pages });
});
