// Requests and answers typed by hand from SERVICE.md: no path, part name, header or code here comes from the rows.
import { afterEach, describe, expect, it } from 'vitest';
import type { ByteSource, Result } from '../../src/contract/base/ports.ts';
import type { AnyOperation } from '../../src/contract/operation.ts';
import { OPERATIONS, SERVICE_OPERATIONS } from '../../src/contract/operations/all.ts';
import { createRemoteEngine } from '../../src/remote/engine.ts';
import { bytesSource, createContext, KEY, settingsFor, textOf } from '../faults/context.ts';
import {
  type Act,
  accountWith,
  answer,
  type ScriptedServer,
  type Seen,
  startServer,
} from '../faults/scripted-server.ts';

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

const a = bytesSource('/home/me/a.pdf', '%PDF-1.4 first');
const b = bytesSource('b.pdf', '%PDF-1.4 second');
const png = bytesSource('scans/1.png', '\u0089PNG');
const jpeg = bytesSource('2.JPG', 'jpeg');

const part = (name: string, value: string) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const filePart = (filename: string, type: string, bytes: string) =>
  `Content-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: ${type}\r\n\r\n${bytes}\r\n`;
const FIRST = filePart('a.pdf', 'application/pdf', '%PDF-1.4 first');
const SECOND = filePart('b.pdf', 'application/pdf', '%PDF-1.4 second');

const PDF = '%PDF-1.7 made %%EOF';
const sendPdf = (headers: Record<string, string> = {}) =>
  answer(200, PDF, { 'Content-Type': 'application/pdf', ...headers });
const sendJson = (record: object, status = 200) => answer(status, JSON.stringify(record));
const MEASURED = {
  'X-Credits-Remaining': '19',
  'X-Credits-Used': '1',
  'X-Original-Bytes': '2000',
  'X-Output-Bytes': String(PDF.length),
  'X-Target-Bytes': '204800',
  'X-Target-Reached': 'true',
  'X-Compression-Mode': 'best_effort_repack',
};
const MEASUREMENT = {
  original_bytes: 2000,
  output_bytes: PDF.length,
  target_bytes: 204800,
  target_reached: true,
  mode: 'best_effort_repack',
};
const CREDITS = { used: 1, remaining: 19 };
const INFO = { ok: true, page_count: 3, title: null, producer: 'x', credits_remaining: 20, future: [1] };
const TEXT = { ok: true, text: 'Hello', page_count: 1 };
const JSON_RECORD = {
  ok: true,
  page_count: 1,
  metadata: { a: 1 },
  pages: [{ page_number: 1, text: 'Hello', char_count: 5 }],
  text: 'Hello',
  extraction_mode: 'pdfjs_text_layer',
};
const MARKDOWN_RECORD = {
  ok: true,
  markdown: '# Hello',
  page_count: 1,
  mode: 'developer',
  pages: [{}],
  chunks: [{ chunk_id: 'c1', text: 'Hello', page_number: 1, page_anchor: '#page-1' }],
  capabilities: {},
  warnings: [],
};
const ACCOUNT = {
  ok: true,
  credits_remaining: 20,
  credits_lifetime_used: 0,
  free_tier_resets_at: '2027-01-01T00:00:00Z',
  api_key: { id: 'k', label: null },
};

// [operation, input, "METHOD path", the body's parts in order or its JSON, the answer, what the result must hold]
type Row = readonly [string, Record<string, unknown>, string, readonly string[] | object | undefined, Act, object];
const rows: readonly Row[] = [
  ['account', {}, 'GET /api/v1/account', undefined, sendJson(ACCOUNT), { record: ACCOUNT, credits: { remaining: 20 } }],
  ['info', { file: a }, 'POST /api/v1/pdf-info', [FIRST], sendJson(INFO), { record: INFO, credits: { remaining: 20 } }],
  ['extract-text', { file: a }, 'POST /api/v1/extract-text', [FIRST], sendJson(TEXT), { record: TEXT }],
  ['to-json', { file: a }, 'POST /api/v1/pdf-to-json', [FIRST], sendJson(JSON_RECORD), { record: JSON_RECORD }],
  [
    'markdown',
    { file: a, mode: 'developer', output_format: 'json' },
    'POST /api/v1/pdf-structured-markdown',
    [FIRST, part('mode', 'developer'), part('output_format', 'json')],
    sendJson(MARKDOWN_RECORD),
    { record: MARKDOWN_RECORD },
  ],
  [
    'markdown',
    { file: a },
    'POST /api/v1/pdf-structured-markdown',
    [FIRST],
    sendJson(MARKDOWN_RECORD),
    { record: MARKDOWN_RECORD },
  ],
  [
    'markdown',
    { file: a, mode: 'academic', output_format: 'markdown' },
    'POST /api/v1/pdf-structured-markdown',
    [FIRST, part('mode', 'academic'), part('output_format', 'markdown')],
    answer(200, '# Hello', { 'Content-Type': 'text/markdown; charset=utf-8' }),
    { mediaType: 'text/markdown', text: '# Hello' },
  ],
  [
    'markdown',
    { file: a, mode: 'rag', output_format: 'jsonl' },
    'POST /api/v1/pdf-structured-markdown',
    [FIRST, part('mode', 'rag'), part('output_format', 'jsonl')],
    answer(200, '{"chunk_id":"c1"}\n', { 'Content-Type': 'application/x-ndjson' }),
    { mediaType: 'application/x-ndjson', text: '{"chunk_id":"c1"}\n' },
  ],
  [
    'markdown',
    { file: a, mode: 'rag', output_format: 'source-pack' },
    'POST /api/v1/pdf-structured-markdown',
    [FIRST, part('mode', 'rag'), part('output_format', 'source-pack')],
    answer(200, 'PK\u0003\u0004rest', { 'Content-Type': 'application/zip' }),
    { mediaType: 'application/zip', text: 'PK\u0003\u0004rest' },
  ],
  ['merge', { file: [b, a, b] }, 'POST /api/v1/merge', [SECOND, FIRST, SECOND], sendPdf(), { text: PDF }],
  [
    'rotate',
    { file: a, angle: -90 },
    'POST /api/v1/rotate',
    [FIRST, part('angle', '-90')],
    sendPdf(),
    { text: PDF, mediaType: 'application/pdf' },
  ],
  ['compress', { file: a }, 'POST /api/v1/compress', [FIRST], sendPdf(MEASURED), { credits: CREDITS, text: PDF }],
  [
    'compress',
    { file: a, target_bytes: 204800 },
    'POST /api/v1/compress',
    [FIRST, part('target_bytes', '204800')],
    sendPdf(MEASURED),
    { measurement: MEASUREMENT, credits: CREDITS },
  ],
  [
    'merge-compress',
    { file: [a, b], target_bytes: 102400 },
    'POST /api/v1/merge-compress',
    [FIRST, SECOND, part('target_bytes', '102400')],
    sendPdf({ ...MEASURED, 'X-Target-Reached': 'false' }),
    { measurement: { ...MEASUREMENT, target_reached: false } },
  ],
  [
    'images-to-pdf',
    { file: [png, jpeg] },
    'POST /api/v1/images-to-pdf',
    [filePart('1.png', 'image/png', '\u00c2\u0089PNG'), filePart('2.JPG', 'image/jpeg', 'jpeg')],
    sendPdf(),
    { text: PDF },
  ],
  [
    'images-to-pdf-compress',
    { file: [jpeg], target_bytes: 1 },
    'POST /api/v1/images-to-pdf-compress',
    [filePart('2.JPG', 'image/jpeg', 'jpeg'), part('target_bytes', '1')],
    sendPdf(MEASURED),
    { measurement: MEASUREMENT },
  ],
  [
    'voice-preview',
    { text: 'Grüße "du"', output_format: 'mp3', voice_style: 'audiobook', language: 'en', speed: 1.25 },
    'POST /api/v1/voice-preview',
    { text: 'Grüße "du"', output_format: 'mp3', voice_style: 'audiobook', language: 'en', speed: 1.25 },
    answer(200, 'ID3', { 'Content-Type': 'audio/mpeg' }),
    { mediaType: 'audio/mpeg', text: 'ID3' },
  ],
  [
    'voice-preview',
    { text: 'Hi', output_format: 'wav' },
    'POST /api/v1/voice-preview',
    { text: 'Hi', output_format: 'wav' },
    answer(200, 'RIFF', { 'Content-Type': 'audio/x-wav' }),
    { text: 'RIFF' },
  ],
  [
    'audiobook',
    { file: a, output_format: 'm4b', page_range: '1-5', normalize_pauses: true, preserve_chapters: false },
    'POST /api/v1/pdf-to-audiobook',
    [
      FIRST,
      part('output_format', 'm4b'),
      part('page_range', '1-5'),
      part('normalize_pauses', 'true'),
      part('preserve_chapters', 'false'),
    ],
    sendJson({ job_id: 'j1', status_url: '/api/v1/jobs/j1' }, 202),
    { kind: 'job', record: { job_id: 'j1', status_url: '/api/v1/jobs/j1' } },
  ],
  [
    'narrate',
    { file: a, output_format: 'mp4' },
    'POST /api/v1/presentation-narration',
    [FIRST, part('output_format', 'mp4')],
    sendJson({ job_id: 'j2', status_url: '/x' }, 202),
    { kind: 'job' },
  ],
  [
    'job-status',
    { id: 'a/b?c' },
    'GET /api/v1/jobs/a%2Fb%3Fc',
    undefined,
    sendJson({ status: 'succeeded', result_url: 'https://x/y' }),
    { record: { status: 'succeeded', result_url: 'https://x/y' } },
  ],
  [
    'job-download',
    { id: 'j1' },
    'GET /api/v1/speech-jobs/j1/download',
    undefined,
    answer(200, 'mp4 bytes', { 'Content-Type': 'video/mp4' }),
    { mediaType: 'video/mp4', text: 'mp4 bytes' },
  ],
  [
    'workflow-create',
    {
      workflow: 'source_pack',
      inputBytes: 1000,
      options: { mode: 'rag' },
      maxCredits: 1,
      'Idempotency-Key': 'f00-ba7',
    },
    'POST /api/v1/workflow-jobs',
    { workflow: 'source_pack', inputBytes: 1000, options: { mode: 'rag' }, maxCredits: 1 },
    sendJson({ uploadId: 'u1', jobId: 'w1' }),
    { record: { uploadId: 'u1', jobId: 'w1' } },
  ],
  ['workflow-finalize', { uploadId: 'u1' }, 'POST /api/v1/workflow-jobs/u1', undefined, sendJson({}), { record: {} }],
  ['workflow-status', { jobId: 'w1' }, 'GET /api/v1/workflow-jobs/w1', undefined, sendJson({}), { record: {} }],
  ['openapi', {}, 'GET /openapi.json', undefined, sendJson({ openapi: '3.1.0' }), { record: { openapi: '3.1.0' } }],
];

describe('every endpoint of SERVICE.md', () => {
  it.each(rows.map((row) => [row[2], row] as const))('%s', async (_route, row) => {
    const [name, input, route, body, act, expected] = row;
    const seen = await exchange(name, input, route, act);
    expect(seen.request.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(seen.request.headers['x-api-key']).toBeUndefined();
    expect(seen.request.headers['transfer-encoding']).toBeUndefined();
    if (route.startsWith('POST')) expect(Number(seen.request.headers['content-length'])).toBe(seen.request.body.length);
    if (Array.isArray(body)) expect(partsOf(seen.request)).toEqual(body);
    else if (body !== undefined) {
      expect(seen.request.headers['content-type']).toBe('application/json');
      expect(JSON.parse(Buffer.from(seen.request.body, 'latin1').toString('utf8'))).toEqual(body);
    } else expect(seen.request.body).toBe('');
    const { result } = seen;
    const text = result.kind === 'bytes' ? { text: await textOf(result.body) } : {};
    expect({ ...result, ...text }).toMatchObject(expected);
  });

  it('has a row here for every operation that can be called', () => {
    const tested = new Set([...rows.map(([name]) => name), 'split', 'translate-and-speak']);
    // The extensions of pdftool serve are held by test/contract/cases.
    const specified = SERVICE_OPERATIONS.filter(({ extension }) => extension !== true);
    expect(specified.map(({ name }) => name).filter((name) => !tested.has(name))).toEqual([]);
  });

  it('workflow create carries its Idempotency-Key as a header, and no other request does', async () => {
    for (const row of rows) {
      const { request } = await exchange(row[0], row[1], row[2], row[4]);
      expect(request.headers['idempotency-key']).toBe(row[0] === 'workflow-create' ? 'f00-ba7' : undefined);
      await server?.close();
    }
  });

  it('the key travels as X-API-Key where the setting says so', async () => {
    const act = sendJson(ACCOUNT);
    const { request } = await exchange('account', {}, 'GET /api/v1/account', act, { keyHeader: 'x-api-key' });
    expect(request.headers['x-api-key']).toBe(KEY);
    expect(request.headers.authorization).toBeUndefined();
  });

  it('translate-and-speak is a clear failure, and nothing is sent', async () => {
    const sent = exchange(
      'translate-and-speak',
      { file: a, target_language: 'hi' },
      'POST /api/v1/translate-and-speak',
      sendPdf(),
    );
    await expect(sent).rejects.toMatchObject({ code: 'unavailable', message: expect.stringMatching(/disabled/) });
    expect(server?.seen).toEqual([]);
  });
});

describe('split', () => {
  // Two stored entries, written by Python's zipfile, base64.
  const ZIP = Buffer.from(
    'UEsDBBQAAAAAAAAAIQBIOV+ZDAAAAAwAAAAMAAAAcGFnZS0wMDEucGRmJVBERi0xLjQgb25lUEsDBBQAAAAAAAAAIQDfNfnyDAAAAAwA' +
      'AAAMAAAAcGFnZS0wMDIucGRmJVBERi0xLjQgdHdvUEsBAhQDFAAAAAAAAAAhAEg5X5kMAAAADAAAAAwAAAAAAAAAAAAAAIABAAAAAHBh' +
      'Z2UtMDAxLnBkZlBLAQIUAxQAAAAAAAAAIQDfNfnyDAAAAAwAAAAMAAAAAAAAAAAAAACAATYAAABwYWdlLTAwMi5wZGZQSwUGAAAAAAIA' +
      'AgB0AAAAbAAAAAAA',
    'base64',
  );
  const sendZip = answer(200, ZIP, { 'Content-Type': 'application/zip' });

  it.each([
    [{}, []],
    [{ at_pages: [3, 7] }, [part('at_pages', '3,7')]],
    [
      {
        ranges: [
          [1, 3],
          [7, 9],
        ],
      },
      [part('ranges', '[[1,3],[7,9]]')],
    ],
  ])('sends %j and unpacks the archive', async (fields, parts) => {
    const { request, result } = await exchange('split', { file: a, ...fields }, 'POST /api/v1/split', sendZip);
    expect(partsOf(request)).toEqual([FIRST, ...parts]);
    if (result.kind !== 'parts') throw new TypeError(result.kind);
    const files = await Promise.all(
      result.parts.map(async ({ name, body }) => [name, await textOf(body as ByteSource)]),
    );
    expect(files).toEqual([
      ['page-001.pdf', '%PDF-1.4 one'],
      ['page-002.pdf', '%PDF-1.4 two'],
    ]);
    expect(result.archive === undefined ? '' : await textOf(result.archive)).toBe(ZIP.toString('latin1'));
  });
});

async function exchange(name: string, input: object, route: string, act: Act, more: object = {}) {
  server = await startServer({ 'GET /api/v1/account': [accountWith(20)], [route]: [act] });
  const op = OPERATIONS.find((row) => row.name === name);
  if (op === undefined) throw new TypeError(name);
  const engine = createRemoteEngine(settingsFor(server.url, more));
  // The inputs are typed by hand on purpose: the table must not help this test.
  const result = (await engine.call<AnyOperation>(op, input as never, createContext())) as Result;
  const request = server.seen.find(({ method, path }) => `${method} ${path}` === route);
  if (request === undefined) throw new TypeError(`no ${route} seen`);
  return { request, result };
}

/** The parts of a multipart body, each with its head as it came. */
function partsOf({ headers, body }: Seen): string[] {
  const boundary = /^multipart\/form-data; boundary=([\w-]{20,70})$/.exec(headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) throw new TypeError(`no boundary in ${headers['content-type']}`);
  const pieces = body.split(`--${boundary}`);
  expect(pieces[0]).toBe('');
  expect(pieces.at(-1)).toBe('--\r\n');
  return pieces.slice(1, -1).map((piece) => piece.replace(/^\r\n/, ''));
}
