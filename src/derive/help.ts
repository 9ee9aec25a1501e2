// The text of help: options of the command first, global options last.
import type { CommandShape, OptionShape, ProgramShape, Topic } from './shape.ts';
import { TOPICS } from './topics.ts';

export interface HelpStyle {
  /** Width in columns. */
  readonly width: number;
  heading(text: string): string;
  /** Breaks text into lines; `hang`: the indent of lines after the first. */
  wrap(text: string, width: number, hang?: number): string[];
}

type Row = readonly [term: string, text: string];

export function formatHelp(program: ProgramShape, command: CommandShape, style: HelpStyle): string {
  const isProgram = command.path.length === 0;
  const usage = ['Usage: pdftool', ...command.path, command.usage].filter((word) => word !== '').join(' ');
  const examples = command.examples.map((line) => `  ${line}`);
  return joined([
    style.wrap(usage, style.width, 7),
    style.wrap(command.description, style.width),
    section('Examples:', examples, style),
    ...listed(command, program, style),
    ...command.notes.map(({ title, lines }) => section(title, indented(lines, style), style)),
    isProgram || command.commands.length > 0 ? [] : everywhere(program, style),
    command.topics.length === 0 ? [] : style.wrap(`pdftool ${command.name} --help TOPIC tells more.`, style.width),
    command.aliases.length === 0 ? [] : style.wrap(`Also called ${command.aliases.join(', ')}.`, style.width),
    isProgram ? style.wrap(ENDS, style.width) : [],
  ]);
}

const ENDS = 'pdftool help COMMAND explains a command, pdftool help TOPIC a topic, man pdftool everything.';

export function formatTopic(topic: Topic, style: HelpStyle): string {
  const blocks = topic.blocks.map((block) =>
    typeof block === 'string' ? style.wrap(block, style.width) : section(block.title, table(block.rows, style), style),
  );
  return joined([style.wrap(topic.summary, style.width), ...blocks]);
}

/** `-o, --output <name>` */
function optionTerm({ short, long, value }: OptionShape): string {
  const names = [short, long].filter((name) => name !== undefined).join(', ');
  return value === undefined ? names : `${names} <${value}>`;
}

/** Joins blocks of lines by empty lines. */
function joined(blocks: readonly (readonly string[])[]): string {
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}

function listed(command: CommandShape, program: ProgramShape, style: HelpStyle): string[][] {
  const isProgram = command.path.length === 0;
  const groups = new Map<string, Row[]>();
  for (const { group, name, summary } of command.commands) {
    groups.set(group, [...(groups.get(group) ?? []), [name, summary]]);
  }
  const words = command.arguments.map(({ name, summary }): Row => [name.toUpperCase(), summary]);
  const topics = (isProgram ? TOPICS : command.topics).map(({ name, summary }): Row => [name, summary]);
  const sections: [string, readonly Row[]][] = [
    ...groups,
    ['Topics:', topics],
    ['Arguments:', words],
    ['Options:', command.options.map(optionRow)],
    ['Options of every command:', isProgram ? program.everywhere.map(optionRow) : []],
  ];
  const term = termWidth(sections.flatMap(([, rows]) => rows));
  return sections.map(([title, rows]) => section(title, table(rows, style, term), style));
}

/** The names of the global options; the help of the program describes them. */
function everywhere(program: ProgramShape, style: HelpStyle): string[] {
  const names = program.everywhere.map(({ short, long }) => (short === undefined ? long : `${short}/${long}`));
  const text = `${names.join(', ')}. pdftool --help tells what they do.`;
  return section('Options of every command:', indented([text], style), style);
}

function indented(lines: readonly string[], style: HelpStyle): string[] {
  return lines.flatMap((line) => style.wrap(line, style.width - 2)).map((line) => `  ${line}`);
}

function optionRow(option: OptionShape): Row {
  return [option.short === undefined ? `    ${optionTerm(option)}` : optionTerm(option), option.summary];
}

/** The width of the first column. Longer terms get a line of their own. */
const WIDEST_TERM = 28;

function termWidth(rows: readonly Row[]): number {
  return Math.max(...rows.map(([term]) => term.length).filter((length) => length <= WIDEST_TERM), 8);
}

function table(rows: readonly Row[], style: HelpStyle, term = termWidth(rows)): string[] {
  const indent = ' '.repeat(term + 4);
  return rows.flatMap(([name, text]) => {
    const lines = style.wrap(text, Math.max(20, style.width - indent.length));
    const first = name.length <= term ? `  ${name.padEnd(term)}  ${lines.shift() ?? ''}` : `  ${name}`;
    return [first.trimEnd(), ...lines.map((line) => `${indent}${line}`)];
  });
}

function section(title: string, lines: readonly string[], style: HelpStyle): string[] {
  return lines.length === 0 ? [] : [style.heading(title), ...lines];
}
