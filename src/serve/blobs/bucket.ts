// A client of S3 and compatible stores: puts, reads, lists and removes objects, and signs addresses.
import { request as askHttp, Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { request as askHttps, Agent as HttpsAgent } from 'node:https';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { AwsV4Signer } from 'aws4fetch';
import { Failure } from '../../contract/base/failure.ts';
import type { Clock } from '../../contract/base/ports.ts';
import { say, setting, type Wording } from '../../contract/base/wording.ts';
import { writeAll } from '../../runtime/files/stores/blobs.ts';
import { errnoOf } from '../../runtime/files/system/file-failure.ts';
import { AWAY_CODES } from '../base/network.ts';
import { StorageAway } from './blobs.ts';

/** Milliseconds for which a request to a storage that refuses is retried, as for the database. */
const PATIENCE = 15_000;
/** Milliseconds before a retry; doubled each time, up to the longest. */
const PAUSE = { first: 100, longest: 2_000 } as const;
/** Milliseconds of silence after which a connection is closed. */
const SILENCE = 20_000;
/** Milliseconds by which the clocks may differ. S3 itself refuses 15 minutes. */
const MOST_APART = 120_000;

export interface BucketPlace {
  /** `s3://bucket/prefix` */
  readonly address: string;
  /** The access key and its secret, with a colon between them. */
  readonly key: string | undefined;
  /** The session token of a temporary key. */
  readonly token?: string | undefined;
  /** Undefined for Amazon's. */
  readonly endpoint: string | undefined;
  readonly region: string;
}

type Body = Buffer | { readonly bytes: number; readonly open: () => Readable };

interface Question {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly range?: string;
  readonly body?: Body;
}

/** An answer of the storage other than success. */
class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly region: string | undefined;

  constructor(status: number, code: string, region: string | undefined) {
    super(`the storage answered ${status} ${code}`);
    this.status = status;
    this.code = code;
    this.region = region;
  }
}

/** Keys are relative to the prefix. Every method waits while the storage is away, and throws StorageAway after that. */
export class Bucket {
  readonly #place: BucketPlace;
  readonly #clock: Clock;
  readonly #parts: ReturnType<typeof partsOf>;
  readonly #credentials: ReturnType<typeof keyOf>;
  readonly #isPlain: boolean;
  readonly #agent: HttpAgent;
  readonly #closed = new AbortController();

  constructor(place: BucketPlace, clock: Clock) {
    this.#place = place;
    this.#clock = clock;
    this.#parts = partsOf(place);
    this.#credentials = keyOf(place);
    this.#isPlain = this.#parts.root.startsWith('http:');
    this.#agent = this.#isPlain ? new HttpAgent({ keepAlive: true }) : new HttpsAgent({ keepAlive: true });
  }

  async put(key: string, body: Body): Promise<void> {
    await this.#read({ method: 'PUT', key, body });
  }

  async remove(key: string): Promise<void> {
    await this.#read({ method: 'DELETE', key });
  }

  async list(below: string): Promise<string[]> {
    const { prefix } = this.#parts;
    const keys: string[] = [];
    for (let more: string | undefined; ; ) {
      const next = more === undefined ? {} : { 'continuation-token': more };
      const query = { 'list-type': '2', prefix: `${prefix}${below}`, ...next };
      const answer = await this.#read({ method: 'GET', key: '', query });
      keys.push(...tag(answer, 'Key').map((key) => key.slice(prefix.length)));
      more = tag(answer, 'NextContinuationToken')[0];
      if (more === undefined) return keys;
    }
  }

  /** Writes bytes of an object to a stream; an interrupted read is resumed. */
  async pour(key: string, into: Writable, start: number, end: number): Promise<void> {
    for (let at = start; at < end; ) {
      const from = at;
      await this.#again(async () => {
        const answer = await this.#once({ method: 'GET', key, range: `bytes=${at}-${end - 1}` });
        for await (const chunk of answer) {
          await writeAll(into, chunk as Buffer); // no encoding is set
          at += (chunk as Buffer).length;
        }
      });
      if (at === from) throw new Error(`${key} is shorter than it was`);
    }
  }

  async address(key: string, seconds: number, query: Readonly<Record<string, string>>): Promise<string> {
    return (await this.#signed('GET', key, { ...query, 'X-Amz-Expires': String(seconds) }, true)).url.href;
  }

  /** Throws a Failure for wrong settings, or where the objects belong to another store than `mark`. */
  async assertUsable(mark: string): Promise<void> {
    const probe = `probe-${mark}`;
    const place = this.#place;
    try {
      const put = await this.#again(() => this.#once({ method: 'PUT', key: probe, body: Buffer.from(mark) }), 0);
      await text(put);
      const apart = this.#clock.now() - Date.parse(put.headers.date ?? '');
      if (Math.abs(apart) > MOST_APART) throw wrongClock(Math.round(apart / 1000));
      await this.#read({ method: 'DELETE', key: probe });
      const isUsed = (await this.list(MARK)).includes(MARK);
      if (!isUsed) await this.#read({ method: 'PUT', key: MARK, body: Buffer.from(mark) });
      else if ((await this.#read({ method: 'GET', key: MARK })) !== mark) {
        throw new Failure('usage', `the objects below ${place.address} belong to another database`, {
          hint: 'Name the storage that the other servers of this database use, or another prefix.',
        });
      }
    } catch (error) {
      const { name, root } = this.#parts;
      throw startFailure(error, { name, where: new URL(root).host, accessKeyId: this.#credentials.accessKeyId, place });
    }
  }

  close(): void {
    this.#closed.abort();
    this.#agent.destroy();
  }

  #signed(method: string, key: string, query: Readonly<Record<string, string>> = {}, signQuery = false) {
    const { root, prefix } = this.#parts;
    const url = new URL(`${root}${key === '' ? '' : `${prefix}${key}`}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const datetime = new Date(this.#clock.now()).toISOString().replace(/[:-]|\.\d{3}/g, '');
    const signer = { ...this.#credentials, service: 's3', region: this.#place.region, datetime, signQuery };
    return new AwsV4Signer({ ...signer, method, url: url.href }).sign();
  }

  async #once({ method, key, query, range, body }: Question): Promise<IncomingMessage> {
    const { url, headers } = await this.#signed(method, key, query);
    const length = body === undefined ? 0 : 'bytes' in body ? body.bytes : body.length;
    const sent = {
      ...Object.fromEntries(headers as Headers),
      ...(range === undefined ? {} : { range }),
      ...(method === 'PUT' ? { 'content-length': String(length) } : {}),
    };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { method, agent: this.#agent, headers: sent, signal: this.#closed.signal };
      const request = (this.#isPlain ? askHttp : askHttps)(url, options, resolve);
      request.setTimeout(SILENCE, () => request.destroy(Object.assign(new Error('silent'), { code: 'ETIMEDOUT' })));
      request.on('error', reject);
      if (body === undefined || !('bytes' in body)) request.end(body);
      else pipeline(body.open(), request).catch(reject);
    });
    const { statusCode = 0 } = answer;
    if (statusCode >= 200 && statusCode < 300) return answer;
    const xml = await text(answer);
    const region = (answer.headers['x-amz-bucket-region'] as string | undefined) ?? tag(xml, 'Region')[0];
    throw new Refusal(statusCode, tag(xml, 'Code')[0] ?? '', region);
  }

  /** Retries while the storage is away. */
  async #again<T>(attempt: () => Promise<T>, patience = PATIENCE): Promise<T> {
    const clock = this.#clock;
    const { signal } = this.#closed;
    const end = clock.now() + patience;
    for (let pause: number = PAUSE.first; ; pause = Math.min(2 * pause, PAUSE.longest)) {
      try {
        return await attempt();
      } catch (error) {
        if (!mayPass(error) || signal.aborted) throw error;
        if (clock.now() + pause > end) throw new StorageAway('the storage does not answer; try again', error);
        await clock.sleep(pause, signal).catch(() => {});
      }
    }
  }

  #read(question: Question): Promise<string> {
    return this.#again(async () => text(await this.#once(question)));
  }
}

const MARK = 'store-id';

/** The texts of an element in an answer. Our keys need no XML escapes. */
function tag(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, value = '']) => value);
}

/** The prefix holds only characters that need no escaping in URLs, XML and signatures. */
const FORM = /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/([\w.\-/]*))?$/;

function partsOf({ address, endpoint, region }: BucketPlace): { name: string; prefix: string; root: string } {
  const [, name, path = ''] = FORM.exec(address) ?? [];
  if (name === undefined) {
    throw new Failure('usage', `expected a storage such as s3://bucket/prefix, found ${address}`);
  }
  const prefix = path.replace(/^\/+|\/+$/g, '');
  // Path style, because other stores have no host name for each bucket.
  const root =
    endpoint === undefined ? `https://${name}.s3.${region}.amazonaws.com/` : `${endpoint.replace(/\/+$/, '')}/${name}/`;
  return { name, prefix: prefix === '' ? '' : `${prefix}/`, root };
}

function keyOf({ key = '', token }: BucketPlace): {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
} {
  const [, accessKeyId, secretAccessKey] = /^([^:\s]+):(\S+)$/.exec(key) ?? [];
  if (accessKeyId !== undefined && secretAccessKey !== undefined) {
    return { accessKeyId, secretAccessKey, ...(token === undefined ? {} : { sessionToken: token }) };
  }
  throw new Failure('usage', 'the storage needs an access key, as ID:SECRET', {
    hint: 'Put it into a file that PDFTOOL_SERVE_STORAGE_KEY_FILE names, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  });
}

const OVERLOADED = [408, 429, 500, 502, 503, 504];

function mayPass(error: unknown): boolean {
  if (error instanceof Refusal) return OVERLOADED.includes(error.status) || error.code === 'RequestTimeout';
  return [...AWAY_CODES, 'ENOTFOUND'].includes(errnoOf(error) ?? '');
}

function wrongClock(seconds?: number): Failure {
  const by =
    seconds === undefined ? 'minutes away from' : `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'}`;
  const message = `the clock of this machine is ${by} that of the storage`;
  return new Failure('usage', message, { hint: 'Set the clocks of both by NTP.' });
}

interface Tried {
  readonly name: string;
  readonly where: string;
  readonly accessKeyId: string;
  readonly place: BucketPlace;
}

/** The Failure for a storage that is unusable at the start. */
function startFailure(error: unknown, { name, where, accessKeyId, place }: Tried): unknown {
  const cause = error instanceof StorageAway ? error.cause : error;
  if (cause instanceof Failure) return cause;
  const refuse = (message: string, hint: Wording) => new Failure('usage', message, { hint, cause });
  if (!(cause instanceof Refusal)) {
    const message = `the storage at ${where} cannot be reached: ${errnoOf(cause) ?? String(cause)}`;
    return new Failure('unavailable', message, {
      hint: 'See that it runs, and that storage_endpoint is right.',
      cause,
    });
  }
  switch (cause.code) {
    case 'NoSuchBucket':
      return refuse(`there is no bucket ${name} at ${where}`, say`Make it first, or correct ${setting('storage')}.`);
    case 'InvalidAccessKeyId':
      return refuse(`the storage at ${where} does not know the access key ${accessKeyId}`, 'Correct the key.');
    case 'SignatureDoesNotMatch':
      return refuse(
        `the secret of the access key ${accessKeyId} is wrong for ${where}`,
        'Correct the secret of the key.',
      );
    case 'InvalidToken':
    case 'ExpiredToken':
      return refuse(
        `the storage at ${where} does not take the token of the access key ${accessKeyId}`,
        'Correct AWS_SESSION_TOKEN, or unset it; it may be over.',
      );
    case 'AccessDenied':
      return refuse(
        `the access key ${accessKeyId} may not use ${place.address}`,
        'Let it list the bucket, and get, put and delete objects below the prefix.',
      );
    case 'RequestTimeTooSkewed':
      return wrongClock();
    case 'AuthorizationHeaderMalformed':
    case 'PermanentRedirect':
    case 'TemporaryRedirect':
    case 'IllegalLocationConstraintException':
      return refuse(
        `the bucket ${name} is ${cause.region === undefined ? 'not' : `in region ${cause.region}, not`} in ${place.region}`,
        'Correct storage_region.',
      );
    default:
      return refuse(`${place.address} cannot be used: ${cause.message}`, 'See the log of the storage.');
  }
}
