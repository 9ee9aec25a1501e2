// Holds that every operation that writes a PDF leaves it valid, as veraPDF judges, or takes the claim out and says so: a sample
// of what test/bench/conformance.mjs tries on veraPDF's corpus.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { judgeClasses } from './judge.mjs';

const ROOT = join(import.meta.dirname, '../..');
const { path, why } = judgeClasses();

it.skipIf(path === undefined)(
  `no operation labels what is not valid (${why ?? 'veraPDF is here'})`,
  { timeout: 300_000 },
  () => {
    const line = ['test/bench/conformance.mjs', 'test/fixtures/conformance', '--pairs', '11'];
    const { stdout, status } = spawnSync(process.execPath, line, { cwd: ROOT, encoding: 'utf8' });
    expect(stdout).toMatch(/^11 of 11 files are valid before/);
    expect(stdout.match(/labelled and not valid 0, lost in silence 0/g)).toHaveLength(29);
    expect(status, stdout).toBe(0);
  },
);
