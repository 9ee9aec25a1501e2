// The library as callers have it: dist/library.mjs, called in this process.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { PdftoolError as Thrown } from '../golden/library.d.ts';
import { FIXTURES, type Library, project, ROOT, runScript } from './project.ts';

const library: Library = await import(join(ROOT, 'dist/library.mjs'));
const { info, merge, split, compress, rotate, encrypt, markdown, PdftoolError } = library;
const here = project();
const at = (name: string) => join(here, name);
const lorem = join(FIXTURES, 'lorem-ipsum.pdf');
const bytes = readFileSync(lorem);

async function failure(work: Promise<unknown>): Promise<Thrown> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof PdftoolError)) throw new TypeError(`expected a PdftoolError, found ${error}`);
  return error;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describe('what goes in', () => {
  it.each([
    ['a path', lorem],
    ['a URL', pathToFileURL(lorem)],
    ['bytes', new Uint8Array(bytes)],
    ['an ArrayBuffer', bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer],
    ['a Blob', new Blob([bytes])],
    ['a stream of Node', Readable.from([bytes.subarray(0, 1000), bytes.subarray(1000)])],
    ['a ReadableStream', new Blob([bytes]).stream() as ReadableStream<Uint8Array>],
    ['a named one', { name: 'named.pdf', data: bytes }],
  ])('may be %s', async (_, input) => {
    expect((await info(input)).page_count).toBe(4);
  });

  it('is named in messages, and names the output', async () => {
    const broken = await failure(info({ name: 'broken.pdf', data: Buffer.from('no PDF') }));
    expect([broken.code, broken.kind, broken.message]).toEqual([
      'unprocessable',
      'not-pdf',
      expect.stringMatching(/^broken\.pdf/),
    ]);
    expect((await rotate({ name: 'deed.pdf', data: bytes }, { angle: 90 })).name).toBe('deed-rotated.pdf');
    expect((await failure(info(new Uint8Array()))).kind).toBe('empty');
  });

  it('may be the same name twice, and a stream that breaks fails the call', async () => {
    const merged = await merge([{ name: 'a.pdf', data: bytes }, { name: 'a.pdf', data: bytes }, lorem]);
    expect(merged.pages).toBe(12);
    const broken = Readable.from(
      (async function* () {
        yield bytes.subarray(0, 100);
        throw new Error('the line is dead');
      })(),
    );
    expect((await failure(info(broken))).message).toMatch(/the line is dead/);
  });
});

describe('what comes out', () => {
  it('is bytes, a stream, or a file; the same ones', async () => {
    const made = await merge([lorem, lorem], { title: 'Twice' });
    expect(made).toMatchObject({ name: 'merged.pdf', mediaType: 'application/pdf', pages: 8, warnings: [] });
    expect(made.size).toBe(made.bytes.length);
    const { stream, size } = await merge([lorem, lorem], { title: 'Twice', as: 'stream' });
    const streamed = Buffer.concat(await all(stream as unknown as AsyncIterable<Uint8Array>));
    expect([streamed.length, streamed.equals(made.bytes)]).toEqual([size, true]);
    const output = at('twice.pdf');
    expect(await merge([lorem, lorem], { title: 'Twice', output })).toMatchObject({ path: output, size, pages: 8 });
    expect(readFileSync(output).equals(made.bytes)).toBe(true);
  });

  it('replaces nothing unless force says so', async () => {
    const output = at('there.pdf');
    writeFileSync(output, 'mine');
    const refused = await failure(merge([lorem, lorem], { output }));
    expect([refused.code, refused.exitCode, refused.charged]).toEqual(['output_exists', 10, 'no']);
    expect(refused.hint).toContain('force');
    expect(refused.hint).not.toContain('--');
    expect(readFileSync(output, 'utf8')).toBe('mine');
    expect((await merge([lorem, lorem], { output: pathToFileURL(output), force: true })).pages).toBe(8);
  });

  it('of several files comes one by one, or goes into a folder or an archive', async () => {
    const parts = await all(
      split(lorem, {
        ranges: [
          [1, 3],
          [4, 4],
        ],
      }),
    );
    expect(parts.map(({ name, pages }) => [name, pages])).toEqual([
      ['pages-001-003.pdf', 3],
      ['pages-004.pdf', 1],
    ]);
    for await (const { name } of split(lorem)) {
      expect(name).toBe('page-001.pdf');
      break;
    }
    expect((await split(lorem, { output: at('parts') })).files).toHaveLength(4);
    expect((await split(lorem, { output: at('parts.zip') })).path).toBe(at('parts.zip'));
    await expect(split(at('nowhere.pdf')).next()).rejects.toMatchObject({ name: 'PdftoolError', code: 'not_found' });
  });

  it('has the format that its name asks for, as at the command line', async () => {
    const pages = [75];
    const guide = join(FIXTURES, 'guide.pdf');
    await library.tables(guide, { pages, output: at('figures.xlsx') });
    expect(readFileSync(at('figures.xlsx')).subarray(0, 2).toString()).toBe('PK');
    const speech = { output: at('book.ogg'), pageRange: '1' };
    expect((await failure(library.audiobook(lorem, speech))).message).toMatch(
      /^output: ".*book\.ogg": audiobook writes/,
    );
    const both = { output: at('book.m4b'), outputFormat: 'mp3' } as const;
    expect((await failure(library.audiobook(lorem, both))).message).toMatch(/and outputFormat: "mp3" contradict/);
    const wrong = await failure(rotate(lorem, { angle: 90, output: at('out.png') }));
    expect(wrong.message).toMatch(/^output: ".*out\.png": the result is application\/pdf, not image\/png$/);
  });

  it('is a record, which may go to a file', async () => {
    expect(await markdown(lorem)).toMatchObject({ page_count: 4, mode: 'developer' });
    await info(lorem, { output: at('info.json') });
    expect(JSON.parse(readFileSync(at('info.json'), 'utf8')).page_count).toBe(4);
  });
});

describe('options', () => {
  it('that are wrong are told together, by the names of the library', async () => {
    const wrong = { angel: 90, pages: 'first', as: 'pdf' } as unknown as { angle: 90 };
    const told = await failure(rotate(lorem, wrong));
    expect([told.code, told.exitCode]).toEqual(['usage', 2]);
    expect(told.message).toMatch(/angle is missing/);
    expect(told.message).toMatch(/no option angel; did you mean angle\?/);
    expect(told.message).toMatch(/pages: /);
    expect(told.message).toMatch(/as: /);
    expect((await failure(info('' as string))).message).toMatch(/file: expected a path/);
  });

  it('may hold a password, as text or asked for', async () => {
    const { bytes: locked } = await encrypt(lorem, { userPassword: 'secret' });
    expect((await failure(merge([locked, lorem]))).exitCode).toBe(7);
    expect((await merge([locked, lorem], { password: 'secret' })).pages).toBe(8);
    const asked: string[] = [];
    const password = (name: string) => {
      asked.push(name);
      return 'secret';
    };
    expect((await merge([{ name: 'locked.pdf', data: locked }, lorem], { password })).pages).toBe(8);
    expect(asked).toEqual(['locked.pdf']);
  });

  it('tell of progress, and stop a call that leaves nothing behind', async () => {
    const steps: string[] = [];
    await merge([lorem, lorem], { onProgress: ({ phase }) => void steps.push(phase) });
    expect(steps.length).toBeGreaterThan(0);
    const stop = new AbortController();
    const before = readdirSync(here);
    const stopped = failure(compress(lorem, { output: at('never.pdf'), signal: stop.signal }));
    stop.abort(new Error('enough'));
    const error = await stopped;
    expect([error.code, error.exitCode, (error.cause as Error).message]).toEqual(['interrupted', 130, 'enough']);
    expect(readdirSync(here)).toEqual(before);
    const silent = new ReadableStream<Uint8Array>();
    expect((await failure(info(silent, { signal: AbortSignal.timeout(50) }))).code).toBe('interrupted');
  });

  it('name the service: nothing else does', async () => {
    const told = await failure(info(lorem, { engine: 'remote' }));
    expect([told.code, told.exitCode]).toEqual(['usage', 2]);
    expect(told.message).toMatch(/apiKey is missing.*\nbaseUrl is missing/);
    const away = await failure(
      info(lorem, {
        engine: 'remote',
        apiKey: 'sk_test_0123456789abcdef0123456789abcdef',
        baseUrl: 'http://127.0.0.1:9',
      }),
    );
    expect([away.code, away.charged]).toEqual(['network', 'no']);
  });
});

describe('a program that calls it', () => {
  it('may be CommonJS, and shares the functions and the error with ES modules', () => {
    const script = `
      const common = require('pdftool');
      import('pdftool').then((module) => {
        const same = Object.keys(common).every((name) => common[name] === module[name]);
        console.log(JSON.stringify({ same, names: Object.keys(common).length }));
      });`;
    expect(runScript(here, 'common.cjs', script)).toEqual({ same: true, names: Object.keys(library).length });
  });

  it('has a function for each row that it may call, named as its command', () => {
    expect(Object.keys(library)).toEqual(expect.arrayContaining(['imagesToPdf', 'pagesTake', 'redactApply', 'ocr']));
    expect(existsSync(join(ROOT, 'dist/library.d.ts'))).toBe(true);
    for (const name of Object.keys(library)) {
      expect(readFileSync(join(ROOT, 'dist/library.d.ts'), 'utf8')).toMatch(new RegExp(`(function|class) ${name}\\b`));
    }
  });
});
