// A sample of the corpus through redact-found.mjs: `check` says leak before and clean after, and `inspect` covers every place
// at which pdftotext has a word. All files: node test/corpus/redact-found.mjs FOLDER
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, describe, expect, it } from 'vitest';
import { entriesOf, missing } from './selection.mjs';

const FILES = 8;
const MOST_BYTES = 50_000;
const MOST_PAGES = 1;

const reason = missing();
if (reason !== undefined) console.warn(`skipped: ${reason}`);
const folder = mkdtempSync(join(tmpdir(), 'pdftool-sample-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(reason !== undefined)('words of files of the corpus', () => {
  it('are found before, and nowhere after', { timeout: 10 * 60_000 }, async () => {
    const entries = (await entriesOf('plain')).filter(
      ({ path, pages, carriedDamage }) =>
        !carriedDamage && pages !== null && pages <= MOST_PAGES && statSync(path).size < MOST_BYTES,
    );
    mkdirSync(join(folder, 'corpus'));
    const step = Math.max(1, Math.floor(entries.length / FILES));
    for (const [i, { path }] of entries.entries())
      if (i % step === 0) copyFileSync(path, join(folder, 'corpus', `${i}.pdf`));
    const script = join(import.meta.dirname, 'redact-found.mjs');
    const { stdout } = await execa('node', [script, folder, '--words', '20', '--jobs', '1'], { reject: false });
    const total = JSON.parse(stdout.slice(stdout.search(/^\{$/m))) as Record<string, unknown>;
    expect(total).toMatchObject({
      falseClean: [],
      unsaid: [],
      leftUnsaid: [],
      notClean: [],
      refused: [],
      failed: [],
      qpdf: [],
    });
    expect(total.tried).toBeGreaterThanOrEqual(FILES / 2);
  });
});
