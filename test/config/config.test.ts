// The configuration on a real disk: modes, precedence, damage, and many writers at once in processes of their own.
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../../src/contract/base/failure.ts';
import { configFolder } from '../../src/runtime/folders/user-folders.ts';
import { chooseProfile, openConfig } from '../../src/runtime/settings/config.ts';
import { findKey, keysPath, removeKey, storeKey } from '../../src/runtime/settings/keys.ts';

const root = mkdtempSync(join(tmpdir(), 'pdftool-config-'));
afterAll(() => rmSync(root, { recursive: true }));

let environment: Record<string, string>;
let folder: string;
let count = 0;
beforeEach(() => {
  const home = join(root, String((count += 1)));
  environment = { XDG_CONFIG_HOME: home };
  folder = join(home, 'pdftool');
});

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
const KEY = 'sk_live_abcdefghijklmnop';

describe('the folder', () => {
  it.each([
    [{ XDG_CONFIG_HOME: '/x' }, '/x/pdftool'],
    [{ XDG_CONFIG_HOME: 'relative' }, /\/\.config\/pdftool$/],
    [{}, /\/\.config\/pdftool$/],
    [{ XDG_CONFIG_HOME: '/x', PDFTOOL_CONFIG_DIR: '/y' }, '/y'],
  ])('%j', (given, expected) => {
    const { path } = configFolder(given);
    if (typeof expected === 'string') expect(path).toBe(expected);
    else expect(path).toMatch(expected);
  });
});

describe('files', () => {
  it('are private, whatever the umask and whatever was there', async () => {
    const before = process.umask(0);
    try {
      mkdirSync(folder, { recursive: true, mode: 0o777 });
      await openConfig(environment).set('engine', 'local', 'default');
      await storeKey('default', KEY, environment);
      chmodSync(join(folder, 'keys.json'), 0o644);
      await storeKey('work', KEY, environment);
    } finally {
      process.umask(before);
    }
    expect([mode(folder), mode(join(folder, 'config.json')), mode(join(folder, 'keys.json'))]).toEqual([
      '700',
      '600',
      '600',
    ]);
    expect(readdirSync(folder).sort()).toEqual(['config.json', 'keys.json']);
  });

  it('a folder that the person chose keeps its mode', async () => {
    const chosen = join(root, 'chosen');
    mkdirSync(chosen);
    chmodSync(chosen, 0o755);
    await openConfig({ PDFTOOL_CONFIG_DIR: chosen }).set('engine', 'local', 'default');
    expect([mode(chosen), mode(join(chosen, 'config.json'))]).toEqual(['755', '600']);
  });

  it.each([
    ['{"engine": "local",\n oops', /config\.json is damaged: it is no JSON/],
    ['[]', /expected a JSON object/],
    ['', /is damaged/],
  ])('damaged as %j: a clear message, and it is not overwritten', async (text, message) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'config.json'), text);
    const config = openConfig(environment);
    expect(() => config.list()).toThrow(message);
    await expect(config.set('engine', 'local', 'default')).rejects.toThrow(message);
    expect(readFileSync(join(folder, 'config.json'), 'utf8')).toBe(text);
    expect(readdirSync(folder)).toEqual(['config.json']);
  });

  it('a damaged file of keys is not quoted', () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'keys.json'), `{"default": ${KEY}}`);
    const error = caught(() => findKey('default', environment));
    expect([error.exit, error.message]).toEqual([2, expect.stringMatching(/keys\.json is damaged/)]);
    expect(`${error.message}${error.stack}${error.cause}`).not.toContain('abcdefgh');
  });
});

describe('settings', () => {
  it('are kept by profile where they belong to a service', async () => {
    const config = openConfig(environment);
    await config.set('base_url', 'https://a.example', 'default');
    await config.set('base_url', 'https://b.example', 'work');
    await config.set('max_credits', '5', 'work');
    expect([
      config.get('base_url', 'default'),
      config.get('base_url', 'work'),
      config.get('max_credits', 'default'),
    ]).toEqual(['https://a.example', 'https://b.example', 5]);
    expect(config.list()).toEqual({
      'profiles.default.base_url': 'https://a.example',
      'profiles.work.base_url': 'https://b.example',
      max_credits: 5,
    });
    expect(await config.unset('base_url', 'work')).toBe(true);
    expect(await config.unset('base_url', 'work')).toBe(false);
    expect(config.get('base_url', 'work')).toBeUndefined();
  });

  it.each([
    ['engine', 'cloud', /engine: expected one of auto, local, remote, found 'cloud'/],
    ['max_credits', '-1', /expected a whole number/],
    ['profile', '../x', /expected letters/],
    ['api_key', KEY, /no setting named api_key/],
    ['constructor', 'x', /no setting named constructor/],
  ])('%s %s is refused, and nothing is written', async (key, value, message) => {
    const error = await openConfig(environment)
      .set(key, value, 'default')
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Failure);
    expect(String(error)).toMatch(message);
    expect(existsSync(folder)).toBe(false);
  });

  it('a hint for a key names auth login', () => {
    expect(caught(() => openConfig(environment).get('api_key', 'default')).hint).toContain('pdftool auth login');
  });

  it('what was written by hand is checked, and what is unknown is kept', async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'config.json'), '{"engine": 5, "mine": {"deep": [1]}}');
    const config = openConfig(environment);
    expect(() => config.get('engine', 'default')).toThrow(/engine: expected one of/);
    await config.set('engine', 'local', 'default');
    expect(JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'))).toEqual({
      engine: 'local',
      mine: { deep: [1] },
    });
  });

  it('choose the profile', async () => {
    const config = openConfig(environment);
    expect(chooseProfile(undefined, config)).toBe('default');
    await config.set('profile', 'work', 'default');
    expect([chooseProfile(undefined, config), chooseProfile('home', config)]).toEqual(['work', 'home']);
    expect(() => chooseProfile('a b', config)).toThrow(/cannot name a profile/);
  });
});

describe('keys', () => {
  it('come from the environment, a file, or the store, in this order', async () => {
    expect(findKey('default', environment)).toBeUndefined();
    await storeKey('default', KEY, environment);
    await storeKey('work', 'sk_test_work', environment);
    expect(findKey('default', environment)).toEqual({ key: KEY, source: `${keysPath(environment)}, profile default` });
    expect(findKey('work', environment)?.key).toBe('sk_test_work');
    const file = join(root, 'key.txt');
    writeFileSync(file, 'sk_test_file\n');
    const withFile = { ...environment, PDFTOOL_API_KEY_FILE: file };
    expect(findKey('default', withFile)?.key).toBe('sk_test_file');
    const withOld = { ...withFile, SERVICE_API_KEY: 'sk_test_old' };
    expect(findKey('default', withOld)?.source).toBe('SERVICE_API_KEY');
    expect(findKey('default', { ...withOld, PDFTOOL_API_KEY: 'sk_test_env' })?.key).toBe('sk_test_env');
    expect(findKey('__proto__', environment)).toBeUndefined();
  });

  it('a key file that is not there is exit 4, naming it', () => {
    const error = caught(() => findKey('default', { PDFTOOL_API_KEY_FILE: '/no/such/key' }));
    expect([error.exit, error.message]).toEqual([4, expect.stringContaining('/no/such/key')]);
  });

  it('are forgotten one by one', async () => {
    await storeKey('a', KEY, environment);
    await storeKey('b', KEY, environment);
    expect([await removeKey('a', environment), await removeKey('a', environment)]).toEqual([true, false]);
    expect([findKey('a', environment), findKey('b', environment)?.key]).toEqual([undefined, KEY]);
    expect(readFileSync(keysPath(environment), 'utf8')).not.toContain('"a"');
  });
});

describe('many writers', () => {
  const built = join(root, 'writer.mjs');
  const source = join(import.meta.dirname, 'writer.ts');
  const banner = {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  };
  buildSync({
    entryPoints: [source],
    outfile: built,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    banner,
    logLevel: 'error',
  });
  const run = (...args: string[]) =>
    new Promise<number | null>((resolve) => {
      spawn(process.execPath, [built, ...args], { env: { ...process.env, ...environment }, stdio: 'inherit' }).on(
        'close',
        resolve,
      );
    });

  it('twenty processes at once lose nothing', async () => {
    const codes = await Promise.all(Array.from({ length: 20 }, (_, index) => run('write', `p${index}`, '5')));
    expect(codes).toEqual(Array.from({ length: 20 }, () => 0));
    const kept = JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8'));
    expect(Object.keys(kept)).toHaveLength(20 * 5);
    expect(readdirSync(folder)).toEqual(['keys.json']);
  });

  it('a holder that was killed does not stop the others', async () => {
    mkdirSync(folder, { recursive: true });
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    writeFileSync(join(folder, '.keys.lock'), `${pid} ${hostname()} dead\n`);
    const codes = await Promise.all(Array.from({ length: 10 }, (_, index) => run('write', `p${index}`, '1')));
    expect(codes).toEqual(Array.from({ length: 10 }, () => 0));
    expect(Object.keys(JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8')))).toHaveLength(10);
  });

  it('a lock of another machine is left alone until it is old', async () => {
    mkdirSync(folder, { recursive: true });
    const lock = join(folder, '.keys.lock');
    writeFileSync(lock, '1 another-host alive\n');
    const writing = run('write', 'p', '1');
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(existsSync(join(folder, 'keys.json'))).toBe(false);
    utimesSync(lock, new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
    expect(await writing).toBe(0);
    expect(existsSync(join(folder, 'keys.json'))).toBe(true);
  });
});

function caught(work: () => unknown): Failure {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('it worked');
}
