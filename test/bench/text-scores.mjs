#!/usr/bin/env node
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const [bench] = process.argv.slice(2);
if (bench === undefined) throw new Error('expected the folder that holds score.mjs');
const program = new URL('../../bin/pdftool.js', import.meta.url).pathname;
const SETS = [
  { name: 'dpbench', mode: 'developer', flags: [] },
  { name: 'rendered', mode: 'rag', flags: ['--structure', '--strip-anchors'] },
];

for (const { name, mode, flags } of SETS) {
  const commands = {
    [`markdown --mode ${mode}`]: ['markdown', '--mode', mode, '--output-format', 'markdown'],
    'extract-text': ['extract-text'],
  };
  for (const [label, command] of Object.entries(commands)) {
    const folder = mkdtempSync(join(tmpdir(), 'pdftool-score-'));
    try {
      const pdfs = join(bench, name, 'pdfs');
      for (const file of readdirSync(pdfs).sort()) {
        const output = join(folder, `${basename(file, '.pdf')}.md`);
        execFileSync(process.execPath, [program, '--local', ...command, join(pdfs, file), '-o', output, '-q']);
      }
      const score = [join(bench, 'score.mjs'), '--gt', join(bench, name, 'gt'), '--pred', folder, ...flags];
      console.log(`${name}, ${label}\n${execFileSync(process.execPath, score, { encoding: 'utf8' })}`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
}
