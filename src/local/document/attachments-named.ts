import { Failure } from '../../contract/failure.ts';
import type { Attachment } from '../../pdf/document/attachments.ts';

const MOST_NAMED = 10;

/** What is said where no attachment was found. */
export function noneNamed(file: string, name: string | undefined, all: readonly Attachment[]): Failure {
  if (all.length === 0) {
    return new Failure('unprocessable', `${file} has no attachments`, { hint: 'There is nothing to take out.' });
  }
  const names = all.slice(0, MOST_NAMED).map((each) => each.name);
  const more = all.length > MOST_NAMED ? ` and ${all.length - MOST_NAMED} more` : '';
  return new Failure('not_found', `${file} has no attachment named ${name}`, {
    hint: `It has ${names.join(', ')}${more}.`,
  });
}
