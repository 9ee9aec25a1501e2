import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { entriesOf, missing } from '../corpus/selection.mjs';
import { type Page, pagesOf } from './pages.ts';

export interface Sample {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly pages: readonly Page[];
}

const FIXTURES = join(import.meta.dirname, '../fixtures');
/** Larger files make few runs out of the same time. */
const LARGEST = 100_000;

/** Files that the independent reader understands, so that it can say what is on their pages. */
export async function readSamples(): Promise<Sample[]> {
  const fixtures = readdirSync(FIXTURES).filter((name) => name.endsWith('.pdf'));
  const corpus = missing() === undefined ? await entriesOf('plain') : [];
  const paths = [...fixtures.map((name) => join(FIXTURES, name)), ...corpus.map(({ path }) => path)];
  const samples: Sample[] = [];
  for (const path of paths) {
    const bytes = new Uint8Array(readFileSync(path));
    if (bytes.length > LARGEST) continue;
    const pages = await pagesOf(bytes).catch(() => undefined);
    const expected = corpus.find((entry) => entry.path === path)?.pages ?? pages?.length;
    if (pages !== undefined && pages.length === expected) samples.push({ name: basename(path), bytes, pages });
  }
  return samples;
}
