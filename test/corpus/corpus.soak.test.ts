import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { missing, OPERATIONS } from './selection.mjs';

interface Attempt {
  readonly file: string;
  readonly op: string;
  readonly problems: readonly string[];
}

const MINUTES = 60_000;
/** The plain set had 73 files when this was written; a selection gone wrong must not pass for a good run. */
const FILES_AT_LEAST = 60;

const reason = missing();
if (reason !== undefined) console.warn(`skipped: ${reason}`);

describe.skipIf(reason !== undefined)('plain files of the corpus', () => {
  let attempts: readonly Attempt[];

  beforeAll(async () => {
    attempts = await tryAll();
  }, 15 * MINUTES);

  it.each(OPERATIONS)('%s gives the right pages, which look the same', (op) => {
    const ofOp = attempts.filter((each) => each.op === op);
    expect(ofOp.length).toBeGreaterThanOrEqual(FILES_AT_LEAST);
    const failed = ofOp.filter(({ problems }) => problems.length > 0);
    expect(failed.map(({ file, problems }) => `${file}: ${problems.join('; ')}`)).toEqual([]);
  });
});

async function tryAll(): Promise<readonly Attempt[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pdftool-report-'));
  try {
    const report = join(folder, 'report.json');
    const script = join(import.meta.dirname, 'run.mjs');
    await new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [script, '--set', 'plain', '--report', report], { stdio: 'ignore' });
      child.on('error', reject).on('close', resolve);
    });
    return JSON.parse(readFileSync(report, 'utf8')) as readonly Attempt[]; // written by run.mjs just now
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
