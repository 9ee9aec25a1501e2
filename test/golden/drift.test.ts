import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { derivedFiles, withManPages } from '../../src/cli/derived.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const files = derivedFiles(undefined);
const hasMandoc = spawnSync('mandoc', ['-Tlint', join(ROOT, 'man/pdftool.1')]).error === undefined;

describe('made files', () => {
  it.each([...files.keys()])('%s is what `npm run derive` makes', (path) => {
    expect(read(path)).toBe(files.get(path));
  });

  it('are all there is in their folders', () => {
    for (const folder of ['completions', 'man', 'test/golden/help']) {
      const ours = [...files.keys()].filter((path) => path.startsWith(`${folder}/`));
      expect(readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`).sort()).toEqual(ours.sort());
    }
  });

  it('have every man page in package.json, for npm to install', () => {
    expect(read('package.json')).toBe(withManPages(read('package.json'), files));
  });

  it('depend on nothing but SOURCE_DATE_EPOCH', () => {
    expect([...derivedFiles(undefined)]).toEqual([...files]);
    const dated = derivedFiles('86400');
    const changed = [...dated].filter(([path, text]) => files.get(path) !== text).map(([path]) => path);
    expect(changed.sort()).toEqual([...files.keys()].filter((path) => path.startsWith('man/')).sort());
    expect(dated.get('man/pdftool.1')).toContain('.Dd January 2, 1970\n');
  });
});

describe('man pages', () => {
  it.skipIf(!hasMandoc)(`are clean to mandoc${hasMandoc ? '' : ' (skipped: it is not installed)'}`, () => {
    const pages = readdirSync(join(ROOT, 'man')).map((name) => join(ROOT, 'man', name));
    const lint = spawnSync('mandoc', ['-Tlint', ...pages], { encoding: 'utf8' });
    expect([lint.status, lint.stdout + lint.stderr]).toEqual([0, '']);
    const shown = spawnSync('mandoc', ['-Tutf8', join(ROOT, 'man/pdftool-merge.1')], { encoding: 'utf8' });
    expect(shown.stdout).toContain('pdftool merge');
  });
});
