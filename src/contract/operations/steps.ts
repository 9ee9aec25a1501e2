// A list of steps: rows with their fields, each applied to the output of the one before. Page numbers count the pages
// at that step.
import { Failure } from '../base/failure.ts';
import { isRecord } from '../base/present.ts';
import type { Field } from '../field.ts';
import { choiceIssues, parseValue } from '../field-text.ts';
import { type AnyOperation, isOffered, isPdf, outputOf, positionalOf, wordsOf } from '../operation.ts';
import { type PagesGiven, takesPages } from '../page-fields.ts';
import { parsePageField } from '../page-range.ts';
import { OPERATIONS } from './all.ts';

export interface Step {
  readonly op: AnyOperation;
  /** Fields as written in the list. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface StepValues {
  readonly values: Readonly<Record<string, unknown>>;
  /** Resolved when the file of the step is known. */
  readonly pages: Readonly<Record<string, PagesGiven>>;
}

const MOST_STEPS = 100;

/** Throws a usage Failure that names the list and the step. */
export function readStepList(list: unknown, name: string): Step[] {
  const steps = isRecord(list) && Array.isArray(list.steps) && Object.keys(list).length === 1 ? list.steps : undefined;
  if (steps === undefined || steps.length === 0 || steps.length > MOST_STEPS) {
    throw new Failure('usage', `${name}: expected {"steps": […]} with 1 to ${MOST_STEPS} steps`);
  }
  const read = steps.map((step: unknown, index) => {
    if (!isRecord(step)) {
      throw wrongStep(name, index, 'expected an object such as {"operation": "rotate", "angle": 90}');
    }
    const { operation, ...fields } = step;
    const op = OPERATIONS.find((row) => row.name === operation && row.surface === 'command');
    if (op !== undefined) return { op, fields };
    throw wrongStep(name, index, `there is no operation ${JSON.stringify(operation)?.slice(0, 60)}`);
  });
  for (const [index, { op }] of read.slice(0, -1).entries()) assertGoesOn(op, read[index + 1]?.op, name, index);
  return read;
}

export function wrongStep(name: string, index: number, what: string): Failure {
  return new Failure('usage', `${name}: step ${index + 1}: ${what}`);
}

/** Throws where the next step cannot take what a step makes. */
function assertGoesOn(op: AnyOperation, next: AnyOperation | undefined, name: string, index: number): void {
  const { output } = outputOf(op, {});
  const takesMany = positionalOf(next ?? op)?.[1].kind === 'files';
  if (isPdf(output) && (!makesSeveral(op) || takesMany)) return;
  const what = isPdf(output) ? 'makes several files, and the next one takes one' : 'makes no PDF';
  throw new Failure('usage', `${name}: step ${index + 1} (${wordsOf(op)}) ${what}: it can only be the last one`);
}

export function makesSeveral(op: AnyOperation): boolean {
  return outputOf(op, {}).output.kind === 'parts';
}

/** Throws where a step has no such field. `fits`: whether the value is of its kind. */
export function fieldOfStep({ op }: Step, key: string, fits: (field: Field) => boolean): Field {
  const [main] = positionalOf(op) ?? [];
  const field = Object.hasOwn(op.input, key) && key !== main ? op.input[key] : undefined;
  if (field !== undefined && fits(field)) return field;
  const known = Object.keys(op.input).filter((name) => name !== main);
  const message = `${wordsOf(op)} has no field ${key.slice(0, 60)} of that kind; it has ${known.join(', ') || 'none'}`;
  throw new Failure('usage', message);
}

/** The texts that a person would type for a value of the list; undefined where no option takes such a value. */
export function typedTexts(value: unknown): string[] | undefined {
  const texts = (Array.isArray(value) ? value : [value]).map((one) => (isRecord(one) ? JSON.stringify(one) : one));
  return texts.every((one) => typeof one === 'string' || typeof one === 'number') ? texts.map(String) : undefined;
}

/** The values of a step that needs only its document: no other file, and no password, since a list holds none. */
export function stepValues(step: Step): StepValues {
  const { op, fields } = step;
  const values: Record<string, unknown> = {};
  const pages: Record<string, PagesGiven> = {};
  for (const [key, value] of Object.entries(fields)) {
    const texts = typedTexts(value);
    const field = fieldOfStep(step, key, ({ kind }) =>
      kind === 'flag' ? typeof value === 'boolean' : texts !== undefined,
    );
    if (['file', 'files', 'secret'].includes(field.kind)) {
      throw new Failure('usage', `${key}: a job takes no other file and no password`);
    }
    const text = (texts ?? []).join(',');
    const read = takesPages(field) ? parsePageField(text) : field.kind === 'flag' ? { value } : parseValue(field, text);
    if ('issue' in read) throw new Failure('usage', `${key}: ${read.issue}`);
    if ('range' in read) pages[key] = { flag: key, range: read.range };
    else values[key] = read.value;
  }
  const isGiven = (name: string) => name in values || name in pages;
  const [main] = positionalOf(op) ?? [];
  const missing = Object.keys(op.input).filter((name) => name !== main && op.input[name]?.required && !isGiven(name));
  const issues = [...missing.map((name) => `${name} is missing`), ...choiceIssues(op, isGiven, (name) => name)];
  if (issues.length > 0) throw new Failure('usage', issues.join('; '));
  return { values, pages };
}

/** Throws where a list cannot be one job of a service: a job works on one PDF, and its price must be known in advance. */
export function assertJobSteps(steps: readonly Step[], name: string): void {
  for (const [index, step] of steps.entries()) {
    const { op } = step;
    const [, main] = positionalOf(op) ?? [];
    const takesOne = main?.kind === 'file' || (main?.kind === 'files' && main.min < 2);
    if (stepPrice(op) === undefined || !isOffered(op))
      throw wrongStep(name, index, `${wordsOf(op)} cannot be a step of a job`);
    if (!takesOne) throw wrongStep(name, index, `${wordsOf(op)} takes several files, and a job works on one`);
    if (index < steps.length - 1 && makesSeveral(op))
      throw wrongStep(name, index, `${wordsOf(op)} makes several files: in a job it can only be the last one`);
    try {
      stepValues(step);
    } catch (error) {
      throw error instanceof Failure ? wrongStep(name, index, error.message) : error;
    }
  }
}

/** Credits of a step on a service; undefined where they depend on what is spoken. */
export function stepPrice({ cost }: AnyOperation): number | undefined {
  if (cost === undefined) return 0;
  return 'credits' in cost ? cost.credits : undefined;
}

/** Credits of all steps but those that are priced by the minutes that are spoken. */
export function priceOfSteps(steps: readonly Step[]): number {
  return steps.reduce((sum, { op }) => sum + (stepPrice(op) ?? 0), 0);
}
