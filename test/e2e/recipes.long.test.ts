// Runs the recipes of README.md and docs/service.md as a person pastes them into a shell, each on files of its own.
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { PDFDocument } from 'pdf-lib';
import { afterEach, describe, expect, it } from 'vitest';
import { formatSize } from '../../src/runtime/terminal/units.ts';
import { killServers, serve } from '../serve/program.ts';
import { CLEAN, type Folder, folder, PROGRAM, pdftool } from './pdftool.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const FIXTURES = join(ROOT, 'test/fixtures');
/** One recipe reads the report of a batch with it. */
const JQ = 'jq';
/** Milliseconds: 72 sentences take half a minute on an idle machine. */
const TIMEOUT = 900_000;
afterEach(killServers);

interface Recipe {
  readonly title: string;
  readonly kind: 'sh' | 'console';
  readonly text: string;
}

/** The shell blocks of a document, or of one section of it, with the bold words before each. */
function recipesOf(document: string, section?: string): Recipe[] {
  const all = readFileSync(join(ROOT, document), 'utf8');
  const text = section === undefined ? all : (all.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? '');
  return [...text.matchAll(/([\s\S]*?)```(sh|console)\n([\s\S]*?)```/g)].map(([, before = '', kind, block = '']) => ({
    title: [...before.matchAll(/\*\*(.+?)\*\*|^## (.+)$/gm)].map(([, bold, head]) => bold ?? head).at(-1) ?? '',
    kind: kind === 'sh' ? 'sh' : 'console',
    text: block,
  }));
}

/** What the recipes read: each name that they use for an input. */
async function inputs(here: Folder, text = ''): Promise<void> {
  for (const name of ['guide.pdf', 'lorem-ipsum.pdf']) copyFileSync(join(FIXTURES, name), here.at(name));
  for (const name of ['report.pdf', 'fronts.pdf', 'backs.pdf', 'a.pdf', 'b.pdf']) {
    copyFileSync(join(FIXTURES, 'lorem-ipsum.pdf'), here.at(name));
  }
  mkdirSync(here.at('docs'));
  for (const name of ['one.pdf', 'two.pdf']) copyFileSync(join(FIXTURES, 'lorem-ipsum.pdf'), here.at(`docs/${name}`));
  writeFileSync(here.at('secret.txt'), 'a long password\n');
  writeFileSync(here.at('people.csv'), 'Name\nAda\nGrace\n');
  const letter = await PDFDocument.create();
  letter.getForm().createTextField('Name').addToPage(letter.addPage());
  writeFileSync(here.at('letter.pdf'), await letter.save());
  // What the first recipe makes.
  if (text.includes('compress book.pdf')) {
    await pdftool(['merge', 'guide.pdf', 'lorem-ipsum.pdf', '-o', 'book.pdf', '--bookmarks'], { cwd: here.path });
  }
  mkdirSync(here.at('.bin'));
  writeFileSync(here.at('.bin/pdftool'), `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`);
  chmodSync(here.at('.bin/pdftool'), 0o755);
}

/** Runs lines in bash, which ends at the first one that fails. */
async function shell(here: Folder, script: string, env: Readonly<Record<string, string>> = {}) {
  const run = await execa('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: here.path,
    env: { ...CLEAN, PATH: `${here.at('.bin')}:${CLEAN.PATH}`, PDFTOOL_CACHE_DIR: here.at('.cache'), ...env },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  });
  expect([script, run.exitCode, run.stderr]).toEqual([script, 0, run.stderr]);
  return run;
}

/** Holds the lines that README shows below its commands against what is there after them. */
async function checkShown(here: Folder, shown: readonly string[], stdout: string, stderr: string): Promise<void> {
  for (const [i, line] of shown.entries()) {
    const facts = /^✓ (\d+) pages, ([\d.]+ [KM]B)/.exec(line);
    if (facts !== null) {
      // A terminal is told this of the file on the line before.
      const name = shown[i - 1] ?? '';
      const { stdout: record } = await pdftool(['info', name, '--json'], { cwd: here.path });
      const { page_count } = JSON.parse(record) as { page_count: number };
      expect([name, page_count, formatSize(statSync(here.at(name)).size)]).toEqual([name, Number(facts[1]), facts[2]]);
    } else if (line.startsWith('{')) expect(stdout.split('\n')).toContain(line);
    else if (line.startsWith('speak: ')) expect(stderr).toMatch(/^speak: \d+ of 72 sentences, chapter \d of 5, /m);
    else {
      expect(stdout.split('\n')).toContain(line);
      expect(existsSync(here.at(line))).toBe(true);
    }
  }
}

/** What each block of commands without shown output leaves behind, by the title of its recipe. */
const MADE: Readonly<Record<string, readonly string[]>> = {
  'What people look for most.': [
    ...['some.pdf', 'scan.pdf', 'report-encrypted.pdf', 'report-numbered.pdf', 'report-stamped.pdf'],
    ...['letters/Ada.pdf', 'letters/Grace.pdf'],
  ],
  'A CI job.': ['report.ndjson', 'site/pdf/one-compressed.pdf', 'site/pdf/two-compressed.pdf'],
};

describe('the recipes of README.md', () => {
  const recipes = recipesOf('README.md', 'Recipes');

  it('are those that this test knows', () => {
    expect(recipes.length).toBeGreaterThan(5);
    const plain = recipes.filter(({ kind }) => kind === 'sh').map(({ title }) => title);
    expect(plain.toSorted()).toEqual(Object.keys(MADE).toSorted());
  });

  it.each(recipes)('$title', { timeout: TIMEOUT }, async ({ title, kind, text }) => {
    using here = folder();
    await inputs(here, text);
    if (kind === 'sh') {
      if (text.includes(`\n${JQ} `)) expect((await execa(JQ, ['--version'])).exitCode).toBe(0);
      await shell(here, text);
      for (const name of MADE[title] ?? []) expect([name, existsSync(here.at(name))]).toEqual([name, true]);
      return;
    }
    const lines = text.trimEnd().split('\n');
    const commands = lines.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2));
    const { stdout, stderr } = await shell(here, commands.join('\n'));
    const shown = lines.filter((line) => !line.startsWith('$ '));
    expect(shown.length).toBeGreaterThan(0);
    await checkShown(here, shown, stdout, stderr);
  });
});

it('the completion that README installs is one that bash takes', async () => {
  using here = folder();
  await inputs(here);
  const line = readFileSync(join(ROOT, 'README.md'), 'utf8').match(/^source <\(pdftool [^)]*\)/m)?.[0] ?? '';
  const { stdout } = await shell(here, `${line}\ncomplete -p pdftool`);
  expect(stdout).toContain('pdftool');
});

it('the recipes of docs/service.md run on a server', { timeout: TIMEOUT }, async () => {
  using data = folder();
  const server = await serve(data);
  const env = {
    PDFTOOL_BASE_URL: server.url,
    PDFTOOL_API_KEY: String(server.key),
    XDG_CONFIG_HOME: data.at('config'),
    PDFTOOL_SERVE_DATA: data.at('data'),
  };
  const { stdout: keys } = await pdftool(['serve', 'keys', 'list', '--json'], { env: { ...CLEAN, ...env } });
  const id = /"id":"([^"]+)"/.exec(keys)?.[1] ?? '';
  const recipes = recipesOf('docs/service.md');
  expect(recipes.map(({ title }) => title)).toEqual(['Two engines', 'Money', 'Your own service']);
  let said = '';
  for (const { text } of recipes) {
    using here = folder();
    await inputs(here);
    const lines = text
      .replace('https://service.example', server.url)
      .replace('KEY_ID', id)
      // The server runs already, and its key is in the environment.
      .replace(/^(pdftool serve +#|export ).*\n/gm, '')
      // A person types the key; a script pipes it.
      .replace(/^pdftool auth login [^#\n]*/m, 'printenv PDFTOOL_API_KEY | $&--with-token ');
    said += (await shell(here, lines, env)).stdout;
    if (!lines.includes('turned.pdf')) continue;
    const turned = await PDFDocument.load(readFileSync(here.at('turned.pdf')));
    expect(turned.getPage(0).getRotation().angle).toBe(90);
  }
  expect(said).toMatch(/Credits remaining +20/);
  expect(said).toMatch(/Charges +1 credit/);
  const { stdout: account } = await pdftool(['account', '--json'], { env: { ...CLEAN, ...env } });
  // Two merges and a rotation were paid, and 1,000 credits granted.
  expect(JSON.parse(account)).toMatchObject({ credits_remaining: 20 - 3 + 1000 });
});
