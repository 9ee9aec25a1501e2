// A service with state on real sockets: audio jobs, workflow jobs, upload sessions, a second origin for results. It
// follows SERVICE.md where that speaks, and counts what it is asked.
import { createHash, randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Bytes of its body that arrived; growing while it does. */
  bytes: number;
  readonly at: number;
}

export interface Job {
  readonly id: string;
  readonly kind: 'speech' | 'workflow';
  readonly key?: string;
  readonly uploadId?: string;
  readonly declared: number;
  /** What arrived, byte by byte. */
  input: Buffer;
  /** Requests that put bytes there. */
  turns: number;
  finalized: number;
  polls: number;
  request: Record<string, unknown>;
}

export interface Behaviour {
  /** The words a job says, one a poll; the last stays. */
  states: readonly (string | Record<string, unknown>)[];
  /** Upload addresses go on where they stopped. */
  resumable: boolean;
  /** What a job makes of its input. */
  result: Buffer | Record<string, unknown>;
  /** Called before a request is answered; true when it has taken care of it. */
  intercept?: (request: SeenRequest, response: ServerResponse, incoming: IncomingMessage) => boolean | undefined;
  /** Milliseconds between two chunks of a body that are read. */
  slow: number;
  /** Called when a part of a body has been read. */
  onChunk?: (request: SeenRequest) => void;
  resultType: string;
}

export interface JobService {
  readonly url: string;
  /** Where results lie: another origin. */
  readonly store: string;
  readonly seen: SeenRequest[];
  readonly storeSeen: SeenRequest[];
  readonly jobs: Map<string, Job>;
  readonly behaviour: Behaviour;
  count(method: string, pattern: RegExp): number;
  /** Tokens that results are fetched with; deleting one makes its address expire. */
  readonly tokens: Map<string, string>;
  /** Stops listening for a while, as a network does; `up` takes the same port again. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

export const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

export async function startJobService(given: Partial<Behaviour> = {}): Promise<JobService> {
  const behaviour: Behaviour = {
    states: ['queued', 'running', 'succeeded'],
    resumable: true,
    result: Buffer.from('the result of a job'),
    slow: 0,
    resultType: 'audio/mpeg',
    ...given,
  };
  const seen: SeenRequest[] = [];
  const storeSeen: SeenRequest[] = [];
  const jobs = new Map<string, Job>();
  const tokens = new Map<string, string>();
  let url = '';
  let store = '';

  const api = createServer((incoming, response) => {
    const request = keep(seen, incoming);
    if (behaviour.intercept?.(request, response, incoming) === true) return;
    void route(request, incoming, response).catch(() => incoming.socket.destroy());
  });
  const storage = createServer((incoming, response) => {
    const request = keep(storeSeen, incoming);
    if (behaviour.intercept?.(request, response, incoming) === true) return;
    const token = /^\/results\/([\w-]+)$/.exec(request.path)?.[1] ?? '';
    const id = tokens.get(token);
    if (id === undefined) return json(response, 403, { ok: false, error: 'this address has expired' });
    sendFile(request, response, resultOf(id), behaviour.resultType);
  });
  api.requestTimeout = 0;

  async function route(request: SeenRequest, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, path, headers } = request;
    const [, , upload] = /^\/(upload)\/([\w-]+)$/.exec(path) ?? [];
    if (method === 'PUT' && upload !== undefined) return takeUpload(upload, request, incoming, response);
    if (headers.authorization === undefined) return json(response, 401, { ok: false, error: 'no key' });
    if (method === 'GET' && path === '/api/v1/account') {
      const account = { ok: true, credits_remaining: 500, credits_lifetime_used: 0, api_key: { id: 'k', label: null } };
      return json(response, 200, account);
    }
    if (method === 'POST' && /pdf-to-audiobook|presentation-narration/.test(path)) {
      const body = await whole(incoming, request);
      const job = newJob({ kind: 'speech', declared: body.length, input: body });
      return json(response, 202, {
        ok: true,
        job_id: job.id,
        status_url: `${url}/api/v1/jobs/${job.id}`,
        extra: 'kept',
      });
    }
    if (method === 'POST' && path === '/api/v1/workflow-jobs') return create(request, incoming, response);
    const status = /^\/api\/v1\/(?:jobs|speech-jobs|workflow-jobs)\/([\w-]+)$/.exec(path)?.[1] ?? '';
    if (method === 'POST') return finalize(status, response);
    const download = /^\/api\/v1\/speech-jobs\/([\w-]+)\/download$/.exec(path)?.[1];
    if (download !== undefined && jobs.has(download)) return redirect(response, addressOf(download));
    const job = jobs.get(status);
    const isSpeech = !path.includes('workflow-jobs');
    if (job === undefined || (job.kind === 'speech') !== isSpeech)
      return json(response, 404, { ok: false, error: 'no such job' });
    json(response, 200, record(job));
  }

  async function create(request: SeenRequest, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse((await whole(incoming, request)).toString('utf8')) as Record<string, unknown>;
    const key = String(request.headers['idempotency-key'] ?? '');
    const known = [...jobs.values()].find((job) => key !== '' && job.key === key);
    const job =
      known ??
      newJob({ kind: 'workflow', declared: Number(body.inputBytes), key, uploadId: randomUUID(), request: body });
    const { uploadId = '' } = job;
    json(response, 200, { ok: true, jobId: job.id, uploadId, upload: { session_uri: sessionOf(uploadId) } });
  }

  /** Exactly the declared bytes; with Content-Range a part of them, or a question for how many are there. */
  async function takeUpload(
    uploadId: string,
    request: SeenRequest,
    incoming: IncomingMessage,
    response: ServerResponse,
  ) {
    const job = [...jobs.values()].find((each) => each.uploadId === uploadId);
    if (job === undefined) return json(response, 404, { ok: false, error: 'no such session' });
    const range = request.headers['content-range'];
    if (range === undefined) job.input = Buffer.alloc(0);
    else if (!behaviour.resumable) return json(response, 400, { ok: false, error: 'no ranges here' });
    if (range !== undefined && !range.startsWith('bytes */')) {
      const from = Number(/^bytes (\d+)-/.exec(range)?.[1]);
      if (from !== job.input.length) return json(response, 416, { ok: false, error: `have ${job.input.length}` });
    }
    const turn = ++job.turns;
    for await (const chunk of chunksOf(incoming, request)) {
      // What a dead sender's connection still brings is no part of the upload that came after it.
      if (job.turns !== turn) return void incoming.socket.destroy();
      job.input = Buffer.concat([job.input, chunk]);
    }
    if (job.input.length >= job.declared) return json(response, 200, { ok: true });
    const last = job.input.length - 1;
    response.writeHead(308, last < 0 ? {} : { range: `bytes=0-${last}` }).end();
  }

  /** As slowly as told, so that a sender has not sent all of it when something happens to it. */
  async function* chunksOf(incoming: IncomingMessage, request: SeenRequest): AsyncGenerator<Buffer> {
    for await (const chunk of incoming) {
      request.bytes += (chunk as Buffer).length;
      yield chunk as Buffer;
      behaviour.onChunk?.(request);
      if (behaviour.slow > 0) await new Promise((resolve) => setTimeout(resolve, behaviour.slow));
    }
  }

  async function whole(incoming: IncomingMessage, request: SeenRequest): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of chunksOf(incoming, request)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  function finalize(uploadId: string, response: ServerResponse) {
    const job = [...jobs.values()].find((each) => each.uploadId === uploadId);
    if (job === undefined) return json(response, 404, { ok: false, error: 'no such upload' });
    if (job.input.length !== job.declared)
      return json(response, 422, { ok: false, error: 'the bytes are not those declared' });
    if (job.finalized > 0) return json(response, 409, { ok: false, error: 'finalized before' });
    job.finalized += 1;
    json(response, 200, { ok: true, jobId: job.id, status: 'queued' });
  }

  function record(job: Job): Record<string, unknown> {
    if (job.kind === 'workflow' && job.finalized === 0) return { ok: true, jobId: job.id, status: 'awaiting_upload' };
    const state = behaviour.states[Math.min(job.polls, behaviour.states.length - 1)] ?? 'succeeded';
    job.polls += 1;
    const said = typeof state === 'string' ? { status: state } : state;
    const done = said.status === 'succeeded';
    return {
      ok: true,
      job_id: job.id,
      ...said,
      ...(done && said.result_url === undefined ? { result_url: addressOf(job.id) } : {}),
    };
  }

  function newJob(more: Partial<Job> & Pick<Job, 'kind' | 'declared'>): Job {
    const job = { id: randomUUID(), input: Buffer.alloc(0), turns: 0, finalized: 0, polls: 0, request: {}, ...more };
    jobs.set(job.id, job);
    return job;
  }

  function addressOf(id: string): string {
    const token = randomUUID();
    tokens.set(token, id);
    return `${store}/results/${token}?signature=secret-${token}`;
  }

  const sessionOf = (uploadId: string) =>
    behaviour.resumable ? `${url}/upload/${uploadId}?upload_id=${uploadId}` : `${url}/upload/${uploadId}?signature=x`;

  function resultOf(id: string): Buffer {
    const { result } = behaviour;
    const bytes = result instanceof Buffer ? result : Buffer.from(JSON.stringify(result));
    return jobs.has(id) ? bytes : Buffer.alloc(0);
  }

  url = await listen(api, 0);
  store = (await listen(storage, 0)).replace('127.0.0.1', 'localhost');
  const port = Number(new URL(url).port);
  return {
    url,
    store,
    seen,
    storeSeen,
    jobs,
    behaviour,
    tokens,
    count: (method, pattern) =>
      [...seen, ...storeSeen].filter((each) => each.method === method && pattern.test(each.path)).length,
    down: () => stop(api),
    up: async () => void (await listen(api, port)),
    close: async () => {
      await Promise.all([stop(api), stop(storage)]);
    },
  };
}

function keep(list: SeenRequest[], { method = '', url = '', headers }: IncomingMessage): SeenRequest {
  const request = { method, path: url.split('?')[0] ?? '', headers, bytes: 0, at: Date.now() };
  list.push(request);
  return request;
}

export function json(
  response: ServerResponse,
  status: number,
  value: object,
  headers: Record<string, string> = {},
): void {
  const text = JSON.stringify(value);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}

function redirect(response: ServerResponse, to: string): void {
  response.writeHead(302, { location: to, 'content-length': 0 }).end();
}

/** With ranges and a strong ETag, as object stores have them. */
function sendFile(request: SeenRequest, response: ServerResponse, bytes: Buffer, type: string): void {
  const etag = `"${sha(bytes)}"`;
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? Number.NaN);
  const headers = { 'content-type': type, etag, 'accept-ranges': 'bytes' };
  if (Number.isNaN(from) || request.headers['if-range'] !== etag) {
    response.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes);
    return;
  }
  const part = bytes.subarray(from);
  const range = `bytes ${from}-${bytes.length - 1}/${bytes.length}`;
  response.writeHead(206, { ...headers, 'content-length': part.length, 'content-range': range }).end(part);
}

async function listen(server: Server, port: number): Promise<string> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
