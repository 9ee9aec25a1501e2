// What an install leaves out: npm fetches it when somebody asks, and the program of the tarball, with nothing beside it, speaks.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLEAN, folder } from './pdftool.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const here = folder();
afterAll(() => here[Symbol.dispose]());
const hasNpm = spawnSync('npm', ['view', 'mediabunny', 'version'], { timeout: 30_000 }).status === 0;
if (!hasNpm) console.warn('skipped: npm reaches no registry that has mediabunny');

describe.skipIf(!hasNpm)('pdftool doctor --install speech', { timeout: 300_000 }, () => {
  beforeAll(() => {
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', here.path];
    const [{ filename }] = JSON.parse(
      execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
    execFileSync('tar', ['xzf', filename], { cwd: here.path });
    copyFileSync(resolve(import.meta.dirname, '../fixtures/object-streams.pdf'), here.at('in.pdf'));
  });

  it('lets the program write books and videos', async () => {
    // npm needs what this machine says of its registry; the program gets nothing else of it.
    const reach = Object.entries(process.env).filter(([name]) =>
      /^npm_config_|_(proxy|CA_CERTS|FILE|DIR)$/i.test(name),
    );
    const env = {
      ...CLEAN,
      ...Object.fromEntries(reach),
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      PDFTOOL_ENGINE: 'local',
      PDFTOOL_PACKAGES_DIR: here.at('packages'),
    };
    const run = (...args: string[]) =>
      execa(process.execPath, [here.at('package/bin/pdftool.js'), ...args], {
        cwd: here.path,
        env,
        extendEnv: false,
        reject: false,
      });
    const before = await run('audiobook', 'in.pdf', '-o', 'in.m4b');
    expect([before.exitCode, before.stderr]).toEqual([24, expect.stringContaining('pdftool doctor --install speech')]);
    expect((await run('doctor', '--install', 'speech')).exitCode).toBe(0);
    expect((await run('audiobook', 'in.pdf', '-o', 'in.m4b')).exitCode).toBe(0);
    expect((await run('narrate', 'in.pdf', '-o', 'in.mp4')).exitCode).toBe(0);
    const streams = ['-v', 'error', '-show_entries', 'stream=codec_name', '-of', 'csv=p=0'];
    const codecs = (name: string) =>
      execFileSync('ffprobe', [...streams, here.at(name)], { encoding: 'utf8' }).split('\n');
    expect(codecs('in.m4b')).toContain('aac');
    expect(codecs('in.mp4')).toEqual(expect.arrayContaining(['aac', 'h264']));
  });
});
