// The package as npm makes it: what is in it, how large, and that it runs without any package beside it.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SPEECH_PACKAGES } from '../../src/speech/audio/packages.ts';
import { CLEAN, type Folder, folder } from './pdftool.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const FIXTURES = resolve(import.meta.dirname, '../fixtures');
/** Bytes: of the program itself with what it keeps as files, and of an install with its optional packages. */
const MOST = 17_000_000;
const MOST_INSTALLED = 60_000_000;

interface Packed {
  readonly filename: string;
  readonly unpackedSize: number;
  readonly files: readonly { path: string; size: number }[];
}

let here: Folder;
let packed: Packed;

beforeAll(() => {
  here = folder();
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', here.path];
  [packed] = JSON.parse(
    execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  execFileSync('tar', ['xzf', packed.filename], { cwd: here.path });
  copyFileSync(join(FIXTURES, 'guide.pdf'), here.at('guide.pdf'));
  copyFileSync(join(FIXTURES, 'lorem-ipsum.pdf'), here.at('lorem.pdf'));
});
afterAll(() => here[Symbol.dispose]());

/** The program of the tarball, with no package to be found. */
async function run(...args: string[]) {
  const program = here.at('package/bin/pdftool.js');
  const env = { ...CLEAN, PDFTOOL_ENGINE: 'local' };
  return execa(process.execPath, [program, ...args], { cwd: here.path, env, extendEnv: false, reject: false });
}

describe('the package', () => {
  it('is under 17 MB and holds what it needs and nothing else', () => {
    expect(packed.unpackedSize).toBeLessThan(MOST);
    const others = packed.files.filter(
      ({ path }) =>
        !/^(bin|dist|dist\/page|dist\/node_modules\/.*|completions|man)\/[^/]+$|^(README|CHANGELOG)\.md$|^docs\/llms\.txt$|^LICENSE$|^package\.json$/.test(
          path,
        ),
    );
    expect(others).toEqual([]);
    const paths = packed.files.map(({ path }) => path);
    for (const path of ['bin/pdftool.js', 'dist/main.js', 'man/pdftool.1', 'completions/_pdftool'])
      expect(paths).toContain(path);
    expect(statSync(here.at('package/bin/pdftool.js')).mode & 0o111).not.toBe(0);
  });

  it('takes at most 60 MB with its optional packages', () => {
    const list = ['ls', '--omit=dev', '--all', '--parseable'];
    const [, ...folders] = execFileSync('npm', list, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
    expect(folders.map((path) => path.split('/node_modules/').at(-1))).toContain('sharp');
    const sizes = folders.map((path) => execFileSync('du', ['-sb', path], { encoding: 'utf8' }));
    const optional = sizes.reduce((sum, line) => sum + Number.parseInt(line, 10), 0);
    expect(packed.unpackedSize + optional).toBeLessThan(MOST_INSTALLED);
  });

  it('fetches the versions that it is tried with', () => {
    const { optionalDependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect({ ...devDependencies, ...optionalDependencies }).toMatchObject(SPEECH_PACKAGES);
  });

  it('runs nothing when it is installed', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    // `prepare` counts: npm warns about it where a tarball is installed.
    for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) expect(scripts).not.toHaveProperty(name);
  });

  it('brings no package that would run something: npm 11 warns of each', () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { dev?: boolean; devOptional?: boolean; peer?: boolean; hasInstallScript?: boolean }>;
    };
    const brought = Object.entries(packages).filter(([, { dev, peer }]) => dev !== true && peer !== true);
    expect(brought.length).toBeGreaterThan(5);
    expect(brought.filter(([, { hasInstallScript }]) => hasInstallScript).map(([name]) => name)).toEqual([]);
  });

  it('names whose code it contains, with their licences', () => {
    const notices = readFileSync(here.at('package/dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
    for (const name of ['commander', 'valibot', 'undici', 'conf', 'ora', 'chalk', 'cli-progress']) {
      expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(MIT\\)$`, 'm'));
    }
    expect(notices).toContain('Permission is hereby granted');
  });
});

describe('without a package beside it', () => {
  it.each([
    [['extract-text', 'guide.pdf', '-o', 'guide.txt'], 'guide.txt'],
    [['merge', 'guide.pdf', 'guide.pdf', '-o', 'm.pdf'], 'm.pdf'],
    [['split', 'guide.pdf', '--ranges', '1-3', '-o', 's'], 's/pages-001-003.pdf'],
    [['compress', 'guide.pdf', '--lossless', '-o', 'c.pdf'], 'c.pdf'],
    [['pages', 'explain', 'z', 'guide.pdf'], /Pages +86/],
    [['completion', 'bash'], /complete -o filenames/],
    [['config', 'list'], ''],
    [['merge', '--help'], /^Usage: pdftool merge/],
  ])('%j works', async (args, stdout) => {
    const done = await run(...args);
    expect([done.stderr.includes('error'), done.exitCode]).toEqual([false, 0]);
    if (typeof stdout === 'string') expect(done.stdout).toBe(stdout);
    else expect(done.stdout).toMatch(stdout);
  });

  it('compress says that pictures stay as they are, and does not pretend where they were to change', async () => {
    const soft = await run('compress', 'lorem.pdf', '-o', 'd.pdf');
    expect([soft.exitCode, soft.stderr]).toEqual([0, expect.stringContaining('sharp is not installed')]);
    for (const name of ['lorem.pdf', 'guide.pdf']) {
      const asked = await run('compress', name, '--quality', '40', '-o', 'e.pdf');
      expect([asked.exitCode, asked.stderr]).toEqual([24, expect.stringContaining('sharp')]);
    }
  });

  it('compress says nothing of pictures that would stay as they are with sharp too', async () => {
    const done = await run('compress', 'guide.pdf', '-o', 'f.pdf');
    expect([done.exitCode, done.stderr]).toEqual([0, '']);
  });

  it('what needs a package names it, and ends with 24 and no output', async () => {
    const done = await run('audiobook', 'guide.pdf', '-o', 'guide.mp3');
    expect([done.exitCode, done.stdout]).toEqual([24, '']);
    expect(done.stderr).toContain('pdftool doctor --install speech');
  });
});
