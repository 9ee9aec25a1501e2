/**
 * Filters the lines of a client. A line that is no JSON-RPC message is answered here: the package's transport ends the
 * session at a line of more than 10 MiB, and ignores what it cannot read.
 */
import { Transform, type TransformCallback } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { Failure } from '../contract/base/failure.ts';
import { isRecord } from '../contract/base/present.ts';
import { parseJson } from '../wire/json.ts';

export const MOST_CHARACTERS = 10 * 1024 * 1024;

/** Codes of JSON-RPC. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const INVALID_PARAMS = -32_602;

type Id = string | number | null;

/** Passes messages on, and has each other line answered. */
export function onlyMessages(answer: (line: string) => void): Transform {
  const decoder = new StringDecoder('utf8');
  let line = '';
  let isTooLong = false;
  const refuse = (id: Id, code: number, message: string) =>
    answer(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  const take = (stream: Transform) => {
    if (isTooLong) refuse(null, INVALID_REQUEST, `A message has at most ${MOST_CHARACTERS} characters`);
    else if (line.trim() !== '') {
      const fault = faultOf(line);
      if (fault === undefined) stream.push(`${line}\n`);
      else refuse(fault.id, fault.code, fault.message);
    }
    line = '';
    isTooLong = false;
  };
  return new Transform({
    transform(chunk: Buffer, _, done: TransformCallback) {
      const [first = '', ...rest] = decoder.write(chunk).split('\n');
      const append = (text: string) => {
        isTooLong ||= line.length + text.length >= MOST_CHARACTERS;
        line = isTooLong ? '' : line + text;
      };
      append(first);
      for (const text of rest) {
        take(this);
        append(text);
      }
      done();
    },
  });
}

interface Fault {
  readonly id: Id;
  readonly code: number;
  readonly message: string;
}

/** What is wrong with a line; undefined where it is a message. */
function faultOf(line: string): Fault | undefined {
  let message: unknown;
  try {
    message = parseJson(line, 'The message');
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { id: null, code: error.kind === 'limit' ? INVALID_REQUEST : PARSE_ERROR, message: error.message };
  }
  if (!isRecord(message)) return { id: null, code: INVALID_REQUEST, message: 'Expected one message, a JSON object' };
  const { jsonrpc, id, method, params, result, error } = message;
  const isId = typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id));
  const fault = (code: number, text: string): Fault => ({ id: isId ? id : null, code, message: text });
  if (jsonrpc !== '2.0') return fault(INVALID_REQUEST, 'Expected jsonrpc to be "2.0"');
  if (id !== undefined && !isId) return fault(INVALID_REQUEST, 'Expected id to be text or a whole number');
  if (method === undefined) {
    if (isId && (isRecord(result) || isRecord(error))) return undefined;
    return fault(INVALID_REQUEST, 'Expected a method, or an id with a result or an error');
  }
  if (typeof method !== 'string') return fault(INVALID_REQUEST, 'Expected method to be text');
  if (params !== undefined && !isRecord(params)) return fault(INVALID_REQUEST, 'Expected params to be an object');
  if (method === 'tools/call' && typeof params?.name !== 'string')
    return fault(INVALID_PARAMS, 'Expected params.name to be the name of a tool');
  if (method === 'tools/call' && params?.arguments !== undefined && !isRecord(params.arguments))
    return fault(INVALID_PARAMS, 'Expected params.arguments to be an object');
  if (method === 'resources/read' && typeof params?.uri !== 'string')
    return fault(INVALID_PARAMS, 'Expected params.uri to be text');
  return undefined;
}

/** A member of a JSON object; undefined where there is none. */
export function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}
