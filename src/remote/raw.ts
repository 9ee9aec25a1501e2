import { Failure } from '../contract/base/failure.ts';
import type { Context } from '../contract/base/ports.ts';
import type { ServiceOperation } from '../contract/operation.ts';
import { SERVICE_OPERATIONS } from '../contract/operations/all.ts';
import type { RequestBody } from '../wire/multipart.ts';
import { perform, sessions } from './exchange.ts';
import { readInto } from './receive.ts';
import { classOf, type ReplayClass } from './replay.ts';
import type { RemoteSettings } from './settings.ts';

export interface RawRequest {
  readonly method: string;
  /** Begins with a slash; may contain a query. */
  readonly path: string;
  readonly body?: RequestBody | undefined;
}

/** The row for a method and a path; undefined where there is none. */
export function findRow(method: string, path: string): ServiceOperation | undefined {
  const plainPath = path.split('?', 1)[0] ?? '';
  return SERVICE_OPERATIONS.find(
    (op) => op.method === method && [op.path, ...op.pathAliases].some((pattern) => matches(pattern, plainPath)),
  );
}

/** One raw call. A request without a row counts as charged, unless it is a GET. */
export async function rawCall(settings: RemoteSettings, request: RawRequest, ctx: Context) {
  const { method, path, body } = request;
  if (!/^[A-Z]{1,20}$/.test(method) || method === 'CONNECT') {
    throw new Failure('usage', `expected a method such as GET or POST, found '${method}'`);
  }
  if (!/^\/[\x21-\x7e]*$/.test(path) || path.startsWith('//') || /(^|\/)\.\.?(\/|$|\?)/.test(path)) {
    throw new Failure('usage', `expected a path below the base URL such as /api/v1/account, found '${path}'`);
  }
  const session = await sessions(settings)();
  return perform(
    {
      name: `${method} ${path.split('?', 1)[0]}`,
      kind: kindOf(method, path),
      // The type allows the methods of rows only; the transport sends any.
      request: { method: method as 'GET', path, headers: { accept: '*/*' }, ...(body === undefined ? {} : { body }) },
      async take(reply, partial, inner) {
        partial.draft?.discard();
        const draft = (partial.draft = inner.temp.create('answer'));
        await readInto(reply, draft, inner);
        return { status: reply.status, headers: reply.headers, body: draft.finish() };
      },
    },
    session,
    ctx,
  );
}

function kindOf(method: string, path: string): ReplayClass {
  if (method === 'GET' || method === 'HEAD') return 'read';
  const op = findRow(method, path);
  return op === undefined ? 'charged' : classOf(op, {});
}

function matches(pattern: string, path: string): boolean {
  const [left, right] = [pattern.split('/'), path.split('/')];
  return left.length === right.length && left.every((part, index) => part.startsWith(':') || part === right[index]);
}
