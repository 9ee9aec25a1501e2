// Every made file: those that the program can make of itself, and what is made of it for readers and compilers.
import { derivedFiles as filesOfProgram } from '../../src/cli/derived.ts';
import { examplesOf } from '../../src/cli/examples.ts';
import { optionFlag } from '../../src/cli/line/row-command.ts';
import { type AnyOperation, isCallable, wordsOf } from '../../src/contract/operation.ts';
import { OPERATIONS } from '../../src/contract/operations/all.ts';
import { codeFor } from './code-example.ts';
import { commandPage } from './command-page.ts';
import { libraryTypes } from './library-types.ts';

export { withManPages } from '../../src/cli/derived.ts';

/** By their paths from the root of the project. `epoch`: SOURCE_DATE_EPOCH, where it is set. */
export function derivedFiles(epoch: string | undefined): Map<string, string> {
  const files = filesOfProgram(epoch);
  files.set('test/golden/library.d.ts', libraryTypes(OPERATIONS.filter(isCallable)));
  for (const op of OPERATIONS.filter(({ surface }) => surface === 'command')) {
    const examples = examplesOf(wordsOf(op).split(' ')).map((line) => ({ line, code: codeFor(line) }));
    files.set(
      `docs/commands/${op.name}.md`,
      commandPage(op, examples, (name) => optionShown(op, name)),
    );
  }
  return files;
}

/** The option of a field on the line; the password of a file is an option of all commands. */
function optionShown({ input }: AnyOperation, name: string): string {
  const field = input[name];
  if (field === undefined || (field.kind === 'secret' && field.ofFile === true)) return '`--password-file`';
  const spelled = field.spelling === undefined ? '' : `\`--${field.spelling}\`, `;
  return `${spelled}\`${optionFlag(name, field)}\``;
}
