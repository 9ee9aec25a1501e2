import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../../src/contract/base/failure.ts';
import { PDF } from '../../src/contract/media.ts';
import { placementAt } from '../../src/mcp/outputs.ts';
import { Sandbox } from '../../src/runtime/files/sandbox.ts';
import { placeResult } from '../../src/runtime/rows/place-result.ts';
import { CLEAN } from '../e2e/pdftool.ts';
import { fixture, Session } from './client.ts';

const posix = process.platform !== 'win32';
let top: string;
/** The folder that may be used; beside it are others that may not. */
let root: string;

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'pdftool-test-sandbox-'));
  root = join(top, 'docs');
  for (const name of ['docs', 'docs-secret', 'outside', 'docs/inner']) mkdirSync(join(top, name));
  const pdf = readFileSync(fixture('lorem-ipsum.pdf'));
  for (const name of ['docs/a.pdf', 'docs-secret/b.pdf', 'outside/c.pdf', 'docs/inner/d.pdf']) {
    writeFileSync(join(top, name), pdf);
  }
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function folderHere() {
  const path = root;
  return { path, list: () => readdirSync(path).sort(), at: (name: string) => join(path, name), [Symbol.dispose]() {} };
}

/** What is in the folders that may not be used, with their content. */
function untouched(): string {
  const names = ['docs-secret', 'outside'].flatMap((folder) =>
    readdirSync(join(top, folder)).map((name) => `${folder}/${name} ${readFileSync(join(top, folder, name)).length}`),
  );
  return JSON.stringify(names);
}

describe.skipIf(!posix)('a name', () => {
  const inputs: [string, () => string][] = [
    ['with ..', () => '../outside/c.pdf'],
    ['with .. behind a folder that is allowed', () => 'inner/../../outside/c.pdf'],
    ['that is absolute', () => join(top, 'outside/c.pdf')],
    ['of a folder whose name begins alike', () => join(top, 'docs-secret/b.pdf')],
    ['of a folder whose name begins alike, by ..', () => '../docs-secret/b.pdf'],
    ['as an address', () => `file://${join(top, 'outside/c.pdf')}`],
    ['as an address with %2e%2e', () => `file://${root}/%2e%2e/outside/c.pdf`],
    ['with a NUL', () => 'a.pdf\0.txt'],
    ['of a person at home', () => '~/.ssh/id_rsa'],
    ['of a device on Windows', () => 'NUL'],
    ['of a device on Windows with an ending', () => 'inner/com1.pdf'],
    ['of a share on Windows', () => '\\\\server\\share\\a.pdf'],
    ['relative to a drive', () => 'C:a.pdf'],
    ['in /proc', () => '/proc/self/environ'],
    ['of a device', () => '/dev/zero'],
    ['through a link to a file', () => linked('l.pdf', '../outside/c.pdf')],
    ['through a link to a folder', () => join(linked('way', '../outside'), 'c.pdf')],
    ['through a link to a link', () => linked('one.pdf', linked('two.pdf', '/etc/passwd'))],
    ['through a link into /proc', () => linked('env.pdf', '/proc/self/environ')],
    ['through a link to a descriptor', () => linked('fd.pdf', '/proc/self/fd/0')],
    ['of a pipe', () => pipe('p.pdf')],
    ['of a folder', () => 'inner'],
    ['that is empty', () => ''],
  ];

  it.each(inputs)('%s is refused as an input, and nothing is read', async (_, name) => {
    await using session = await Session.open({ here: folderHere() });
    const before = untouched();
    for (const [tool, args] of [
      ['pdf_info', { path: name() }],
      ['merge_pdfs', { paths: ['a.pdf', name()] }],
    ] as const) {
      const { isError, record, text } = await session.call(tool, args);
      expect(isError, text).toBe(true);
      expect(['forbidden', 'usage', 'refused', 'not_found'], text).toContain(record.error.code);
      expect(text).not.toMatch(/HOME=|root:x/);
    }
    expect(untouched()).toBe(before);
    expect(readdirSync(root)).not.toContain('merged.pdf');
  });

  const outputs: [string, () => string][] = [
    ['with ..', () => '../outside/new.pdf'],
    ['that is absolute', () => join(top, 'outside/new.pdf')],
    ['in a folder whose name begins alike', () => join(top, 'docs-secret/new.pdf')],
    ['through a link to a folder', () => join(linked('way', '../outside'), 'new.pdf')],
    ['of a link that leads nowhere yet', () => linked('n.pdf', '../outside/new.pdf')],
    ['of a link to a file', () => linked('l.pdf', '../outside/c.pdf')],
    ['with a NUL', () => 'new.pdf\0.sh'],
    ['of a device on Windows', () => 'aux.pdf'],
    ['of a folder', () => 'inner/'],
    ['that is hidden', () => '.bashrc.pdf'],
    ['of the folder itself', () => '.'],
    ['in /dev/shm', () => '/dev/shm/new.pdf'],
    ['of a pipe', () => pipe('p.pdf')],
    ['with another ending', () => 'authorized_keys'],
  ];

  it.each(outputs)('%s is refused as an output, and nothing is written', async (_, name) => {
    await using session = await Session.open({ here: folderHere(), args: ['--allow-overwrite'] });
    const before = untouched();
    const output = name();
    const inside = readdirSync(root).sort();
    for (const overwrite of [false, true]) {
      const { isError, text } = await session.call('rotate_pdf', { path: 'a.pdf', angle: 90, output, overwrite });
      expect(isError, text).toBe(true);
    }
    expect(untouched()).toBe(before);
    expect(readdirSync(root).sort()).toEqual(inside);
  });

  it('inside is taken however it is written', async () => {
    await using session = await Session.open({ here: folderHere() });
    linked('near.pdf', 'inner/d.pdf');
    for (const name of [
      'a.pdf',
      './a.pdf',
      'inner/../a.pdf',
      join(root, 'a.pdf'),
      `file://${root}/a.pdf`,
      'near.pdf',
      'inner/d.pdf',
    ]) {
      const { record, text } = await session.call('pdf_info', { path: name });
      expect(record.page_count, `${name}: ${text}`).toBe(4);
    }
  });

  it('in a second folder is taken where that folder was named', async () => {
    const args = ['--root', root, '--root', join(top, 'outside'), '--out-dir', join(top, 'made')];
    await using session = await Session.open({ here: folderHere(), args });
    const { record } = await session.call('rotate_pdf', { path: '../outside/c.pdf', angle: 90 });
    expect(record.path).toBe(join(top, 'made/c-rotated.pdf'));
    expect(existsSync(record.path)).toBe(true);
  });

  it.each([['SERVICE_API_OUTPUT_DIR'], ['SERVICE_MERGE_OUTPUT_DIR'], ['PDFTOOL_OUTPUT_DIR']])(
    'that nobody gave puts outputs into the folder of %s',
    async (variable) => {
      await using session = await Session.open({
        here: folderHere(),
        env: { ...CLEAN, [variable]: join(top, 'made') },
      });
      const { record } = await session.call('rotate_pdf', { path: 'a.pdf', angle: 90 });
      expect(record.path).toBe(join(top, 'made/a-rotated.pdf'));
      const { record: info } = await session.call('pdf_info', { path: record.path });
      expect(info.page_count).toBe(4);
    },
  );
});

describe.skipIf(!posix)('a path that changes while it is used', () => {
  it('never leads to a file outside: a link that another thread turns to and fro', async () => {
    const secret = join(top, 'outside/secret.pdf');
    writeFileSync(secret, 'SECRET'.repeat(1000));
    const sandbox = new Sandbox([root], root);
    const turning = turnAround(join(root, 'turn.pdf'), 'a.pdf', secret);
    let opened = 0;
    let refused = 0;
    try {
      const until = Date.now() + 4_000;
      while (Date.now() < until) {
        const workspace = sandbox.workspace();
        try {
          const { source } = sandbox.source('turn.pdf', [PDF], workspace);
          const bytes = Buffer.alloc(6);
          source.read(bytes, 0);
          expect(bytes.toString('latin1')).toBe('%PDF-1');
          opened += 1;
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          refused += 1;
        } finally {
          workspace.close();
        }
      }
    } finally {
      await turning();
    }
    // Both were seen, or nothing was tried.
    expect(opened).toBeGreaterThan(10);
    expect(refused).toBeGreaterThan(10);
  });

  it('never has an output written outside: a folder that is exchanged for a link', async () => {
    const sandbox = new Sandbox([root], root);
    const turning = turnAround(join(root, 'out'), 'inner', join(top, 'outside'));
    const before = untouched();
    let made = 0;
    try {
      const until = Date.now() + 4_000;
      while (Date.now() < until) {
        const workspace = sandbox.workspace();
        try {
          const place = sandbox.place('out/new.pdf', 'x.pdf', false);
          try {
            const body = workspace.temp({ parent: place.folder.path, name: 'new.pdf' }).create('body');
            body.write(Buffer.from('%PDF-'));
            const placement = placementAt(place, workspace, new AbortController().signal);
            await placeResult({ kind: 'bytes', mediaType: PDF, body: body.finish() }, placement);
            made += 1;
          } finally {
            place.folder.close();
          }
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
        } finally {
          workspace.close();
        }
      }
    } finally {
      await turning();
    }
    expect(made).toBeGreaterThan(10);
    expect(untouched()).toBe(before);
  });

  it('is held: what is exchanged after it was looked at changes nothing', () => {
    const sandbox = new Sandbox([root], root);
    const place = sandbox.place('inner/new.pdf', 'x.pdf', false);
    renameSync(join(root, 'inner'), join(root, 'moved'));
    symlinkSync(join(top, 'outside'), join(root, 'inner'));
    const { path } = place.target('new.pdf');
    writeFileSync(path, 'here');
    place.folder.close();
    expect(readdirSync(join(top, 'outside'))).toEqual(['c.pdf']);
    expect(readFileSync(join(root, 'moved/new.pdf'), 'utf8')).toBe('here');
  });
});

it.skipIf(!posix)('another file system inside is another place', () => {
  // /proc stands for any that is mounted there; the folders of a server are on one file system each.
  const sandbox = new Sandbox(['/'], root);
  const workspace = sandbox.workspace();
  expect(() => sandbox.source('/proc/self/environ', [PDF], workspace)).toThrow(/outside/);
  workspace.close();
});

it.skipIf(!posix)('a server is not given the whole disk because it was started there', async () => {
  let failed = '';
  try {
    execFileSync(process.execPath, [fixture('../../bin/pdftool.js'), 'mcp'], {
      cwd: '/',
      env: CLEAN,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    failed = String((error as { stderr: Buffer }).stderr);
  }
  expect(failed).toMatch(/whole disk.*--root/s);
});

function linked(name: string, to: string): string {
  rmSync(join(root, name), { force: true });
  symlinkSync(to, join(root, name));
  return name;
}

function pipe(name: string): string {
  if (!existsSync(join(root, name))) execFileSync('mkfifo', [join(root, name)]);
  return name;
}

/** Has another thread put two links in turn under one name, each by a rename, as fast as it can. */
function turnAround(path: string, one: string, other: string): () => Promise<number> {
  const worker = new Worker(
    `const { symlinkSync, renameSync } = require('node:fs');
     const { workerData: [path, one, other] } = require('node:worker_threads');
     const end = Date.now() + 20_000;
     for (let n = 0; Date.now() < end; n += 1) {
       symlinkSync(n % 2 ? one : other, path + '.next');
       renameSync(path + '.next', path);
     }`,
    { eval: true, workerData: [path, one, other] },
  );
  return () => worker.terminate();
}
