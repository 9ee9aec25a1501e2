// The action as GitHub runs it: its script, with the environment of a runner.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FIXTURES, project, ROOT } from './project.ts';

const home = project();
const work = join(home, 'work');
mkdirSync(work);
copyFileSync(join(FIXTURES, 'rotated-270.pdf'), join(work, 'a.pdf'));

function run(lines: string, name: string) {
  const at = (file: string) => join(home, `${name}-${file}`);
  const env = { PATH: process.env.PATH, HOME: home, RUNNER_TEMP: home, PDFTOOL_ENGINE: 'local', PDFTOOL_RUN: lines };
  const files = { GITHUB_PATH: at('path'), GITHUB_STEP_SUMMARY: at('summary') };
  const args = [join(ROOT, '.github/action.sh'), 'run'];
  const { status, stderr } = spawnSync('bash', args, { cwd: work, env: { ...env, ...files }, encoding: 'utf8' });
  const written = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  return { status, stderr, path: written(files.GITHUB_PATH), summary: written(files.GITHUB_STEP_SUMMARY) };
}

it('runs the lines, and tells the sizes of what they made', () => {
  const done = run('pdftool merge a.pdf a.pdf -o "b c.pdf"\npdftool rotate a.pdf --angle 90 -o a.pdf --force', 'well');
  expect([done.status, done.stderr]).toEqual([0, '']);
  expect(done.summary).toMatch(/^\| a\.pdf \| \d+\.\d KB \| 0\.9 KB \|$/m);
  expect(done.summary).toMatch(/^\| b c\.pdf \| \d+\.\d KB \| {2}\|$/m);
  expect(done.path.trim()).toBe(join(home, 'pdftool-commands'));
});

it('ends as the line that failed, and says so in the summary', () => {
  const done = run('pdftool info nowhere.pdf\npdftool info a.pdf', 'badly');
  expect([done.status, done.stderr]).toEqual([6, expect.stringContaining('nowhere.pdf')]);
  expect(done.summary).toContain('exit code 6');
});
