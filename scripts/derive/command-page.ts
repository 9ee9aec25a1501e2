/** A page of docs for a row: what it does, examples as a line and as code, options by both names. */
import { type AnyOperation, positionalOf, wordsOf } from '../../src/contract/operation.ts';
import { camelCase } from '../../src/contract/spelling.ts';

export interface Example {
  readonly line: string;
  /** Left out where the line does what a shell or a batch does. */
  readonly code?: string | undefined;
}

/** `flags`: the option of the line for a field; undefined where it has none of its own. */
export function commandPage(
  op: AnyOperation,
  examples: readonly Example[],
  flagFor: (name: string) => string | undefined,
): string {
  const [first, input] = positionalOf(op) ?? [];
  const rows = Object.entries(op.input)
    .filter(([name]) => name !== first)
    .map(([name, field]) => [flagFor(name), camelCase(name), field.summary] as const);
  const table = rows.map(([flag, option, summary]) => `| ${flag ?? ''} | \`${option}\` | ${cell(summary)} |`);
  return [
    '<!-- Made by npm run derive from the table of operations. -->',
    `# pdftool ${wordsOf(op)}`,
    '',
    `${op.description ?? op.summary}.`,
    '',
    ...(input === undefined ? [] : [`In: ${lowered(input.summary)}.`, '']),
    ...examples.flatMap(exampleLines),
    ...(table.length === 0 ? [] : ['| line | code | |', '|---|---|---|', ...table, '']),
    'Options of every command: `pdftool --help`; of every function: [docs/library.md](../library.md).',
    '',
  ].join('\n');
}

/** Two tabs: what is folded on GitHub, and headings elsewhere. */
function exampleLines({ line, code }: Example): string[] {
  const tab = (title: string, language: string, text: string, open: boolean) => [
    `<details${open ? ' open' : ''}><summary>${title}</summary>`,
    '',
    `\`\`\`${language}`,
    text,
    '```',
    '',
    '</details>',
  ];
  return [...tab('Line', 'sh', line, true), ...(code === undefined ? [] : tab('Code', 'ts', code, true)), ''];
}

function lowered(text: string): string {
  return /^[A-Z]{2}/.test(text) ? text : text.replace(/^./, (letter) => letter.toLowerCase());
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
