// Answers that must not be believed: too short, of another type, a proxy's page, an error in the clothes of a success.

import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { failureRecord } from '../../src/contract/base/failure.ts';
import { asFields } from '../../src/contract/base/wording.ts';
import { merge, split } from '../../src/contract/operations/pages/pages.ts';
import { account } from '../../src/contract/operations/service/account.ts';
import { compress } from '../../src/contract/operations/size/compress.ts';
import { extractText } from '../../src/contract/operations/text.ts';
import { createRemoteEngine } from '../../src/remote/engine.ts';
import { bytesSource, createContext, failureOf, settingsFor } from './context.ts';
import {
  ACCOUNT_PATH,
  type Act,
  accountWith,
  answer,
  cut,
  ERROR_RECORD,
  half,
  html,
  record,
  type ScriptedServer,
  startServer,
} from './scripted-server.ts';

const PDF_TYPE = { 'content-type': 'application/pdf' };
const file = bytesSource('a.pdf', '%PDF-1.4 x');
let server: ScriptedServer | undefined;
afterEach(() => server?.close());

async function mergeAgainst(acts: readonly Act[], accounts: readonly Act[] = [accountWith(20), accountWith(19)]) {
  server = await startServer({ 'POST /api/v1/merge': acts, [ACCOUNT_PATH]: accounts });
  const context = createContext();
  const failure = await failureOf(
    createRemoteEngine(settingsFor(server.url)).call(merge, { file: [file, file] }, context),
  );
  return { failure, context, server };
}

describe('a charged answer that is no good', () => {
  const PAID = { 'x-credits-used': '1' };
  it.each<[string, Act, RegExp, 'unknown' | 'yes']>([
    [
      'is shorter than its Content-Length',
      half('%PDF-1.4 whole file', PDF_TYPE),
      /broke off after \d+ of 19 bytes/,
      'unknown',
    ],
    [
      'is short and was paid',
      half('%PDF-1.4 whole file', { ...PDF_TYPE, ...PAID }),
      /broke off.*it was charged/,
      'yes',
    ],
    ['is empty', answer(200, '', PDF_TYPE), /empty/, 'unknown'],
    ['is a page of a proxy', html(200), /expected application\/pdf, found text\/html/, 'unknown'],
    ['is called a PDF and is none', answer(200, '<html>login', PDF_TYPE), /does not begin as one/, 'unknown'],
    ['has no type', answer(200, '%PDF-1.4', { 'content-type': '' }), /found no content type/, 'unknown'],
    [
      'is compressed on the way',
      answer(200, '%PDF-1.4', { ...PDF_TYPE, 'content-encoding': 'gzip' }),
      /encoded as gzip/,
      'unknown',
    ],
    [
      'contradicts X-Output-Bytes',
      answer(200, '%PDF-1.4', { ...PDF_TYPE, 'x-output-bytes': '9' }),
      /X-Output-Bytes says 9/,
      'unknown',
    ],
    [
      'is a redirect',
      answer(307, '', { location: 'https://elsewhere.example/x?sig=1' }),
      /redirects to https:\/\/elsewhere\.example; only/,
      'unknown',
    ],
    ['is a status nobody knows', html(599), /HTTP 599/, 'unknown'],
  ])('%s: exit 21, sent once, credits shown', async (_what, act, message, charged) => {
    const { failure, server: seen } = await mergeAgainst([act]);
    expect(failure.message).toMatch(message);
    expect(failure.message).toContain(`(charged: ${charged}, credits before: 20, after: 19)`);
    expect([failure.code, failure.exit, failure.charged]).toEqual(['ambiguous', 21, charged]);
    expect(failure.hint).toContain('pdftool account');
    expect(seen.count('POST /api/v1/merge')).toBe(1);
  });

  it.each([
    ['its Content-Length', half('%PDF-1.4 whole file', PDF_TYPE), '%PDF-1.4 '],
    ['its own end, without any length', answer(200, '%PDF-1.4 whole', PDF_TYPE), '%PDF-1.4 whole'],
    ['X-Output-Bytes', answer(200, '%PDF-1.4 %%EOF', { ...PDF_TYPE, 'x-output-bytes': '99' }), '%PDF-1.4 %%EOF'],
  ])('that is shorter than %s says is in doubt, and what came of it is handed on', async (_, act, came) => {
    const { failure } = await mergeAgainst([act]);
    expect([failure.code, failure.charged]).toEqual(['ambiguous', 'unknown']);
    const bytes = Buffer.alloc(failure.remains?.size ?? 0);
    failure.remains?.read?.(bytes, 0);
    expect(bytes.toString()).toBe(came);
  });

  it('says so when the account does not answer either', async () => {
    const { failure } = await mergeAgainst([cut], [html(503)]);
    expect(failure.message).toContain('the account does not answer');
  });

  it('a damaged archive of split is exit 21', async () => {
    server = await startServer({
      'POST /api/v1/split': [answer(200, 'PK\u0003\u0004 broken', { 'content-type': 'application/zip' })],
      [ACCOUNT_PATH]: [accountWith(1)],
    });
    const failure = await failureOf(createRemoteEngine(settingsFor(server.url)).call(split, { file }, createContext()));
    expect([failure.exit, failure.message]).toEqual([
      21,
      expect.stringMatching(/the archive that came cannot be used/),
    ]);
  });

  it('a record that is no JSON, says ok: false, or lacks its text', async () => {
    for (const [act, message] of [
      [answer(200, '{"ok":true,"text":'), /no JSON object/],
      [answer(200, '[]'), /no JSON object/],
      [record({ ok: false, error: 'nope' }), /it failed: nope/],
      [record({ ok: true, page_count: 1 }), /has no text/],
    ] as const) {
      server = await startServer({ 'POST /api/v1/extract-text': [act], [ACCOUNT_PATH]: [accountWith(1)] });
      const engine = createRemoteEngine(settingsFor(server.url));
      const failure = await failureOf(engine.call(extractText, { file }, createContext()));
      expect([failure.exit, failure.message]).toEqual([21, expect.stringMatching(message)]);
      await server.close();
    }
  });
});

describe('a paid answer with a flaw', () => {
  it('is kept, and the flaw is said', async () => {
    server = await startServer({
      'POST /api/v1/extract-text': [record({ ok: true, text: 'Hello', page_count: 'many', new_key: 1 })],
      'POST /api/v1/compress': [answer(200, '%PDF-1.4 %%EOF', PDF_TYPE)],
      [ACCOUNT_PATH]: [accountWith(1)],
    });
    const engine = createRemoteEngine(settingsFor(server.url));
    const text = await engine.call(extractText, { file }, createContext());
    expect(text).toMatchObject({
      record: { text: 'Hello', new_key: 1 },
      warnings: [expect.stringMatching(/page_count/)],
    });
    const pdf = await engine.call(compress, { file }, createContext());
    expect(pdf.warnings).toEqual(['the service sent no measurement headers']);
  });
});

describe('statuses', () => {
  // Status, failure code, exit code: typed by hand from CLI.md section 5.
  it.each([
    [400, 'refused', 6],
    [401, 'unauthenticated', 4],
    [402, 'out_of_credits', 5],
    [403, 'forbidden', 4],
    [404, 'not_found', 6],
    [409, 'conflict', 6],
    [413, 'too_large', 6],
    [422, 'unprocessable', 6],
    [418, 'refused', 6],
  ])('%i is %s, exit %i, not charged', async (status, code, exit) => {
    const meta = { request_id: 'r-1', anything: { deep: [1] } };
    const { failure } = await mergeAgainst([
      answer(status, ERROR_RECORD('Because.\nSo\u001b]0;title\u0007 \u001b[31mthere\u202e', meta)),
    ]);
    expect([failure.code, failure.exit, failure.status, failure.charged]).toEqual([code, exit, status, 'no']);
    expect(failure.message).toBe(`merge: Because. So there (HTTP ${status})`);
    expect(failureRecord(failure, asFields)).toMatchObject({ ok: false, _meta: meta });
  });

  it("a proxy's page is one clean line", async () => {
    const { failure } = await mergeAgainst([html(403)]);
    expect(failure.message).toBe("merge: HTTP 403 with a page titled 'Gateway trouble' instead of an error record");
  });

  it('a refused key is told before a file is sent', async () => {
    const refused = answer(401, ERROR_RECORD('bad key'));
    const { failure, server: seen } = await mergeAgainst([refused], [refused]);
    expect([failure.code, failure.exit]).toEqual(['unauthenticated', 4]);
    expect(seen.count('POST /api/v1/merge')).toBe(0);
  });

  it('an early refusal is read although the upload is not done', async () => {
    const text = ERROR_RECORD('too much');
    const sockets: Socket[] = [];
    const early = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.write(
          `HTTP/1.1 413 Too Large\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
        );
      });
    });
    await new Promise<void>((resolve) => early.listen(0, '127.0.0.1', resolve));
    const { port } = early.address() as { port: number };
    const big = bytesSource('big.pdf', Buffer.alloc(8 * 1024 ** 2));
    const engine = createRemoteEngine(settingsFor(`http://127.0.0.1:${port}`));
    const failure = await failureOf(engine.call(compress, { file: big }, createContext()));
    for (const socket of sockets) socket.destroy();
    early.close();
    expect([failure.code, failure.charged]).toEqual(['too_large', 'no']);
  });
});

describe('sizes', () => {
  it('an endless record is cut off', async () => {
    const endless: Act = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const chunk = Buffer.alloc(1024 ** 2, 0x20);
      const more = () => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    };
    server = await startServer({ [ACCOUNT_PATH]: [endless] });
    const failure = await failureOf(createRemoteEngine(settingsFor(server.url)).call(account, {}, createContext()));
    expect(failure.message).toMatch(/longer than 67108864 bytes/);
  });

  it('an endless error page is cut off', async () => {
    const endless: Act = (response) => {
      response.writeHead(403, { 'content-type': 'text/html' });
      response.write(`<title>No</title>${'x'.repeat(200_000)}`);
    };
    server = await startServer({ [ACCOUNT_PATH]: [endless] });
    const failure = await failureOf(createRemoteEngine(settingsFor(server.url)).call(account, {}, createContext()));
    expect([failure.code, failure.message.length < 200]).toEqual(['forbidden', true]);
  });
});
