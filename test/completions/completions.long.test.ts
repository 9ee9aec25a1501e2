// Completions in real shells: keys typed on a terminal, and what pdftool would then have been given.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { describeProgram } from '../../src/cli/shape.ts';
import { COMPLETIONS, SHELLS } from '../../src/derive/completions/all.ts';
import { everyCommand } from '../../src/derive/shape.ts';
import { CLEAN, type Folder, folder, PROGRAM, pdftool } from '../e2e/pdftool.ts';

const TYPE = resolve(import.meta.dirname, 'type.py');
const FIXTURE = resolve(import.meta.dirname, '../fixtures/rotated-270.pdf');
const has = (program: string) => spawnSync(program, ['--version']).status === 0;

/** What is typed, and what pdftool is given; '' where the line is only cancelled. */
const LINES: readonly (readonly [string, string])[] = [
  ['pdftool mer<TAB> my<TAB> x', '<merge><my file.pdf><x>'],
  ['pdftool rota<TAB> --ang<TAB> 90', '<rotate><--angle><90>'],
  ['pdftool markdown --mode r<TAB>', '<markdown><--mode><rag>'],
  ['pdftool markdown --mode=r<TAB>', '<markdown><--mode=rag>'],
  ['pdftool images-to-pdf ph<TAB>', '<images-to-pdf><photo.JPG>'],
  ['pdftool images-to-pdf my<TAB>', '<images-to-pdf><my>'],
  ['pdftool text -q --out-dir su<TAB>', '<text><-q><--out-dir><sub/>'],
  ['pdftool info sub/<TAB>', '<info><sub/deep.pdf>'],
  ['pdftool config set eng<TAB> local', '<config><set><engine><local>'],
  ['pdftool --profile wo<TAB> account', '<--profile><work><account>'],
  ['pdftool -o merge auth logi<TAB> x', '<-o><merge><auth><login><x>'],
  ['pdftool pages expl<TAB> 1-3 my<TAB>', '<pages><explain><1-3><my file.pdf>'],
  ['pdftool completion f<TAB>', '<completion><fish>'],
  ['pdftool help mon<TAB>', '<help><money>'],
  // File names and profiles are data, whatever is in them, and so is what is typed.
  ["pdftool merge 'z$<TAB>", '<merge><z$(touch pwned).pdf>'],
  ['pdftool merge "$(touch pwned)<TAB><CANCEL>', ''],
  ['pdftool merge `touch pwned`<TAB><CANCEL>', ''],
  ['pdftool $(touch pwned) <TAB><CANCEL>', ''],
  ['pdftool --profile $(touch pwned)<TAB><CANCEL>', ''],
  ['pdftool --profile ev<TAB><CANCEL>', ''],
];

function setUp(): Folder {
  const here = folder();
  mkdirSync(here.at('work/sub'), { recursive: true });
  for (const name of ['my file.pdf', 'z$(touch pwned).pdf', 'sub/deep.pdf'])
    copyFileSync(FIXTURE, here.at(`work/${name}`));
  for (const name of ['photo.JPG', 'notes.txt']) writeFileSync(here.at(`work/${name}`), 'x');
  mkdirSync(here.at('bin'));
  chmodSync(PROGRAM, 0o755);
  symlinkSync(PROGRAM, here.at('bin/pdftool'));
  mkdirSync(here.at('config'));
  const profiles = { work: { base_url: 'https://a.example' }, 'evil$(touch pwned)': { base_url: 'https://b.example' } };
  writeFileSync(here.at('config/config.json'), JSON.stringify({ profiles }), { mode: 0o600 });
  return here;
}

const THERE = (['bash', 'zsh', 'fish'] as const).filter((shell) => has(shell) && has('python3'));

describe('keys typed on a terminal (shells that are not installed are left out)', () => {
  it.concurrent.each(THERE)('%s', async (shell) => {
    using here = setUp();
    const script = here.at(COMPLETIONS[shell].file);
    writeFileSync(script, (await pdftool(['completion', shell])).stdout);
    const env = {
      ...CLEAN,
      PATH: `${here.at('bin')}:${CLEAN.PATH}`,
      HOME: here.path,
      PDFTOOL_CONFIG_DIR: here.at('config'),
    };
    const typed = await execa('python3', [TYPE, shell, here.at('work'), script], {
      input: LINES.map(([line]) => `${line}\n`).join(''),
      env,
      extendEnv: false,
      stripFinalNewline: false,
    });
    const given = typed.stdout.split('\n').slice(0, -1);
    // zsh takes the slash off again when the line is run.
    const expected = LINES.map(([, words]) => (shell === 'zsh' ? words.replace('sub/>', 'sub>') : words));
    expect(LINES.map(([line], index) => [line, given[index]])).toEqual(
      LINES.map(([line], index) => [line, expected[index]]),
    );
    const listed = await execa('ls', [here.at('work')]);
    expect(listed.stdout.split('\n')).not.toContain('pwned');
  });
});

describe.each(SHELLS)('%s', (shell) => {
  const text = COMPLETIONS[shell].make(describeProgram());

  it('knows every command and option', () => {
    for (const command of everyCommand(describeProgram())) {
      expect(text).toContain(command.name);
      for (const { long } of command.options) if (long !== undefined) expect(text).toContain(long.replace(/^--/, ''));
    }
  });

  it('evaluates nothing, and asks the program only for what it alone knows', () => {
    expect(text.replace(/^#.*$/gm, '')).not.toMatch(/\beval\b|Invoke-Expression|\biex\b/);
    expect([...text.matchAll(/pdftool __complete (\S+)/g)].length).toBeGreaterThan(0);
  });

  it('is what `completion` prints', async () => {
    expect((await pdftool(['completion', shell])).stdout).toBe(text);
  });
});

it('bash 3.2 understands it: nothing newer is used', () => {
  const text = readFileSync(resolve(import.meta.dirname, '../../completions/pdftool.bash'), 'utf8');
  expect(text).not.toMatch(
    /compopt|mapfile|readarray|declare -A|local -A|\$\{\w+(,,|\^\^|@)|&>>|\|&|\bcoproc\b|;;&|;&/,
  );
});

it.each([
  [['completion', 'fis'], 'Did you mean fish?'],
  [['completion'], 'Run pdftool completion --help.'],
])('%j is refused', async (args, hint) => {
  const run = await pdftool(args);
  expect([run.exitCode, run.stderr]).toEqual([2, expect.stringContaining(hint)]);
});

describe('__complete', () => {
  it('offers profiles, settings and nothing it does not know', async () => {
    using here = setUp();
    const env = { ...CLEAN, PDFTOOL_CONFIG_DIR: here.at('config') };
    const ask = async (what: string) => (await pdftool(['__complete', what], { env })).stdout;
    expect(await ask('profiles')).toBe('default\nwork\nevil$(touch pwned)\n');
    expect(await ask('settings')).toMatch(/^engine\n/m);
    expect(await ask('else')).toBe('');
  });

  it('says nothing where the configuration is damaged', async () => {
    using here = setUp();
    writeFileSync(here.at('config/config.json'), '{');
    const run = await pdftool(['__complete', 'profiles'], { env: { ...CLEAN, PDFTOOL_CONFIG_DIR: here.at('config') } });
    expect([run.exitCode, run.stdout, run.stderr]).toEqual([0, '', '']);
  });

  it('is in no help', async () => {
    expect((await pdftool(['--help'])).stdout).not.toMatch(/__complete|__worker/);
  });
});
