// Holds that protection and what a document has besides its pages are offered by `serve` too, and that a password is sent
// to it alone and kept by nobody.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLEAN, type Folder, folder, pdftool } from '../e2e/pdftool.ts';
import { type Rig, startRig } from '../serve/rig.ts';

const LOREM = join(import.meta.dirname, '../fixtures/lorem-ipsum.pdf');
const SECRET = 'correct horse battery';

let server: Rig;
let here: Folder;
beforeAll(async () => {
  server = await startRig();
  here = folder();
  writeFileSync(here.at('secret.txt'), `${SECRET}\n`);
  writeFileSync(here.at('Übergröße.csv'), 'a,b\n');
});
afterAll(async () => {
  here[Symbol.dispose]();
  await server.close();
});

async function remote(...args: readonly string[]) {
  const env = { ...CLEAN, PDFTOOL_BASE_URL: server.url, PDFTOOL_API_KEY: server.key, XDG_STATE_HOME: here.at('state') };
  const run = await pdftool([...args, '--remote', '--debug', '--force'], { cwd: here.path, env });
  expect(`${run.stdout}${run.stderr}`).not.toContain(SECRET);
  return run;
}

const said = (program: string, ...args: readonly string[]) =>
  execFileSync(program, [...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

describe('a pdftool serve', () => {
  it('encrypts and decrypts', async () => {
    const locked = await remote('encrypt', LOREM, '--user-password-file', 'secret.txt', '-o', 'locked.pdf');
    expect(locked.exitCode, locked.stderr).toBe(0);
    expect(said('qpdf', `--password=${SECRET}`, '--show-encryption', here.at('locked.pdf'))).toMatch(/^R = 6$/m);
    const none = await remote('decrypt', 'locked.pdf', '-o', 'open.pdf');
    expect(none.exitCode).toBe(7);
    const open = await remote('decrypt', 'locked.pdf', '--password-file', 'secret.txt', '-o', 'open.pdf');
    expect(open.exitCode, open.stderr).toBe(0);
    expect(said('qpdf', '--show-encryption', here.at('open.pdf'))).toContain('not encrypted');
    const kept = readdirSync(here.at('state'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
    expect(kept.join()).not.toContain(SECRET);
  });

  it('needs a password for it, as an error of the request', async () => {
    const form = new FormData();
    form.append('file', new Blob([readFileSync(LOREM)]), 'in.pdf');
    const answer = await server.send('/api/v1/encrypt', { method: 'POST', body: form });
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringMatching(/needs at least one of user_password, owner_password/),
    ]);
  });

  it('puts files in and takes them out under their names, and sets what a document says of itself', async () => {
    const full = await remote('attach', 'add', LOREM, 'Übergröße.csv', '-o', 'full.pdf');
    expect(full.exitCode, full.stderr).toBe(0);
    expect(said('pdfdetach', '-list', here.at('full.pdf'))).toMatch(/1: Übergröße\.csv/);
    const out = await remote('attach', 'extract', 'full.pdf', '-o', 'out');
    expect(out.exitCode, out.stderr).toBe(0);
    expect(readFileSync(here.at('out/Übergröße.csv'), 'utf8')).toBe('a,b\n');
    const titled = await remote('meta', 'set', LOREM, '--title', 'Neu', '-o', 'titled.pdf');
    expect(titled.exitCode, titled.stderr).toBe(0);
    expect((await remote('meta', 'show', 'titled.pdf')).stdout).toMatch(/^Title +Neu$/m);
    const marked = await remote('bookmarks', 'set', LOREM, '--bookmarks', 'Eins\t1', '-o', 'marked.pdf');
    expect(marked.exitCode, marked.stderr).toBe(0);
    expect((await remote('bookmarks', 'show', 'marked.pdf')).stdout).toBe('Eins\t1\n');
    const labelled = await remote('labels', 'set', LOREM, '--labels', '1:r', '-o', 'labelled.pdf');
    expect(labelled.exitCode, labelled.stderr).toBe(0);
    expect((await remote('labels', 'show', 'labelled.pdf')).stdout).toBe('1:r\n');
  });
});
