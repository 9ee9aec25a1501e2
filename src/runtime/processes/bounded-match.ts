import { runInNewContext } from 'node:vm';
import { Failure } from '../../contract/base/failure.ts';
import { field, say } from '../../contract/base/wording.ts';

/** Milliseconds an expression has for a page. */
const PATIENCE = 1_000;
const MOST_MATCHES = 10_000;

const PROGRAM = `
  const found = [];
  for (const hit of text.matchAll(new RegExp(source, 'giu'))) {
    if (hit[0].length > 0) found.push([hit.index, hit.index + hit[0].length]);
    if (found.length >= most) break;
  }
  JSON.stringify(found);
`;

/** The matches of a regular expression in a text. A search that takes too long is stopped by V8's own timer. */
export function matchWithin(source: string, text: string): readonly (readonly [number, number])[] {
  try {
    const matches: unknown = runInNewContext(PROGRAM, { source, text, most: MOST_MATCHES }, { timeout: PATIENCE });
    return JSON.parse(String(matches)) as (readonly [number, number])[]; // made by the program above
  } catch (error) {
    // An error of another context is no instance of this context's classes.
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      const message = say`${field('regex')}: an expression took longer than ${PATIENCE / 1000} s on one page`;
      throw new Failure('usage', message, {
        kind: 'limit',
        hint: 'Make it simpler: repetitions inside of repetitions, such as (a+)+, take forever.',
        cause: error,
      });
    }
    throw error;
  }
}
