import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PageSpan } from '../../src/contract/field.ts';
import { merge, rotate, split } from '../../src/contract/operations/pages/pages.ts';
import { createLocalEngine } from '../../src/local/engine.ts';
import { bytesOf, createContext, sourceOf } from './context.ts';
import { type Page, pagesOf, withoutLinks } from './pages.ts';
import { readSamples, type Sample } from './samples.ts';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 10);
const MINUTES = 60_000;

const engine = createLocalEngine();
const samples = await readSamples();
const anySample = fc
  .constantFrom(...samples)
  .map((sample) => Object.assign(sample, { [fc.toStringMethod]: () => sample.name }));
const anyAngle = fc.constantFrom(90 as const, 180 as const, 270 as const, -90 as const, -180 as const, -270 as const);

/** A file and a few ranges of its pages, in any order, overlapping or not. */
const anySelection = anySample.chain((sample) => {
  const page = fc.integer({ min: 1, max: sample.pages.length });
  const range = fc.tuple(page, page).map(([a, b]): PageSpan => (a < b ? [a, b] : [b, a]));
  return fc.record({ sample: fc.constant(sample), ranges: fc.array(range, { minLength: 2, maxLength: 5 }) });
});

it('has files to try', () => {
  expect(samples.length).toBeGreaterThanOrEqual(8);
  expect(samples.some(({ pages }) => pages.length > 10)).toBe(true);
});

describe('for any file', { timeout: 5 * MINUTES }, () => {
  it('split into any ranges, then merged: the same pages in that order', () =>
    check(anySelection, async ({ sample, ranges }) => {
      const parts = await splitInto(sample, ranges);
      const joined = await pagesOf(await mergeAll(parts));
      const expected = ranges.flatMap(([start, end]) => sample.pages.slice(start - 1, end));
      expect(withoutLinks(joined)).toEqual(withoutLinks(expected));
    }));

  it('split into pages: each part has one page, and it is that page', () =>
    check(anySample, async (sample) => {
      const parts = await splitInto(sample, undefined);
      const found = await Promise.all(parts.map(pagesOf));
      expect(found.map((pages) => pages.length)).toEqual(sample.pages.map(() => 1));
      expect(withoutLinks(found.flat())).toEqual(withoutLinks(sample.pages));
    }));

  it('a page split off with all others or alone: the same page, and the same bytes where nothing is packed', () =>
    check(anySelection, async ({ sample, ranges }) => {
      const all = await splitInto(sample, undefined);
      const page = ranges[0]![1];
      const [alone] = await splitInto(sample, [[page, page]]);
      expect(await pagesOf(alone!)).toEqual(await pagesOf(all[page - 1]!));
      // What is packed may have other numbers: those of what the parts share come first (blocks.test.ts).
      if (!Buffer.from(sample.bytes).includes('/ObjStm')) expect(Buffer.compare(alone!, all[page - 1]!)).toBe(0);
    }));

  it('merged with itself: every page twice', () =>
    check(anySample, async (sample) => {
      expect(await pagesOf(await mergeAll([sample.bytes, sample.bytes]))).toEqual([...sample.pages, ...sample.pages]);
    }));

  it('merged one by one or at once: the same pages', () =>
    check(fc.tuple(anySample, anySample, anySample), async ([a, b, c]) => {
      const atOnce = await pagesOf(await mergeAll([a.bytes, b.bytes, c.bytes]));
      const oneByOne = await pagesOf(await mergeAll([await mergeAll([a.bytes, b.bytes]), c.bytes]));
      expect(atOnce).toEqual([...a.pages, ...b.pages, ...c.pages]);
      expect(oneByOne).toEqual(atOnce);
    }));

  it('turned four times by a quarter: as before', () =>
    check(anySample, async (sample) => {
      let bytes = sample.bytes;
      for (let turns = 0; turns < 4; turns += 1) bytes = await turned(sample.name, bytes, 90);
      expect(await pagesOf(bytes)).toEqual(sample.pages);
    }));

  it('turned by any angle: only the rotation differs, by that angle', () =>
    check(fc.tuple(anySample, anyAngle), async ([sample, angle]) => {
      const found = await pagesOf(await turned(sample.name, sample.bytes, angle));
      const still = (pages: readonly Page[]) => pages.map(({ rotation: _, text: __, ...page }) => page);
      expect(still(found)).toEqual(still(sample.pages));
      expect(found.map(({ rotation }) => rotation)).toEqual(
        sample.pages.map(({ rotation }) => (rotation + angle + 360) % 360),
      );
    }));

  it('done twice: the same bytes', () =>
    check(fc.tuple(anySelection, anySample), async ([{ sample, ranges }, other]) => {
      expect(await splitInto(sample, ranges)).toEqual(await splitInto(sample, ranges));
      const both = [sample.bytes, other.bytes];
      expect(await mergeAll(both)).toEqual(await mergeAll(both));
    }));
});

it('split leaves behind what the other pages show', async () => {
  const sample = samples.find(({ name }) => name === 'shared-resources.pdf');
  const parts = await splitInto(sample!, undefined);
  // Four images of 9,216 bytes; each part needs one of them.
  for (const part of parts) expect(part.length).toBeLessThan(2 * 9_216);
});

function check<T>(values: fc.Arbitrary<T>, property: (value: T) => Promise<void>): Promise<void> {
  return fc.assert(fc.asyncProperty(values, property), {
    numRuns: RUNS,
    endOnFailure: true,
    ...(process.env.CI === undefined ? {} : { seed: 20_261_120 }),
  });
}

async function mergeAll(files: readonly Uint8Array[]): Promise<Uint8Array> {
  const file = files.map((bytes, i) => sourceOf(`${i + 1}.pdf`, bytes));
  const { body, pages } = await engine.call(merge, { file }, createContext());
  const bytes = await bytesOf(body);
  expect((await pagesOf(bytes)).length).toBe(pages);
  return bytes;
}

async function splitInto(sample: Sample, ranges: readonly PageSpan[] | undefined): Promise<Uint8Array[]> {
  const file = sourceOf(sample.name, sample.bytes);
  const { parts } = await engine.call(split, { file, ranges }, createContext());
  return Promise.all(parts.map(({ body }) => bytesOf(body)));
}

async function turned(name: string, bytes: Uint8Array, angle: 90 | 180 | 270 | -90 | -180 | -270): Promise<Uint8Array> {
  const { body } = await engine.call(rotate, { file: sourceOf(name, bytes), angle }, createContext());
  return bytesOf(body);
}
