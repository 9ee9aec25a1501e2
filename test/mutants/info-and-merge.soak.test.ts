// `info` and `merge` say the same of every file made to fool readers.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { entriesOf, missing } from '../corpus/selection.mjs';
import { folder } from '../e2e/pdftool.ts';
import { differences } from './info-and-merge.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');

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
