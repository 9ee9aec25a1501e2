// `info` and `merge` say the same of every file: as many pages, or no for the same reason.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder } from '../e2e/pdftool.ts';
import { KINDS, mutant } from './damage.mjs';
import { differences } from './info-and-merge.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const LARGEST = 400_000;
/** One of each kind of damage. */
const SEED = 23;

/** Files of the corpus on which other tests saw a wrong outcome, where the corpus is there; and a mutant of each kind. */
function damaged(to: string): string[] {
  const corpus = process.env.PDFTOOL_CORPUS;
  const found = corpus === undefined ? [] : pdfsIn(join(corpus, 'found'));
  const sources = pdfsIn(FIXTURES)
    .map((path) => readFileSync(path))
    .filter(({ length }) => length <= LARGEST);
  const mutants = Object.keys(KINDS).flatMap((kind, i) => {
    const bytes = sources.map((source) => mutant(source, kind, SEED + i)).find((each) => each !== undefined);
    return bytes === undefined ? [] : [{ name: `${kind}.pdf`, bytes }];
  });
  const copies = found.map((path) => ({ name: `found-${basename(path)}`, bytes: readFileSync(path) }));
  for (const { name, bytes } of [...mutants, ...copies]) writeFileSync(join(to, name), bytes);
  return [...mutants, ...copies].map(({ name }) => name);
}

function pdfsIn(path: string): string[] {
  return readdirSync(path)
    .filter((name) => name.endsWith('.pdf'))
    .map((name) => join(path, name));
}

describe('info and merge', () => {
  it('agree on damaged files', { timeout: 400_000 }, async () => {
    using here = folder();
    mkdirSync(here.at('in'));
    const names = damaged(here.at('in'));
    expect(names.length).toBeGreaterThan(20);
    writeFileSync(here.at('one.pdf'), readFileSync(join(FIXTURES, 'lorem-ipsum.pdf')));
    expect(
      await differences(
        names.map((name) => `in/${name}`),
        here.path,
      ),
    ).toEqual([]);
  });
});
