// `info` and `merge` say the same of every file: as many pages, or no for the same reason.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entriesOf, missing } from '../corpus/selection.mjs';
import { folder, pdftool } from '../e2e/pdftool.ts';
import { KINDS, mutant } from './damage.mjs';

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

interface Said {
  readonly page_count?: number;
  readonly output?: { readonly pages: number };
  readonly error?: { readonly code: string; readonly kind?: string; readonly message: string };
}

/** Where they differ: how many pages, or why none. The second input of a merge has four pages. */
async function differences(names: readonly string[], cwd: string): Promise<unknown[]> {
  const apart: unknown[] = [];
  for (const name of names) {
    const said = async (args: string[]): Promise<Said> =>
      JSON.parse((await pdftool([...args, '--json'], { cwd })).stdout);
    const info = await said(['info', name]);
    const merged = await said(['merge', name, 'one.pdf', '-o', 'out.pdf', '--force']);
    const pages = merged.output === undefined ? undefined : merged.output.pages - 4;
    const same =
      info.error === undefined
        ? info.page_count === pages
        : [info.error.code, info.error.message].join() === [merged.error?.code, merged.error?.message].join();
    if (!same) apart.push({ name, info: info.error ?? info.page_count, merge: merged.error ?? pages });
  }
  return apart;
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

  it.skipIf(missing() !== undefined)('agree on files made to fool readers', { timeout: 900_000 }, async () => {
    using here = folder();
    const entries = await entriesOf('adversarial', undefined);
    expect(entries.length).toBeGreaterThan(20);
    writeFileSync(here.at('one.pdf'), readFileSync(join(FIXTURES, 'lorem-ipsum.pdf')));
    expect(
      await differences(
        entries.map(({ path }) => path),
        here.path,
      ),
    ).toEqual([]);
  });
});
