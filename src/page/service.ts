// Requests to the server that this page came from.
import type { ServiceOperation } from '../contract/operation.ts';

/** A failed request: the server's error, or that it was unreachable, and advice. */
export class RequestError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export const isKeyRefused = ({ code }: { readonly code: string }): boolean =>
  code === 'unauthenticated' || code === 'forbidden';

export interface Answer {
  readonly blob: Blob;
  readonly mediaType: string;
  readonly creditsLeft: number | undefined;
}

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: FormData | Blob | string;
  /** Replaces the API key; empty for a signed URL. */
  readonly key?: string;
  readonly signal?: AbortSignal;
  /** Called with the sent part of the upload, from 0 to 1. */
  readonly progress?: (part: number) => void;
}

const STORED = 'pdftool-key';

export class ServiceClient {
  /** In memory only, unless the user wants it stored. */
  key = localStorage.getItem(STORED) ?? '';

  useKey(key: string, isRemembered: boolean): void {
    this.key = key.trim();
    if (isRemembered) localStorage.setItem(STORED, this.key);
    else localStorage.removeItem(STORED);
  }

  /** Uses XMLHttpRequest, because fetch reports no upload progress. */
  call({ method, path, body, key = this.key, signal, progress }: Call): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, path);
      request.responseType = 'blob';
      if (key !== '') request.setRequestHeader('Authorization', `Bearer ${key}`);
      if (typeof body === 'string') request.setRequestHeader('Content-Type', 'application/json');
      request.upload.onprogress = ({ loaded, total }) => progress?.(total === 0 ? 1 : loaded / total);
      request.onerror = () =>
        reject(new RequestError('network', 'The server cannot be reached. Nothing is known to be charged; try again.'));
      request.onabort = () => reject(new RequestError('stopped', 'Stopped.'));
      request.onload = () => {
        const blob = request.response as Blob; // responseType says so
        if (request.status >= 400) {
          refusalOf(blob, request.status, request.getResponseHeader('Retry-After')).then(reject, reject);
          return;
        }
        const left = request.getResponseHeader('X-Credits-Remaining');
        const mediaType = (request.getResponseHeader('Content-Type') ?? '').split(';')[0] ?? '';
        resolve({ blob, mediaType, creditsLeft: left === null ? undefined : Number(left) });
      };
      signal?.addEventListener('abort', () => request.abort(), { once: true });
      request.send(body ?? null);
    });
  }

  /** Requests a record; `given`: posted as JSON. */
  async json(path: string, given?: object, more: Partial<Call> = {}): Promise<Record<string, unknown>> {
    const post = given === undefined ? {} : ({ method: 'POST', body: JSON.stringify(given) } as const);
    const { blob } = await this.call({ method: 'GET', path, ...post, ...more });
    return JSON.parse(await blob.text());
  }

  /** Posts a form, as a row takes it. `values`: texts by field. */
  run(
    { path }: Pick<ServiceOperation, 'path'>,
    values: Readonly<Record<string, string>>,
    files: readonly (readonly [field: string, file: Blob, name: string])[],
    more: Pick<Call, 'signal' | 'progress'> = {},
  ): Promise<Answer> {
    const form = new FormData();
    for (const [name, value] of Object.entries(values)) form.append(name, value);
    for (const [field, file, name] of files) form.append(field, file, name);
    return this.call({ method: 'POST', path, body: form, ...more });
  }
}

async function refusalOf(blob: Blob, status: number, wait: string | null): Promise<RequestError> {
  let record: { error?: unknown; _meta?: { code?: unknown } } = {};
  try {
    record = JSON.parse(await blob.text());
  } catch {
    // A proxy may answer with HTML.
  }
  const message = typeof record.error === 'string' ? record.error : `The server answered ${status}`;
  const code = String(record._meta?.code ?? status);
  // The first letter keeps its case: it is often the name of a file.
  const sentence = `${message}${/[.!?]$/.test(message) ? '' : '.'}`;
  return new RequestError(code, [sentence, adviceFor(status, wait)].filter(Boolean).join(' '));
}

function adviceFor(status: number, wait: string | null): string {
  if (status === 401 || status === 403) return 'Enter an API key of this server above.';
  if (status === 402) return 'Ask the operator of this server for credits; nothing was charged.';
  if (status === 413) return 'Take fewer pages, or make the file smaller first; nothing was charged.';
  if (status === 429 || status === 503) return `Try again in ${wait ?? 'a few'} seconds; nothing was charged.`;
  if (status >= 500) return 'Nothing was charged; try again, or ask the operator.';
  return '';
}
