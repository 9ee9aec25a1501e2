// Words that pdftotext and mutool read in documents of several producers: found wherever they stand, and gone afterwards.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { askingEyes } from '../../src/contract/questions.ts';
import { answerQuestions } from '../../src/local/redaction/answer-questions.ts';
import { applyRegions } from '../../src/pdf/redact/apply-regions.ts';
import { checkDocument } from '../../src/pdf/redact/check-document.ts';
import { inspectDocument } from '../../src/pdf/redact/inspect-document.ts';
import { openBytes } from '../../src/pdf/redact/output/plain-copy.ts';

const WASM = 'node_modules/@embedpdf/pdfium/dist/pdfium.wasm';
const eyes = askingEyes(
  answerQuestions(() => readFileSync(WASM), new AbortController().signal),
  () => {},
);
const tools = { openProbe: eyes.open, yieldNow: async () => {}, progress() {}, match: () => [] };
const folder = mkdtempSync(join(tmpdir(), 'found-'));
afterAll(() => rmSync(folder, { recursive: true }));

const MOST_WORDS = 5;

function wordsRead(path: string): string[][] {
  const texts = [
    execFileSync('pdftotext', [path, '-'], { encoding: 'utf8' }),
    execFileSync('mutool', ['draw', '-q', '-F', 'txt', path], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ];
  return texts.map(
    (text) =>
      text
        .normalize('NFKD')
        .toLowerCase()
        .match(/\p{L}{4,}/gu) ?? [],
  );
}

it.each(['documents/pdfbox--acroform.pdf', 'documents/chrome--vertical.pdf', 'documents/calc--rotated.pdf'])(
  'in %s',
  async (name) => {
    const path = `test/fixtures/${name}`;
    const bytes = readFileSync(path);
    const read = wordsRead(path);
    // mutool writes "SIGN" into fields for signatures.
    const all = [...new Set(read.flat())].filter((word) => read[0]?.includes(word)).sort();
    const terms = all.filter((_, i) => i % Math.ceil(all.length / MOST_WORDS) === 0);
    const check = async (file: Uint8Array) =>
      (await checkDocument(await openBytes(file, name), { regions: [], terms, label: undefined }, tools)).leaks;
    expect(terms.length).toBeGreaterThan(0);
    const found = await inspectDocument(await openBytes(bytes, name), { terms, expressions: [], kinds: [] }, tools);
    for (const [i, term] of terms.entries())
      for (const words of read)
        expect(found.terms[i]?.regions, term).toBeGreaterThanOrEqual(words.filter((word) => word === term).length);
    expect((await check(bytes)).some(({ what }) => what === 'a word that was looked for')).toBe(true);
    const { regions, clean } = found;
    const style = { fill: [0, 0, 0] as const, label: undefined };
    const output = await applyRegions(
      await openBytes(bytes, name),
      { regions, style, strict: false, raster: false, clean },
      tools,
    );
    expect(await check(output.bytes)).toEqual([]);
    writeFileSync(join(folder, 'output.pdf'), output.bytes);
    expect(
      wordsRead(join(folder, 'output.pdf'))
        .flat()
        .filter((word) => terms.includes(word)),
    ).toEqual([]);
  },
);
