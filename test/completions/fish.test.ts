import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { makePdf } from '../e2e/make-pdf.ts';
import { folder } from '../e2e/pdftool.ts';

const SCRIPT = resolve(import.meta.dirname, '../../completions/pdftool.fish');
const offered = (line: string, cwd: string) =>
  spawnSync('fish', ['-N', '-c', `source ${SCRIPT}; complete -C '${line}'`], { cwd, encoding: 'utf8' })
    .stdout.trim()
    .split('\n')
    .map((entry) => entry.split('\t')[0]);

it.skipIf(spawnSync('fish', ['--version']).status !== 0)(
  'fish offers choices without files, and files where one is named',
  () => {
    using here = folder();
    makePdf(here.at('a.pdf'));
    expect(offered('pdftool to-images --format ', here.path)).toEqual(['png', 'jpeg', 'webp']);
    expect(offered('pdftool stamp --pdf ', here.path)).toEqual(['a.pdf']);
    expect(offered('pdftool info --password-file ', here.path)).toContain('a.pdf');
  },
);
