// kill -9 in the middle of an apply: no output under a final name, and nothing of what was to be removed on the disk.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { afterAll, describe, expect, it } from 'vitest';
import { CLEAN, folder, PROGRAM } from '../e2e/pdftool.ts';
import { hidingPlaces, holds, REGION, SECRET } from './hiding-places.ts';

const here = folder();
afterAll(() => here[Symbol.dispose]());
const { bytes } = hidingPlaces();
const sourceSha256 = createHash('sha256').update(bytes).digest('hex');

/** Every file below a folder. */
function files(path: string): string[] {
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

async function saysSomething(path: string): Promise<boolean> {
  const undone = await execa('qpdf', ['--qdf', '--decode-level=all', path, '-'], { encoding: 'buffer', reject: false });
  return holds(Buffer.concat([readFileSync(path), Buffer.from(undone.stdout ?? [])]), SECRET);
}

describe('kill -9', () => {
  const moments = [60, 200, 400, 600, 800, 1_000, 1_250, 1_500, 1_750, 2_000, 2_300, 2_600, 3_000, 3_500, 4_000, 5_000];
  it.each(moments.flatMap((moment) => [[moment, 'a file'] as const, [moment, 'standard input'] as const]))(
    'after %i ms, from %s, leaves nothing that could be taken for done, and no removed text',
    async (moment, from) => {
      const work = here.at(`${moment}-${from.length}`);
      const temporary = join(work, 'tmp');
      mkdirSync(temporary, { recursive: true });
      const source = join(work, '../source.pdf');
      writeFileSync(source, bytes);
      writeFileSync(join(work, 'regions.json'), JSON.stringify({ reviewed: true, sourceSha256, regions: [REGION] }));
      const name = from === 'a file' ? source : '-';
      const args = ['redact', 'apply', name, '--local', '--regions', 'regions.json', '-o', 'out.pdf'];
      const child: ChildProcess = spawn(process.execPath, [PROGRAM, ...args], {
        cwd: work,
        env: { ...CLEAN, TMPDIR: temporary },
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      const ended = once(child, 'exit');
      child.stdin?.on('error', () => {});
      if (child.stdin !== null) createReadStream(source).pipe(child.stdin);
      await Promise.race([sleep(moment), ended]);
      child.kill('SIGKILL');
      await ended;
      const out = join(work, 'out.pdf');
      if (existsSync(out)) await execa('qpdf', ['--check', out]);
      for (const path of files(work)) {
        if (path.endsWith('regions.json') || statSync(path).size === 0) continue;
        expect(await saysSomething(path), path).toBe(false);
      }
      rmSync(work, { recursive: true, force: true });
    },
  );
});
