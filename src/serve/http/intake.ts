import type { IncomingHttpHeaders } from 'node:http';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { Failure } from '../../contract/base/failure.ts';
import { KB } from '../../contract/limits.ts';
import { createBlob, fillBlob, joinPath } from '../../runtime/files/stores/blobs.ts';
import { safeBaseName } from '../../wire/filename.ts';
import { plain } from '../../wire/plain.ts';

export interface IntakeLimits {
  /** The total of all files. */
  readonly inputBytes: number;
  readonly files: number;
  readonly fields: number;
}

export interface TakenFile {
  readonly field: string;
  readonly path: string;
  /** The sender's name for it, for messages only. */
  readonly name: string;
  readonly bytes: number;
}

/** The most of one text field. */
const FIELD_BYTES = 64 * KB;
/** Bytes of boundaries, headers and text fields that the announced length may have beside the files. */
const OVERHEAD = 1024 * KB;

/** The name on disk. A client's file name is never used. */
export function inputName(index: number): string {
  return `in-${index}`;
}

/** Reads a form into `folder`. After a throw nothing is written any more; the caller removes the folder. */
export async function takeForm(
  headers: IncomingHttpHeaders,
  chunks: AsyncIterable<Buffer>,
  folder: string,
  limits: IntakeLimits,
) {
  const announced = Number(headers['content-length'] ?? 0);
  if (announced > limits.inputBytes + OVERHEAD) throw tooLarge(limits, announced);
  const parser = parserFor(headers, limits);
  const fields: { name: string; text: string }[] = [];
  const files: TakenFile[] = [];
  const targets: Writable[] = [];
  let total = 0;

  let feeding = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    const given = new AbortController();
    // The first failure counts: the parser reports others when it is stopped.
    const fail = (failure: unknown) => {
      reject(failure);
      given.abort();
    };
    for (const [event, message] of LIMIT_EVENTS) parser.once(event, () => fail(new Failure('usage', message(limits))));
    parser.on('field', (name, text, nameCut, textCut) => {
      if (nameCut || textCut) fail(new Failure('too_large', `expected at most ${FIELD_BYTES} bytes of ${plain(name)}`));
      fields.push({ name: String(name), text });
    });
    parser.on('file', (field, stream, filename) => {
      const name = plain(safeBaseName(filename ?? 'file'));
      const path = joinPath(folder, inputName(files.length));
      const file = { field: String(field), path, name, bytes: 0 };
      files.push(file);
      let target: Writable;
      try {
        target = createBlob(path);
      } catch (error) {
        // Thrown inside the parser's event, it would crash the process.
        stream.resume();
        return fail(error);
      }
      targets.push(target);
      fillBlob(target, stream, (bytes) => {
        file.bytes += bytes;
        total += bytes;
        if (total > limits.inputBytes) fail(tooLarge(limits));
      });
      stream.once('error', () => fail(malformed()));
      target.once('error', fail);
    });
    parser.once('error', () => fail(malformed()));
    parser.once('finish', () => {
      const parts = partsSeen(parser);
      if (parts !== undefined && parts !== files.length + fields.length) return fail(malformed());
      resolve();
    });
    feeding = feed(parser, chunks, given.signal).catch(fail);
  }).catch(async (error: unknown) => {
    await feeding;
    parser.destroy();
    // The caller removes the folder: no file may be open.
    await Promise.all(targets.map(closed));
    throw error;
  });
  await Promise.all(targets.map((target) => finished(target)));
  return { fields, files };
}

/** Writes the body to the parser with back-pressure. Returns early after `unwanted`. */
async function feed(parser: BusboyInstance, chunks: AsyncIterable<Buffer>, unwanted: AbortSignal): Promise<void> {
  let goOn = () => {};
  parser.on('drain', () => goOn());
  unwanted.addEventListener('abort', () => goOn(), { once: true });
  for await (const chunk of chunks) {
    if (unwanted.aborted) return;
    if (parser.write(chunk)) continue;
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    if (unwanted.aborted) return;
  }
  parser.end();
}

const LIMIT_EVENTS: readonly (readonly [
  'partsLimit' | 'filesLimit' | 'fieldsLimit',
  (limits: IntakeLimits) => string,
])[] = [
  ['partsLimit', ({ files, fields }) => `expected at most ${files + fields} parts`],
  ['filesLimit', ({ files }) => `expected at most ${files} file parts`],
  ['fieldsLimit', ({ fields }) => `expected at most ${fields} text parts`],
];

function parserFor(headers: IncomingHttpHeaders, { files, fields }: IntakeLimits): BusboyInstance {
  const type = headers['content-type'];
  if (type === undefined || !/^multipart\/form-data\s*;.*\bboundary="?[^\s";]/i.test(type)) {
    const actual = type === undefined ? 'no content type' : plain(type.slice(0, 100));
    throw new Failure('usage', `expected multipart/form-data with a boundary, found ${actual}`);
  }
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': type },
      highWaterMark: 256 * KB,
      fileHwm: 256 * KB,
      // Sizes are counted by takeForm: the parser's limit would cut a part and go on.
      limits: { files, fields, parts: files + fields, fieldSize: FIELD_BYTES, fieldNameSize: 200, headerPairs: 50 },
      isPartAFile: (_name, _type, filename) => filename !== undefined,
    });
  } catch (cause) {
    throw new Failure('usage', 'the boundary of the multipart body cannot be used', { cause });
  }
}

/** Parts in the body, including those that the parser skips silently (no name, no disposition). */
function partsSeen(parser: BusboyInstance): number | undefined {
  // A private counter: the parser does not report skipped parts. A test fails if it is renamed.
  const inner: unknown = Reflect.get(parser, '_parser');
  const seen: unknown = typeof inner === 'object' && inner !== null ? Reflect.get(inner, '_nparts') : undefined;
  return typeof seen === 'number' ? seen : undefined;
}

function closed(target: Writable): Promise<void> {
  target.destroy();
  return target.closed ? Promise.resolve() : new Promise((resolve) => target.once('close', () => resolve()));
}

function tooLarge({ inputBytes }: IntakeLimits, announced?: number): Failure {
  const size = announced === undefined ? 'more' : `a body of ${announced}`;
  return new Failure('too_large', `expected at most ${inputBytes} bytes of input, found ${size}`, { kind: 'limit' });
}

function malformed(): Failure {
  return new Failure('usage', 'the multipart body is malformed or ends too early', { kind: 'truncated' });
}
