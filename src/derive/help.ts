// Owns the text of help: what one came for first, the options of every command last. Knows no terminal; it is told a width.
import type { CommandShape, OptionShape, ProgramShape } from './shape.ts';
import { TOPICS, type Topic } from './topics.ts';

export interface HelpStyle {
  /** Columns that may be used. */
  readonly width: number;
  heading(text: string): string;
}

/** Help of the program itself or of one of its commands. */
export function formatHelp(program: ProgramShape, command: CommandShape, style: HelpStyle): string {
  const isProgram = command.path.length === 0;
  const { width } = style;
  const blocks = [
    wrap(`Usage: ${['pdftool', ...command.path, command.usage].filter((word) => word !== '').join(' ')}`, width, 7),
    wrap(command.description, width, 0),
    section(
      'Examples:',
      command.examples.map((line) => `  ${line}`),
      style,
    ),
    ...listed(command, program, style),
    ...command.notes.map(({ title, lines }) =>
      section(
        title,
        lines.map((line) => wrap(line, width - 2, 0, '  ')),
        style,
      ),
    ),
    isProgram || command.commands.length > 0 ? '' : everywhere(program, style),
    command.aliases.length === 0 ? '' : wrap(`Also called ${command.aliases.join(', ')}.`, width, 0),
    isProgram ? wrap(ENDS, width, 0) : '',
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

const ENDS = 'pdftool help COMMAND tells more of a command, pdftool help TOPIC of a topic, man pdftool all of it.';

/** Help of a topic. */
export function formatTopic(topic: Topic, style: HelpStyle): string {
  const blocks = topic.blocks.map((block) => {
    if (typeof block === 'string') return wrap(block, style.width, 0);
    return section(block.title, table(block.rows, style.width), style);
  });
  return `${[wrap(topic.summary, style.width, 0), ...blocks].join('\n\n')}\n`;
}

function listed(command: CommandShape, program: ProgramShape, style: HelpStyle): string[] {
  const groups = new Map<string, [string, string][]>();
  for (const each of command.commands) {
    const list = groups.get(each.group) ?? [];
    groups.set(each.group, [...list, [each.name, each.summary]]);
  }
  if (command.path.length === 0)
    groups.set(
      'Topics:',
      TOPICS.map(({ name, summary }) => [name, summary]),
    );
  groups.set(
    'Arguments:',
    command.arguments.map(({ name, summary }) => [name.toUpperCase(), summary]),
  );
  groups.set('Options:', command.options.map(optionRow));
  if (command.path.length === 0) groups.set('Options of every command:', program.everywhere.map(optionRow));
  const filled = [...groups].filter(([, rows]) => rows.length > 0);
  const term = termWidth(filled.flatMap(([, rows]) => rows));
  return filled.map(([title, rows]) => section(title, table(rows, style.width, term), style));
}

/** Their names alone: what they do, help of the program says. */
function everywhere(program: ProgramShape, style: HelpStyle): string {
  const names = program.everywhere.map(({ short, long }) =>
    [short, long].filter((name) => name !== undefined).join(' '),
  );
  const text = `${names.join(', ')}. pdftool --help tells what they do.`;
  return section('Options of every command:', [wrap(text, style.width - 2, 0, '  ')], style);
}

/** `-o, --output <name>` */
export function optionTerm({ short, long, value }: OptionShape): string {
  const names = [short, long].filter((name) => name !== undefined).join(', ');
  return value === undefined ? names : `${names} <${value}>`;
}

function optionRow(option: OptionShape): [string, string] {
  return [option.short === undefined ? `    ${optionTerm(option)}` : optionTerm(option), option.summary];
}

/** Longer terms stand on a line of their own, so that one of them does not push all text to the right. */
const WIDEST_TERM = 28;

function termWidth(rows: readonly (readonly [string, string])[]): number {
  return Math.max(...rows.map(([term]) => term.length).filter((length) => length <= WIDEST_TERM), 8);
}

function table(rows: readonly (readonly [string, string])[], width: number, term = termWidth(rows)): string[] {
  const indent = ' '.repeat(term + 4);
  return rows.flatMap(([name, text]) => {
    const lines = wrap(text, Math.max(20, width - indent.length), 0).split('\n');
    const first = name.length <= term ? `  ${name.padEnd(term)}  ${lines.shift() ?? ''}` : `  ${name}`;
    return [first.trimEnd(), ...lines.map((line) => `${indent}${line}`)];
  });
}

function section(title: string, lines: readonly string[], style: HelpStyle): string {
  return lines.length === 0 ? '' : [style.heading(title), ...lines].join('\n');
}

/** Breaks at spaces. `hang`: how far lines after the first are indented. A word that does not fit is left whole. */
export function wrap(text: string, width: number, hang: number, before = ''): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const indent = lines.length === 0 ? 0 : hang;
    if (line !== '' && indent + line.length + 1 + word.length > width) {
      lines.push(' '.repeat(indent) + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  lines.push(' '.repeat(lines.length === 0 ? 0 : hang) + line);
  return lines.map((each) => before + each).join('\n');
}
