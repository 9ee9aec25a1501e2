// Every limit of SERVICE.md, typed by hand: at the limit a request is sent, one above nothing is. A real server counts.
import { PDFDocument } from 'pdf-lib';
import { afterEach, describe, expect, it } from 'vitest';
import { Failure } from '../../src/contract/base/failure.ts';
import type { ByteSource, Context, RandomAccess } from '../../src/contract/base/ports.ts';
import type { AnyOperation } from '../../src/contract/operation.ts';
import { OPERATIONS } from '../../src/contract/operations/all.ts';
import { info } from '../../src/contract/operations/pages/pages.ts';
import type { Probe } from '../../src/flow/check.ts';
import { guard } from '../../src/flow/checks.ts';
import { createLocalEngine } from '../../src/local/engine.ts';
import { createRemoteEngine } from '../../src/remote/engine.ts';
import { bytesSource, createContext, failureOf, settingsFor } from '../faults/context.ts';
import {
  ACCOUNT_PATH,
  accountWith,
  answer,
  ERROR_RECORD,
  type ScriptedServer,
  startServer,
} from '../faults/scripted-server.ts';

const MIB = 1_048_576;
let server: ScriptedServer | undefined;
afterEach(() => server?.close());

/** Pages as the local engine counts them; undefined where it cannot. */
const probe: Probe = {
  async countPages(source: ByteSource, ctx: Context) {
    try {
      const { record } = await createLocalEngine().call(info, { file: source }, ctx);
      return typeof record.page_count === 'number' ? record.page_count : undefined;
    } catch (error) {
      if (error instanceof Failure) return undefined;
      throw error;
    }
  },
};

const pdf = bytesSource('a.pdf', '%PDF-1.4 x');
const png = bytesSource('a.png', Buffer.from('89504e470d0a1a0a00', 'hex'));
const jpeg = bytesSource('a.jpg', Buffer.from('ffd8ffe000', 'hex'));

/** A file of so many bytes that begins as `head` and is zero otherwise. */
function sized(size: number, head: RandomAccess = pdf): RandomAccess {
  return {
    name: `${size}.pdf`,
    size,
    read(into, position) {
      const got = Math.min(into.length, size - position);
      into.fill(0, 0, got);
      if (position === 0) head.read(into.subarray(0, got), 0);
      return got;
    },
    open: () => {
      throw new TypeError('a file on disk is read at its places');
    },
  };
}

async function paged(count: number): Promise<RandomAccess> {
  const document = await PDFDocument.create();
  for (let page = 0; page < count; page += 1) document.addPage([10, 10]);
  return bytesSource(`${count}-pages.pdf`, await document.save());
}

const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
const ranges = (count: number) => Array.from({ length: count }, (_, index) => [index + 1, index + 1]);

// [operation, input at the limit, input above it, exit code, message]
type Row = readonly [string, string, () => object | Promise<object>, () => object | Promise<object>, number, RegExp];
const rows: readonly Row[] = [
  ['merge', 'at least 2 files', () => ({ file: [pdf, pdf] }), () => ({ file: [pdf] }), 2, /at least 2 files, found 1/],
  [
    'merge',
    '20 MB in all',
    () => ({ file: [sized(10 * MIB), sized(10 * MIB)] }),
    () => ({ file: [sized(10 * MIB), sized(10 * MIB + 1)] }),
    6,
    /at most 20971520 bytes of input, found 20971521/,
  ],
  ['merge-compress', '2 files', () => ({ file: [pdf, pdf] }), () => ({ file: [pdf] }), 2, /2 to 20 files, found 1/],
  [
    'merge-compress',
    '20 files',
    () => ({ file: times(20, pdf) }),
    () => ({ file: times(21, pdf) }),
    2,
    /2 to 20 files, found 21/,
  ],
  [
    'images-to-pdf',
    '25 images',
    () => ({ file: times(25, png) }),
    () => ({ file: times(26, png) }),
    2,
    /1 to 25 files, found 26/,
  ],
  [
    'images-to-pdf',
    '30 MB in all',
    () => ({ file: [sized(30 * MIB, png)] }),
    () => ({ file: [sized(30 * MIB, png), jpeg] }),
    6,
    /at most 31457280 bytes of input, found 31457285/,
  ],
  [
    'images-to-pdf',
    'PNG or JPEG',
    () => ({ file: [png, jpeg] }),
    () => ({ file: [png, pdf] }),
    6,
    /a\.pdf: expected a PNG or JPEG image, found a PDF file/,
  ],
  [
    'images-to-pdf-compress',
    '25 images',
    () => ({ file: times(25, jpeg) }),
    () => ({ file: times(26, jpeg) }),
    2,
    /1 to 25 files, found 26/,
  ],
  ['images-to-pdf-compress', '1 image', () => ({ file: [png] }), () => ({ file: [] }), 2, /1 to 25 files, found 0/],
  [
    'extract-text',
    '12 MB',
    () => ({ file: sized(12 * MIB) }),
    () => ({ file: sized(12 * MIB + 1) }),
    6,
    /at most 12582912 bytes of input, found 12582913/,
  ],
  [
    'markdown',
    '12 MB',
    () => ({ file: sized(12 * MIB) }),
    () => ({ file: sized(12 * MIB + 1) }),
    6,
    /at most 12582912 bytes/,
  ],
  [
    'markdown',
    'source-pack with mode rag',
    () => ({ file: pdf, output_format: 'source-pack', mode: 'rag' }),
    () => ({ file: pdf, output_format: 'source-pack' }),
    2,
    /output_format source-pack needs mode rag, found developer/,
  ],
  [
    'markdown',
    'source-pack of 100 pages',
    async () => ({ file: await paged(100), output_format: 'source-pack', mode: 'rag' }),
    async () => ({ file: await paged(101), output_format: 'source-pack', mode: 'rag' }),
    6,
    /101-pages\.pdf: expected at most 100 pages, found 101/,
  ],
  [
    'split',
    '150 pages',
    async () => ({ file: await paged(150) }),
    async () => ({ file: await paged(151) }),
    6,
    /at most 150 pages, found 151/,
  ],
  [
    'split',
    '25 ranges of any number of pages',
    async () => ({ file: await paged(151), ranges: ranges(25) }),
    () => ({ file: pdf, ranges: ranges(26) }),
    6,
    /at most 25 segments, found 26/,
  ],
  [
    'split',
    '24 cuts make 25 segments',
    () => ({ file: pdf, at_pages: Array.from({ length: 24 }, (_, index) => index + 1) }),
    () => ({ file: pdf, at_pages: Array.from({ length: 25 }, (_, index) => index + 1) }),
    6,
    /at most 25 segments, found 26/,
  ],
  [
    'voice-preview',
    '600 characters',
    () => ({ text: 'x'.repeat(600) }),
    () => ({ text: 'x'.repeat(601) }),
    6,
    /at most 600 characters of text, found 601/,
  ],
  [
    'audiobook',
    '10 MiB',
    () => ({ file: sized(10 * MIB), page_range: '1' }),
    () => ({ file: sized(10 * MIB + 1) }),
    6,
    /at most 10485760 bytes/,
  ],
  [
    'audiobook',
    '20 pages',
    async () => ({ file: await paged(20) }),
    async () => ({ file: await paged(21) }),
    6,
    /at most 20 pages, found 21/,
  ],
  [
    'narrate',
    '20 pages',
    async () => ({ file: await paged(20) }),
    async () => ({ file: await paged(21) }),
    6,
    /at most 20 pages, found 21/,
  ],
  [
    'compress',
    'a PDF',
    () => ({ file: pdf }),
    () => ({ file: bytesSource('notes.pdf', 'Dear diary') }),
    6,
    /notes\.pdf: expected a PDF file, found text/,
  ],
  [
    'rotate',
    'a PDF',
    () => ({ file: pdf, angle: 90 }),
    () => ({ file: bytesSource('page.pdf', '<!DOCTYPE html><p>'), angle: 90 }),
    6,
    /found HTML/,
  ],
  [
    'info',
    'not empty',
    () => ({ file: pdf }),
    () => ({ file: bytesSource('empty.pdf', '') }),
    6,
    /empty\.pdf is empty: 0 bytes/,
  ],
];

describe('limits of the service', () => {
  it.each(rows.map((row) => [row[0], row[1], row] as const))('%s: %s', async (name, _limit, row) => {
    const [, , good, bad, exit, message] = row;
    const { engine, op, route } = await setUp(name);
    const failure = await failureOf(engine.call<AnyOperation>(op, (await bad()) as never, createContext()));
    expect([failure.exit, failure.charged, failure.message]).toEqual([exit, 'no', expect.stringMatching(message)]);
    expect(server?.seen).toEqual([]);
    // At the limit it is sent: the server's own refusal is what comes back.
    const reached = await failureOf(engine.call<AnyOperation>(op, (await good()) as never, createContext()));
    expect(reached.message).toContain('seen by the server');
    expect(server?.count(route)).toBe(1);
  });

  it('a PDF whose pages cannot be counted is left to the service', async () => {
    const { engine, op, route } = await setUp('split');
    await failureOf(engine.call<AnyOperation>(op, { file: pdf } as never, createContext()));
    expect(server?.count(route)).toBe(1);
  });
});

async function setUp(name: string) {
  const op = OPERATIONS.find((row) => row.name === name);
  if (op === undefined) throw new TypeError(name);
  const route = `${op.method} ${op.path}`;
  server = await startServer({
    [ACCOUNT_PATH]: [accountWith(20)],
    [route]: [answer(422, ERROR_RECORD('seen by the server'))],
  });
  return { engine: guard(createRemoteEngine(settingsFor(server.url)), probe), op, route };
}
