// A file of steps: rows with their fields, in order. Each becomes a command line, so that a step is checked, priced and run as
// it is when somebody types it.
import { Failure } from '../../../contract/failure.ts';
import type { Field } from '../../../contract/field.ts';
import { type AnyOperation, wordsOf } from '../../../contract/operation.ts';
import { OPERATIONS } from '../../../contract/operations/all.ts';
import { asCommandLine } from '../../../contract/spelling.ts';
import { parseJson } from '../../../wire/json.ts';

export interface Step {
  readonly op: AnyOperation;
  /** What the line has behind the files: options and their values. */
  readonly options: readonly string[];
}

/** Steps of one list: each is a run of its own. */
const MOST_STEPS = 100;

/** Throws a usage Failure that names the step. `besides`: the path of a file that a field names. */
export function readSteps(text: string, name: string, besides: (path: string) => string): Step[] {
  const read = parseJson(text, name);
  const steps = isRecord(read) && Array.isArray(read.steps) && Object.keys(read).length === 1 ? read.steps : undefined;
  if (steps === undefined || steps.length === 0 || steps.length > MOST_STEPS) {
    throw new Failure('usage', `${name}: expected {"steps": […]} with 1 to ${MOST_STEPS} steps`);
  }
  return steps.map((step: unknown, index) => {
    const wrong = (what: string) => new Failure('usage', `${name}: step ${index + 1}: ${what}`);
    if (!isRecord(step)) throw wrong('expected an object such as {"operation": "rotate", "angle": 90}');
    const { operation, ...fields } = step;
    const op = OPERATIONS.find((row) => row.name === operation && row.surface === 'command');
    if (op === undefined) throw wrong(`there is no operation ${JSON.stringify(operation)?.slice(0, 60)}`);
    const options = Object.entries(fields).flatMap(([key, value]) => {
      const field = Object.hasOwn(op.input, key) ? op.input[key] : undefined;
      const words = field === undefined ? undefined : wordsFor(key, field, value, besides);
      if (words === undefined) {
        const known = Object.keys(op.input).filter((known) => known !== fileField(op));
        throw wrong(`${wordsOf(op)} has no field ${key} of that kind; it has ${known.join(', ') || 'none'}`);
      }
      return words;
    });
    return { op, options };
  });
}

/** The field that takes the output of the step before. */
function fileField(op: AnyOperation): string | undefined {
  return Object.keys(op.input).find((name) => ['file', 'files'].includes(op.input[name]?.kind ?? ''));
}

/** Undefined where the value is of another kind. Every value is one word, so that none is taken for an option. */
function wordsFor(name: string, field: Field, value: unknown, besides: (path: string) => string): string[] | undefined {
  const flag = asCommandLine({ field: name });
  if (field.kind === 'flag') {
    if (typeof value !== 'boolean') return undefined;
    if (value === (field.default === true)) return [];
    return [value ? flag : flag.replace('--', '--no-')];
  }
  const texts = (Array.isArray(value) ? value : [value]).map((one) => (isRecord(one) ? JSON.stringify(one) : one));
  if (!texts.every((one) => typeof one === 'string' || typeof one === 'number')) return undefined;
  if (field.kind === 'file' || field.kind === 'files') return texts.map((path) => `${flag}=${besides(String(path))}`);
  // A password never stands in the list: the field names the file that holds it.
  if (field.kind === 'secret') return texts.map((path) => `${secretFlag(flag, field)}=${besides(String(path))}`);
  if (field.kind === 'text' && field.last === true) return texts.length === 1 ? [String(texts[0])] : undefined;
  return [`${flag}=${texts.join(',')}`];
}

function secretFlag(flag: string, field: Field & { readonly kind: 'secret' }): string {
  if (field.ofFile === true) return '--password-file';
  return flag.endsWith('-file') ? flag : `${flag}-file`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
