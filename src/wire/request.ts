import { Failure } from '../contract/base/failure.ts';
import type { ByteSource, Values } from '../contract/base/ports.ts';
import { present } from '../contract/base/present.ts';
import type { Field } from '../contract/field.ts';
import { JPEG, JSON_TYPE, PDF, PNG } from '../contract/media.ts';
import { outputOf, type ServiceOperation } from '../contract/operation.ts';
import { safeBaseName } from './filename.ts';
import { type FilePart, json, multipart, type RequestBody, type TextPart } from './multipart.ts';

/** A request as data. `path`: below the base URL, with its parameters filled in. Header names are in lower case. */
export interface WireRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
}

/**
 * Encodes a call. Sources must know their size: Content-Length is never guessed, chunked encoding never used.
 * `boundary`: see multipart. JSON is sent where the row allows both, because then it has no files.
 */
export function encodeRequest(op: ServiceOperation, input: Values, boundary: string): WireRequest {
  const { output } = outputOf(op, input);
  const accept = output.mediaType === JSON_TYPE ? JSON_TYPE : `${output.mediaType}, ${JSON_TYPE};q=0.5`;
  const { path, used } = fillPath(op, input);
  const own = Object.keys(op.headers ?? {}).filter((name) => input[name] !== undefined);
  const headers = Object.fromEntries(own.map((name) => [name.toLowerCase(), String(input[name])]));
  const request = { method: op.method, path, headers: { accept, ...headers } };
  if (op.body === 'none') return request;
  const given = Object.entries(op.input).filter(
    ([name, field]) => !used.has(name) && field.extension !== true && input[name] !== undefined,
  );
  const parts = () => given.flatMap(([name, field]) => partsOf(name, field, input[name]));
  const record = () => Object.fromEntries(given.map(([name]) => [name, input[name]]));
  const body = op.body === 'multipart' ? multipart(parts(), boundary) : json(record());
  return { ...request, headers: { ...request.headers, 'content-type': body.contentType }, body };
}

/** A field's value as the text of a form field, as SERVICE.md writes it. */
function formText(field: Field, value: unknown): string {
  switch (field.kind) {
    case 'pages':
      return Array.isArray(value) ? value.join(',') : String(value);
    case 'ranges':
    case 'object':
      return JSON.stringify(value);
    default:
      return String(value);
  }
}

function partsOf(name: string, field: Field, value: unknown): (TextPart | FilePart)[] {
  if (field.kind !== 'file' && field.kind !== 'files') return [{ name, text: formText(field, value) }];
  // Checked by the row's schema: a file field holds one source, a files field several.
  const sources = (Array.isArray(value) ? value : [value]) as readonly ByteSource[];
  return sources.map((source) => {
    const { size } = source;
    if (size === undefined) throw new TypeError(`${name}: ${source.name} has no known size; spool it first`);
    const filename = safeBaseName(source.name);
    return {
      name,
      filename,
      mediaType: mediaTypeOf(source, filename, field.types),
      source: { ...bound(source), size },
    };
  });
}

/** A source as a plain object: a spread would lose the methods of its prototype. */
function bound(source: ByteSource): ByteSource {
  const { name, read, readAside } = source;
  return present({
    name,
    open: source.open.bind(source),
    read: read?.bind(source),
    readAside: readAside?.bind(source),
  });
}

function mediaTypeOf(source: ByteSource, filename: string, types: readonly string[]): string {
  if (source.mediaType !== undefined && types.includes(source.mediaType)) return source.mediaType;
  const byName = /\.png$/i.test(filename) ? PNG : /\.jpe?g$/i.test(filename) ? JPEG : undefined;
  return byName !== undefined && types.includes(byName) ? byName : (types[0] ?? PDF);
}

/** `/jobs/:id` with the id filled in. */
function fillPath(op: ServiceOperation, input: Values): { path: string; used: ReadonlySet<string> } {
  const used = new Set<string>();
  const path = op.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(input[name] ?? '');
    // `.` and `..` survive encoding and would lead to another path of the service.
    if (/^\.{0,2}$/.test(value)) throw new Failure('usage', `${op.name}: expected an ${name}, found '${value}'`);
    used.add(name);
    return encodeURIComponent(value);
  });
  return { path, used };
}
