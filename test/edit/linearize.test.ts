// Linearized files hold to Annex F as qpdf checks it, and are the documents that they were.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { optimize } from '../local.ts';
import { createContext } from '../properties/context.ts';
import { look } from '../structure/judges.ts';
import { pdfOf } from '../structure/run.ts';
import { Bench, byPoppler, open, pagesWith } from './bench.ts';

const FIXTURES = resolve(import.meta.dirname, '../fixtures');
const bench = new Bench();
afterAll(() => bench.close());

function linearization(path: string): string {
  const { stdout, stderr } = spawnSync('qpdf', ['--check-linearization', path], { encoding: 'utf8' });
  return `${stdout}${stderr}`;
}

const documents = [FIXTURES, `${FIXTURES}/documents`].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.pdf'))
    .map((name) => `${folder}/${name}`),
);

describe('optimize --linearize', () => {
  it.each(documents)('of %s is what qpdf expects', async (file) => {
    const { path } = await bench.make(optimize, { file: open(file), linearize: true });
    expect(linearization(path)).toMatch(/^\S+: no linearization errors\s*$/);
    const [before, after] = [look(file), look(path)];
    expect(after).toEqual(before);
    expect(Buffer.compare(byPoppler(file).pixels, byPoppler(path).pixels)).toBe(0);
  });

  it('holds for one page, for many, and for bookmarks that are shown at once', async () => {
    const page = '/MediaBox[0 0 300 400]';
    const outlines = pagesWith([page, page])
      .replace('/Catalog', '/Catalog/PageMode/UseOutlines/Outlines 60 0 R')
      .replace(
        /xref[\s\S]*/,
        '50 0 obj\n<</Title(One)/Parent 60 0 R/Dest[5 0 R/Fit]>>\nendobj\n60 0 obj\n<</Type/Outlines/Count 1/First 50 0 R/Last 50 0 R>>\nendobj\ntrailer<</Root 1 0 R/Size 61>>\n',
      );
    for (const text of [pagesWith([page]), pagesWith(Array.from({ length: 700 }, () => page)), outlines]) {
      const { path } = await bench.make(optimize, { file: open(bench.keep('made.pdf', text)), linearize: true });
      expect(linearization(path)).toMatch(/no linearization errors/);
    }
  });

  it('keeps what leads to a page outside the tree', async () => {
    const stray = pdfOf([
      '<</Type/Catalog/Pages 2 0 R/Stray[4 0 R/Fit]>>',
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/PieceInfo<</A<</Private 4 0 R>>>>>>',
      '<</Type/Page/MediaBox[0 0 100 100]/Contents 5 0 R/Parent 2 0 R>>',
      '<</Length 6>>stream\nq Q   \nendstream',
    ]);
    const { path } = await bench.make(optimize, { file: open(bench.keep('stray.pdf', stray)), linearize: true });
    expect(linearization(path)).toMatch(/no linearization errors/);
    const { stdout } = spawnSync('qpdf', ['--json=2', '--json-key=qpdf', path], { encoding: 'utf8' });
    expect(stdout).toMatch(/"\/MediaBox": \[\s*0,\s*0,\s*100,\s*100/);
  });

  it('counts no thumbnail as part of its page', async () => {
    const thumb = '<</Width 1/Height 1/BitsPerComponent 8/ColorSpace 9 0 R/Length 1>>stream\n0\nendstream';
    const page = (own: number) => `<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 8 0 R/Thumb ${own} 0 R>>`;
    const made = pdfOf([
      '<</Type/Catalog/Pages 2 0 R/Stray[10 0 R/Fit]>>',
      '<</Type/Pages/Count 3/Kids[3 0 R 4 0 R 5 0 R]>>',
      ...[page(6), page(7), page(7)],
      ...[thumb, thumb],
      '<</Length 6>>stream\nq Q   \nendstream',
      '/DeviceGray',
      page(11).replace('/Parent 2 0 R', ''),
      thumb,
    ]);
    const { path } = await bench.make(optimize, { file: open(bench.keep('thumbs.pdf', made)), linearize: true });
    expect(linearization(path)).toMatch(/no linearization errors/);
    const { stdout } = spawnSync('qpdf', ['--json=2', '--json-key=qpdf', path], { encoding: 'utf8' });
    expect(stdout.match(/"\/Width": 1/g)).toHaveLength(3);
  });

  it('asks for what is wanted', async () => {
    const file = open(`${FIXTURES}/outlines.pdf`);
    await expect(optimize({ file }, createContext())).rejects.toThrow(/needs linearize=true/);
  });
});
