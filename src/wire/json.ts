import { Failure } from '../contract/base/failure.ts';

/** Bytes of a JSON body. 2,000 regions of a redaction are a third of it. */
export const JSON_BYTES = 1024 * 1024;
/** Levels of nested objects and lists. SQLite and JSON.stringify fail at some thousands, and nothing here needs ten. */
const JSON_DEPTH = 64;

/** Members and items. 2,000 regions of a redaction have 16,000; 100,000 members of one object take V8 and us half a second. */
const JSON_VALUES = 20_000;

/** Parses JSON from outside. Throws a usage Failure where it is invalid or exceeds a bound; `what` begins the message. */
export function parseJson(text: string, what: string): unknown {
  const excess = excessOf(text);
  if (excess !== undefined) throw new Failure('usage', `${what} ${excess}`, { kind: 'limit' });
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Failure('usage', `${what} is no valid JSON`, { cause });
  }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];

/** The bound that a text exceeds, determined before it is parsed. */
function excessOf(text: string): string | undefined {
  let depth = 0;
  let values = 1;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) isString = !isString;
    else if (isString) continue;
    else if (code === 0x5b || code === 0x7b) depth += 1;
    else if (code === 0x5d || code === 0x7d) depth -= 1;
    else if (code === COMMA) values += 1;
    if (depth > JSON_DEPTH) return `nests more than ${JSON_DEPTH} levels of objects and lists`;
    if (values > JSON_VALUES) return `has more than ${JSON_VALUES} members and items`;
  }
  return undefined;
}
