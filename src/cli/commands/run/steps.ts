// A step as a command line, so that it is checked, priced and run like one that somebody types.
import { Failure } from '../../../contract/base/failure.ts';
import type { Field } from '../../../contract/field.ts';
import { fieldOfStep, readStepList, type Step, typedTexts, wrongStep } from '../../../contract/operations/steps.ts';
import { asCommandLine } from '../../../contract/spelling.ts';
import { parseJson } from '../../../wire/json.ts';

export interface StepLine extends Step {
  /** The words behind the files: options and their values. */
  readonly options: readonly string[];
}

/** Throws a usage Failure that names the step. `besides`: the path of a file that a field names. */
export function readSteps(text: string, name: string, besides: (path: string) => string): StepLine[] {
  return readStepList(parseJson(text, name), name).map((step, index) => {
    try {
      const options = Object.entries(step.fields).flatMap(([key, value]) => {
        const field = fieldOfStep(step, key, (field) => wordsFor(key, field, value, besides) !== undefined);
        return wordsFor(key, field, value, besides) ?? [];
      });
      return { ...step, options };
    } catch (error) {
      throw error instanceof Failure ? wrongStep(name, index, error.message) : error;
    }
  });
}

/** Undefined where the value is of another kind. Every value is one word, so that none is taken for an option. */
function wordsFor(name: string, field: Field, value: unknown, besides: (path: string) => string): string[] | undefined {
  const flag = asCommandLine({ field: name });
  if (field.kind === 'flag') {
    if (typeof value !== 'boolean') return undefined;
    if (value === (field.default === true)) return [];
    return [value ? flag : flag.replace('--', '--no-')];
  }
  const texts = typedTexts(value);
  if (texts === undefined) return undefined;
  if (field.kind === 'file' || field.kind === 'files') return texts.map((path) => `${flag}=${besides(path)}`);
  // A list holds no password: the field names the file that does.
  if (field.kind === 'secret') return texts.map((path) => `${secretFlag(flag, field)}=${besides(path)}`);
  if (field.kind === 'text' && field.last === true) return texts.length === 1 ? texts : undefined;
  return [`${flag}=${texts.join(',')}`];
}

function secretFlag(flag: string, field: Field & { readonly kind: 'secret' }): string {
  if (field.ofFile === true) return '--password-file';
  return flag.endsWith('-file') ? flag : `${flag}-file`;
}
