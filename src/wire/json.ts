import { Failure } from '../contract/failure.ts';

/** Bytes of a JSON body. 2,000 regions of a redaction are a third of it. */
export const JSON_BYTES = 1024 * 1024;
/** Levels of objects and lists in JSON from outside. SQLite and JSON.stringify fail on some thousands, and nothing here has ten. */
const JSON_DEPTH = 64;

/** JSON from outside. Throws a usage Failure where it is none or nests too deeply; `what` is how messages begin. */
export function parseJson(text: string, what: string): unknown {
  if (isDeep(text)) {
    const message = `${what} nests more than ${JSON_DEPTH} levels of objects and lists`;
    throw new Failure('usage', message, { kind: 'limit' });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Failure('usage', `${what} is no valid JSON`, { cause });
  }
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];

function isDeep(text: string): boolean {
  let depth = 0;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) isString = !isString;
    else if (isString) continue;
    else if (code === 0x5b || code === 0x7b) depth += 1;
    else if (code === 0x5d || code === 0x7d) depth -= 1;
    if (depth > JSON_DEPTH) return true;
  }
  return false;
}
