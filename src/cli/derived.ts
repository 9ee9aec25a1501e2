import { type AnyOperation, isCallable, wordsOf } from '../contract/operation.ts';
import { OPERATIONS } from '../contract/operations/all.ts';
import { TOOLS_WITHOUT_ROW } from '../contract/tools.ts';
import { commandPage } from '../derive/command-page.ts';
import { COMPLETIONS } from '../derive/completions/all.ts';
import { formatHelp, formatTopic } from '../derive/help.ts';
import { libraryTypes } from '../derive/library.ts';
import { llmsText } from '../derive/llms.ts';
import { manPages } from '../derive/man.ts';
import { describeApi } from '../derive/openapi.ts';
import { everyCommand } from '../derive/shape.ts';
import { TOPICS } from '../derive/topics.ts';
import { wrap } from '../runtime/terminal/wrap.ts';
import { codeFor } from './code-example.ts';
import { examplesOf } from './examples.ts';
import { optionFlag } from './line/row-command.ts';
import { describeProgram } from './shape.ts';

/** The day of the version in package.json; SOURCE_DATE_EPOCH says another. */
const RELEASED = Date.UTC(2026, 10, 21) / 1000;

/** Width of the goldens: the terminal most people have. */
const STYLE = { width: 80, heading: (text: string) => text, wrap };

/** Every made file by its path from the root of the project. `epoch`: SOURCE_DATE_EPOCH, where it is set. */
export function derivedFiles(epoch: string | undefined): Map<string, string> {
  const program = describeProgram();
  const files = new Map<string, string>();
  for (const { file, make } of Object.values(COMPLETIONS)) files.set(`completions/${file}`, make(program));
  const seconds = epoch !== undefined && /^\d+$/.test(epoch) ? Number(epoch) : RELEASED;
  for (const [name, text] of Object.entries(manPages(program, new Date(seconds * 1000))))
    files.set(`man/${name}`, text);
  for (const command of everyCommand(program)) {
    const name = ['pdftool', ...command.path].join('-');
    files.set(`test/golden/help/${name}.txt`, formatHelp(program, command, STYLE));
  }
  for (const topic of TOPICS) files.set(`test/golden/help/topic-${topic.name}.txt`, formatTopic(topic, STYLE));
  files.set('test/golden/library.d.ts', libraryTypes(OPERATIONS.filter(isCallable)));
  for (const op of OPERATIONS.filter(({ surface }) => surface === 'command')) {
    const examples = examplesOf(wordsOf(op).split(' ')).map((line) => ({ line, code: codeFor(line) }));
    const flagFor = (name: string) => optionShown(op, name);
    files.set(`docs/commands/${op.name}.md`, commandPage(op, examples, flagFor));
  }
  files.set('docs/llms.txt', llmsText(program, OPERATIONS, TOOLS_WITHOUT_ROW));
  files.set('test/golden/openapi.json', `${JSON.stringify(describeApi(OPERATIONS), undefined, 2)}\n`);
  return files;
}

/** The option of a field on the line; the password of a file is an option of all commands. */
function optionShown({ input }: AnyOperation, name: string): string | undefined {
  const field = input[name];
  if (field === undefined || (field.kind === 'secret' && field.ofFile === true)) return '`--password-file`';
  const spelled = field.spelling === undefined ? '' : `\`--${field.spelling}\`, `;
  return `${spelled}\`${optionFlag(name, field)}\``;
}

export function withManPages(text: string, files: ReadonlyMap<string, string>): string {
  const man = [...files.keys()].filter((path) => path.startsWith('man/')).map((path) => `./${path}`);
  return `${JSON.stringify({ ...JSON.parse(text), man: man.sort() }, undefined, 2)}\n`;
}
