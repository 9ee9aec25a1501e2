import { OPERATIONS } from '../contract/operations/all.ts';
import { TOOLS_WITHOUT_ROW } from '../contract/tools.ts';
import { COMPLETIONS } from '../derive/completions/all.ts';
import { formatHelp, formatTopic } from '../derive/help.ts';
import { llmsText } from '../derive/llms.ts';
import { manPages } from '../derive/man.ts';
import { describeApi } from '../derive/openapi.ts';
import { everyCommand } from '../derive/shape.ts';
import { TOPICS } from '../derive/topics.ts';
import { wrap } from '../runtime/terminal/wrap.ts';
import { describeProgram } from './shape.ts';

/** The release day of the version in package.json; SOURCE_DATE_EPOCH overrides it. */
const RELEASED = Date.UTC(2026, 10, 21) / 1000;

/** The width of golden files: the usual terminal. */
const STYLE = { width: 80, heading: (text: string) => text, wrap };

/** Every derived file by its path in the project. `epoch`: SOURCE_DATE_EPOCH, if set. */
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
  files.set('docs/llms.txt', llmsText(program, OPERATIONS, TOOLS_WITHOUT_ROW));
  files.set('test/golden/openapi.json', `${JSON.stringify(describeApi(OPERATIONS), undefined, 2)}\n`);
  return files;
}

/** package.json with the man pages that npm is to install. */
export function withManPages(text: string, files: ReadonlyMap<string, string>): string {
  const man = [...files.keys()].filter((path) => path.startsWith('man/')).map((path) => `./${path}`);
  return `${JSON.stringify({ ...JSON.parse(text), man: man.sort() }, undefined, 2)}\n`;
}
