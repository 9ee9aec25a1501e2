// Where the key goes and where it never goes: other origins, traces, errors. Redirects and addresses, over real sockets.
import { afterEach, describe, expect, it } from 'vitest';
import { merge } from '../../src/contract/operations/pages/pages.ts';
import { account } from '../../src/contract/operations/service/account.ts';
import { jobDownload } from '../../src/contract/operations/speech.ts';
import { createRemoteEngine } from '../../src/remote/engine.ts';
import { bytesSource, createContext, failureOf, KEY, settingsFor, textOf } from './context.ts';
import {
  ACCOUNT_PATH,
  type Act,
  accountWith,
  answer,
  ERROR_RECORD,
  type ScriptedServer,
  startServer,
} from './scripted-server.ts';

const servers: ScriptedServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
async function serve(script: Record<string, readonly Act[]>) {
  const server = await startServer(script);
  servers.push(server);
  return server;
}

const DOWNLOAD = 'GET /api/v1/speech-jobs/j1/download';
const audio = answer(200, 'ID3 audio', { 'content-type': 'audio/mpeg' });
const to = (location: string, status = 302): Act => answer(status, '', { location });

describe.each(['bearer', 'x-api-key'] as const)('redirects of a download with %s', (keyHeader) => {
  it.each([301, 302, 303, 307, 308])('%i to another origin carries no key', async (status) => {
    const other = await serve({ 'GET /store/x': [audio] });
    const server = await serve({ [DOWNLOAD]: [to(`${other.url}/store/x?X-Signature=s3cret`, status)] });
    const lines: string[] = [];
    const settings = settingsFor(server.url, { keyHeader, trace: (line) => void lines.push(line) });
    const result = await createRemoteEngine(settings).call(jobDownload, { id: 'j1' }, createContext());
    expect(await textOf(result.body)).toBe('ID3 audio');
    expect(server.seen[0]?.headers[keyHeader === 'bearer' ? 'authorization' : 'x-api-key']).toContain(KEY);
    expect(JSON.stringify(other.seen)).not.toContain(KEY);
    expect(other.seen[0]?.headers.authorization ?? other.seen[0]?.headers['x-api-key']).toBeUndefined();
    expect(lines.join('\n')).toContain('sk_test_…WXYZ');
    expect(lines.join('\n')).not.toMatch(/0123456789abcdef|s3cret/);
  });
});

describe('redirects', () => {
  it('inside the origin carry the key', async () => {
    const server = await serve({ [DOWNLOAD]: [to('/files/1')], 'GET /files/1': [audio] });
    await createRemoteEngine(settingsFor(server.url)).call(jobDownload, { id: 'j1' }, createContext());
    expect(server.seen[1]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it('to the same host on another port carry no key', async () => {
    const other = await serve({ 'GET /f': [audio] });
    const server = await serve({ [DOWNLOAD]: [to(`${other.url}/f`)] });
    await createRemoteEngine(settingsFor(server.url)).call(jobDownload, { id: 'j1' }, createContext());
    expect(other.seen[0]?.headers.authorization).toBeUndefined();
  });

  it('five are followed, six are not', async () => {
    const hops = (last: string): Record<string, readonly Act[]> =>
      Object.fromEntries([1, 2, 3, 4].map((n) => [`GET /${n}`, [to(n === 4 ? last : `/${n + 1}`)]]));
    const five = await serve({ [DOWNLOAD]: [to('/1')], ...hops('/end'), 'GET /end': [audio] });
    await createRemoteEngine(settingsFor(five.url)).call(jobDownload, { id: 'j1' }, createContext());
    const six = await serve({
      [DOWNLOAD]: [to('/1')],
      ...hops('/more'),
      'GET /more': [to('/end')],
      'GET /end': [audio],
    });
    const failure = await failureOf(
      createRemoteEngine(settingsFor(six.url)).call(jobDownload, { id: 'j1' }, createContext()),
    );
    expect(failure.message).toMatch(/more than 5 redirects/);
    expect(six.count('GET /end')).toBe(0);
  });

  it.each([
    'http://example.com/x', // plain http off this machine
    'file:///etc/passwd',
    'ftp://127.0.0.1/x',
  ])('to %s are refused', async (location) => {
    const server = await serve({ [DOWNLOAD]: [to(location)] });
    const failure = await failureOf(
      createRemoteEngine(settingsFor(server.url)).call(jobDownload, { id: 'j1' }, createContext()),
    );
    expect([failure.exit, failure.message]).toEqual([20, expect.stringMatching(/not followed/)]);
  });

  it.each([301, 302, 303, 307, 308])('%i of a POST is never followed', async (status) => {
    const other = await serve({ 'POST /x': [audio], 'GET /x': [audio] });
    const server = await serve({
      [ACCOUNT_PATH]: [accountWith(1)],
      'POST /api/v1/merge': [to(`${other.url}/x`, status)],
    });
    const file = bytesSource('a.pdf', '%PDF-');
    const failure = await failureOf(
      createRemoteEngine(settingsFor(server.url)).call(merge, { file: [file, file] }, createContext()),
    );
    expect([failure.exit, failure.message]).toEqual([21, expect.stringContaining(other.url)]);
    expect([other.seen.length, server.count('POST /api/v1/merge')]).toEqual([0, 1]);
  });
});

describe('what a server says', () => {
  it('cannot make an error show the key', async () => {
    const server = await serve({ [ACCOUNT_PATH]: [answer(403, ERROR_RECORD(`key ${KEY} is unknown`))] });
    const failure = await failureOf(createRemoteEngine(settingsFor(server.url)).call(account, {}, createContext()));
    expect(failure.message).toContain('sk_test_…WXYZ');
    expect(
      JSON.stringify({ ...failure, message: failure.message, stack: failure.stack, cause: failure.cause }),
    ).not.toContain(KEY);
  });
});

describe('nothing is sent', () => {
  it.each<[string, string | undefined, string | undefined, number, RegExp]>([
    ['without a key', 'SERVER', undefined, 4, /no API key/],
    ['with an empty key', 'SERVER', '', 4, /no API key/],
    ['with a key of another kind', 'SERVER', 'pk_live_0123456789', 4, /malformed.*sk_live_ or sk_test_/],
    ['with a key that holds a line end', 'SERVER', 'sk_live_abc\r\nX: y', 4, /malformed.*white space/],
    ['with a beginning only', 'SERVER', 'sk_live_', 4, /malformed/],
    ['with a key of other letters', 'SERVER', 'sk_live_schlüssel', 4, /malformed/],
    ['without a base URL', undefined, KEY, 2, /no base URL/],
    ['with a base URL without scheme', 'api.example.com', KEY, 2, /needs a scheme/],
    ['with another scheme', 'ftp://api.example.com', KEY, 2, /needs a scheme/],
    ['with plain http off this machine', 'http://api.example.com', KEY, 2, /plain http/],
    ['with plain http to a name like loopback', 'http://localhost.example.com', KEY, 2, /plain http/],
    ['with credentials in the base URL', 'https://me:pw@api.example.com', KEY, 2, /no credentials/],
    ['with a base URL that is none', 'https://', KEY, 2, /cannot be read/],
  ])('%s', async (_what, baseUrl, apiKey, exit, message) => {
    const server = await serve({ [ACCOUNT_PATH]: [accountWith(1)] });
    const settings = settingsFor(baseUrl === 'SERVER' ? server.url : baseUrl, { apiKey });
    const failure = await failureOf(createRemoteEngine(settings).call(account, {}, createContext()));
    expect([failure.exit, failure.message]).toEqual([exit, expect.stringMatching(message)]);
    expect(failure.message).not.toMatch(/0123456789|schlüssel|me:pw/);
    expect(server.seen).toEqual([]);
  });

  it('an id that would climb to another path is refused', async () => {
    const server = await serve({});
    for (const id of ['..', '.', '']) {
      const failure = await failureOf(
        createRemoteEngine(settingsFor(server.url)).call(jobDownload, { id }, createContext()),
      );
      expect(failure.exit).toBe(2);
    }
    expect(server.seen).toEqual([]);
  });

  it('a base URL with a path of its own is kept', async () => {
    const server = await serve({ 'GET /pdf/service/api/v1/account': [accountWith(4)] });
    const result = await createRemoteEngine(settingsFor(`${server.url}/pdf/service/`)).call(
      account,
      {},
      createContext(),
    );
    expect(result.credits).toEqual({ remaining: 4 });
  });
});
