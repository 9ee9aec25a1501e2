import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as rotate from '../../src/local/rotate.ts';
import { bytesOf, createContext } from '../properties/context.ts';
import { check } from './judges.ts';
import { OutputFolder, open, pdfOf } from './run.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const FILES = readdirSync(FIXTURES).filter((name) => name.endsWith('.pdf'));

let folder: OutputFolder;
beforeAll(() => {
  folder = new OutputFolder();
});
afterAll(() => folder.close());

async function append(path: string): Promise<{ path: string; warnings: readonly string[] }> {
  const result = await rotate.run({ file: open(path), angle: 90, incremental: true }, createContext());
  const name = `appended-${FILES.indexOf(path.slice(path.lastIndexOf('/') + 1))}.pdf`;
  return { path: folder.keep(name, await bytesOf(result.body)), warnings: result.warnings ?? [] };
}

/** Degrees of each page, by poppler. */
function turns(path: string): number[] {
  const text = execFileSync('pdfinfo', ['-f', '1', '-l', '9999', path], { encoding: 'utf8' });
  return [...text.matchAll(/rot:\s+(\d+)/g)].map(([, degrees]) => Number(degrees));
}

describe('an appended rotation', () => {
  it.each(FILES)('keeps %s byte for byte and turns its pages', async (name) => {
    const source = join(FIXTURES, name);
    const before = readFileSync(source);
    const { path } = await append(source);
    expect(readFileSync(path).subarray(0, before.length).equals(before)).toBe(true);
    expect(turns(path)).toEqual(turns(source).map((degrees) => (degrees + 90) % 360));
    expect(check(path)).toMatchObject({ status: check(source).status });
  });

  it('leaves signatures as they were, and says what viewers will say', async () => {
    const source = join(FIXTURES, 'signed-twice.pdf');
    const digests = (path: string): string[] => {
      const text = execFileSync('pdfsig', ['-nocert', path], { encoding: 'utf8' });
      return text.split('\n').filter((line) => /Signature Validation|Signed Ranges/.test(line));
    };
    const { path, warnings } = await append(source);
    expect(digests(source)).toHaveLength(4);
    expect(digests(path)).toEqual(digests(source));
    expect(warnings).toEqual([expect.stringContaining('holds for what was signed')]);
  });

  it('of some pages appends these alone', async () => {
    const source = join(FIXTURES, 'guide.pdf');
    const input = { file: open(source), angle: 90, incremental: true, pages: [3, 80] } as const;
    const bytes = await bytesOf((await rotate.run(input, createContext())).body);
    const appended = Buffer.from(bytes.subarray(readFileSync(source).length)).toString('latin1');
    expect(appended.match(/^\d+ \d+ obj$/gm)).toHaveLength(2);
    const turned = turns(folder.keep('some.pdf', bytes)).flatMap((degrees, i) => (degrees === 90 ? [i + 1] : []));
    expect(turned).toEqual([3, 80]);
  });

  it('refuses some of the pages that are one object, and turns all of them', async () => {
    const shared = pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R 4 0 R 3 0 R]/Count 3>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
    ]);
    const file = open(folder.keep('shared.pdf', shared));
    const turn = (pages: number[]) => rotate.run({ file, angle: 90, incremental: true, pages }, createContext());
    await expect(turn([2, 3])).rejects.toMatchObject({ code: 'unprocessable', message: /one object/ });
    for (const pages of [[1, 3], [2]]) {
      const path = folder.keep('shared-turned.pdf', await bytesOf((await turn(pages)).body));
      expect(
        turns(path)
          .map((degrees, i) => (degrees === 90 ? i + 1 : 0))
          .filter(Boolean),
      ).toEqual(pages);
    }
  });

  it.each([true, false])('turns a page whose last key has no value (incremental: %s)', async (incremental) => {
    const odd = pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Odd>>',
    ]);
    const source = folder.keep('odd.pdf', odd);
    const result = await rotate.run({ file: open(source), angle: 90, incremental }, createContext());
    expect(turns(folder.keep(`odd-${incremental}.pdf`, await bytesOf(result.body)))).toEqual([90]);
  });

  it('refuses a file that had to be repaired', async () => {
    const objects = [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
    ];
    const damaged = folder.keep('no-table.pdf', pdfOf(objects).replace(/startxref\n\d+/, 'startxref\n7'));
    await expect(append(damaged)).rejects.toMatchObject({ code: 'unprocessable', kind: 'damaged' });
  });
});
