// A real S3 server for one test file: s3rver, which knows buckets, keys, clocks, ranges and lists, and keeps objects in files.
// It believes every signature of version 4 and every region: a front before it checks both, written from Amazon's text of
// "Signature Version 4" and of the errors, and can answer 503 for a while. It hands on whole objects alone: s3rver would keep
// what came of one that was cut, which no S3 does. What they cannot show: permissions of a key, virtual hosts of buckets, TLS,
// and how a store behaves that is really overloaded.
import crypto, { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request as ask, createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import S3rver from 's3rver';

export const BUCKET = 'papers';
export const REGION = 'eu-west-1';
/** The one key that it knows. */
export const KEY = 'S3RVER:S3RVER';

export interface S3Server {
  readonly endpoint: string;
  /** Names of the objects that are there. */
  objects(): string[];
  /** Every request gets 503 until `accept` is called, or every one for such a path. */
  refuse(path?: RegExp): void;
  accept(): void;
  /** How many requests got it. */
  refused(): number;
  /** Nobody listens any more. */
  stop(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

/** `token`: what each request must bring, signed. */
export async function startS3(token?: string): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'pdftool-s3-'));
  const options = { address: '127.0.0.1', silent: true, directory, configureBuckets: [{ name: BUCKET }] };
  const server = new S3rver({ ...options, port: 0 });
  const { port: behind } = await server.run();
  let refused = 0;
  let closed: RegExp | undefined;
  // Requests for one object go on one after the other: s3rver falls over where an object goes while it is opened to be read.
  const turns = new Map<string, Promise<void>>();
  const front = createServer((incoming, outgoing) => {
    const isClosed = closed?.test(incoming.url ?? '') ?? false;
    const error = isClosed ? '<Code>SlowDown</Code>' : signatureError(incoming, token);
    if (error !== undefined) {
      if (isClosed) refused += 1;
      incoming.resume();
      incoming.once('end', () => {
        outgoing.writeHead(isClosed ? 503 : error.includes('Malformed') ? 400 : 403);
        outgoing.end(`<Error>${error}</Error>`);
      });
      return;
    }
    const { method, url, headers } = incoming;
    const pass = (body: Buffer) =>
      new Promise<void>((resolve) => {
        const passed = ask({ host: '127.0.0.1', port: behind, method, path: url, headers }, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
          // Who asked may be killed before an answer, or in the middle of it.
          if (outgoing.destroyed) answer.resume();
          else answer.pipe(outgoing).once('close', () => answer.resume());
          answer.once('close', resolve);
        });
        passed.on('error', () => {
          outgoing.destroy();
          resolve();
        });
        passed.end(body);
      });
    const [object = ''] = String(url).split('?');
    const inTurn = async (body: Buffer) => {
      const before = turns.get(object);
      const turn = (async () => {
        await before;
        await pass(body);
      })();
      turns.set(object, turn);
      await turn;
      if (turns.get(object) === turn) turns.delete(object);
    };
    // Who asked may be killed in the middle of its upload: nothing of it is there then.
    buffer(incoming).then(inTurn, () => outgoing.destroy());
  });
  const listen = (port: number) => new Promise<void>((resolve) => front.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = front.address() as AddressInfo; // it listens on a port
  const stop = async () => {
    if (!front.listening) return;
    const closed = new Promise((resolve) => front.close(resolve));
    front.closeAllConnections();
    await closed;
  };
  return {
    endpoint: `http://127.0.0.1:${port}`,
    objects: () =>
      readdirSync(join(directory, BUCKET), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('._S3rver_object'))
        .map((name) => name.replace(/\._S3rver_object$/, ''))
        .sort(),
    refuse(path = /^/) {
      closed = path;
    },
    accept() {
      closed = undefined;
    },
    refused: () => refused,
    stop,
    start: () => listen(port),
    async remove() {
      await stop();
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

// s3rver names the next page of a list by DES, which OpenSSL has no more since its version 3: thrice with one key is the same.
const { createCipheriv, createDecipheriv } = crypto;
const asThrice = (algorithm: string, key: Buffer) =>
  algorithm === 'des' ? (['des-ede-cbc', Buffer.concat([key, key])] as const) : ([algorithm, key] as const);
Object.assign(crypto, {
  createCipheriv: (algorithm: string, key: Buffer, iv: Buffer) => createCipheriv(...asThrice(algorithm, key), iv),
  createDecipheriv: (algorithm: string, key: Buffer, iv: Buffer) => createDecipheriv(...asThrice(algorithm, key), iv),
});

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const escaped = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);

/** What is wrong with the signature of a request; undefined where it is right. */
function signatureError({ method, url = '', headers }: IncomingMessage, token?: string): string | undefined {
  const { pathname, searchParams } = new URL(url, 'http://front');
  const inHeader = Object.fromEntries(
    [...(headers.authorization ?? '').matchAll(/(\w+)=([^, ]+)/g)].map(([, name, value]) => [name, value]),
  );
  const given = searchParams.get('X-Amz-Signature') ?? inHeader.Signature;
  const names = searchParams.get('X-Amz-SignedHeaders') ?? inHeader.SignedHeaders ?? '';
  const credential = searchParams.get('X-Amz-Credential') ?? inHeader.Credential ?? '';
  const at = searchParams.get('X-Amz-Date') ?? String(headers['x-amz-date']);
  const [id, day = '', region = '', service = ''] = credential.split('/');
  const [known, secret] = KEY.split(':');
  if (given === undefined) return '<Code>AccessDenied</Code>';
  if (id !== known) return '<Code>InvalidAccessKeyId</Code>';
  const signedToken = names.split(';').includes('x-amz-security-token') ? headers['x-amz-security-token'] : undefined;
  if ((searchParams.get('X-Amz-Security-Token') ?? signedToken) !== token) return '<Code>InvalidToken</Code>';
  if (region !== REGION) return `<Code>AuthorizationHeaderMalformed</Code><Region>${REGION}</Region>`;
  const seconds = Number(searchParams.get('X-Amz-Expires') ?? Number.NaN);
  const signedAt = Date.parse(at.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
  if (Date.now() > signedAt + seconds * 1000) return '<Code>AccessDenied</Code>';
  const query = [...searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort();
  const payload = headers['x-amz-content-sha256'] ?? 'UNSIGNED-PAYLOAD';
  const lines = names.split(';').map((name: string) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = [method, pathname, query.join('&'), lines.join(''), names, payload].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const digest = createHash('sha256').update(canonical).digest('hex');
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`);
  const expected = hmac(key, ['AWS4-HMAC-SHA256', at, scope, digest].join('\n')).toString('hex');
  return given === expected ? undefined : '<Code>SignatureDoesNotMatch</Code>';
}
