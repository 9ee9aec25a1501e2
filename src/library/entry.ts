/**
 * The library: a function for each row. It loads only the rows, sets no handler, writes to no stream and keeps nothing
 * between calls. Its types are written by scripts/derive/library-types.ts.
 */
import { type AnyOperation, isCallable } from '../contract/operation.ts';
import { OPERATIONS } from '../contract/operations/all.ts';
import { camelCase } from '../contract/spelling.ts';
import { PdftoolError } from './error.ts';

function functionFor(op: AnyOperation): (...args: unknown[]) => unknown {
  const load = () => import('./call.ts');
  return (...args) => {
    // Several files are returned one by one. Which output is asked for is known before anything is loaded.
    const [options] = args.slice(-1);
    const parts = async function* () {
      yield* (await load()).callParts(op, args);
    };
    return makesParts(op, options) ? parts() : load().then(({ call }) => call(op, args));
  };
}

/** Whether a call returns several files that are not placed anywhere. */
function makesParts({ outputs, outputBy }: AnyOperation, options: unknown): boolean {
  const given = typeof options === 'object' && options !== null ? (options as Readonly<Record<string, unknown>>) : {};
  if (given.output !== undefined) return false;
  const named = outputBy === undefined ? undefined : given[camelCase(outputBy)];
  const chosen = named === true ? outputBy : named;
  const [first] = Object.values(outputs);
  return (typeof chosen === 'string' ? outputs[chosen] : first)?.kind === 'parts';
}

const functions = OPERATIONS.filter(isCallable).map((op) => [camelCase(op.name), functionFor(op)] as const);

export default { ...Object.fromEntries(functions), PdftoolError };
