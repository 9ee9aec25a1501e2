// Writes the man pages, in mdoc(7). The date is given, so that the same program makes the same pages.
import { ENVIRONMENT } from './environment.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { type CommandShape, everyCommand, type OptionShape, type ProgramShape, type Topic } from './shape.ts';
import { TOPICS } from './topics.ts';

/** File name to content. The date is the day of the version, in UTC. */
export function manPages(program: ProgramShape, date: Date): Readonly<Record<string, string>> {
  const pages = [programPage(program, date), ...program.commands.map((command) => commandPage(command, program, date))];
  return Object.fromEntries(pages);
}

function programPage(program: ProgramShape, date: Date): [string, string] {
  const groups = new Map<string, CommandShape[]>();
  for (const command of program.commands) {
    groups.set(command.group, [...(groups.get(command.group) ?? []), command]);
  }
  const commands = [...groups].flatMap(([title, listed]) => [
    subheading(title.replace(/:$/, '')),
    ...list(listed.map((command) => item(reference(pageOf(command)), command.summary))),
  ]);
  const topics = TOPICS.filter(({ name }) => name !== 'exit-codes' && name !== 'environment').flatMap(topicOf);
  const body = [
    ...name('pdftool', 'the command-line tool for PDFs'),
    heading('SYNOPSIS'),
    ...synopsis(['pdftool'], program.usage),
    heading('DESCRIPTION'),
    ...paragraph(program.description),
    ...commands,
    subheading('Options of every command'),
    ...paragraph('They may stand before and after the name of the command.'),
    ...list(program.everywhere.map(option)),
    ...topics,
    ...environment(),
    heading('FILES'),
    ...list([
      item('.It Pa ~/.config/pdftool/config.json', 'Settings.'),
      item('.It Pa ~/.config/pdftool/keys.json', 'API keys, mode 0600.'),
      item('.It Pa .pdftool.json', 'Settings of a project, in its folder; never a key or an address.'),
    ]),
    ...exits(),
    ...examples(program),
    heading('SEE ALSO'),
    ...seeAlso(program.commands.map(pageOf)),
  ];
  return page('pdftool', date, body);
}

function commandPage(command: CommandShape, program: ProgramShape, date: Date): [string, string] {
  const title = pageOf(command);
  // A command that only groups other commands has no synopsis of its own.
  const leaves = [...everyCommand(command)].filter((leaf) => leaf.commands.length === 0 || leaf.options.length > 0);
  const summary = command.summary.charAt(0).toLowerCase() + command.summary.slice(1);
  // A summary that begins with a name keeps its capital.
  const body = [
    ...name(title, /^[A-Z]{2}/.test(command.summary) ? command.summary : summary),
    heading('SYNOPSIS'),
    ...leaves.flatMap((leaf) => synopsis(['pdftool', ...leaf.path], leaf.usage)),
    heading('DESCRIPTION'),
    ...paragraph(command.description),
    ...leaves.flatMap((leaf) => [
      ...(leaf === command ? [] : [subheading(leaf.path.join(' ')), ...paragraph(leaf.description)]),
      ...list([
        ...leaf.arguments.map((argument) => item(`.It Ar ${argument.name.toUpperCase()}`, argument.summary)),
        ...leaf.options.map(option),
      ]),
    ]),
    ...command.notes.flatMap(({ title, lines }) => [subheading(title.replace(/:$/, '')), ...lines.flatMap(paragraph)]),
    ...command.topics.flatMap(topicOf),
    ...(command.aliases.length === 0 ? [] : ['.Pp', ...paragraph(`Also called ${command.aliases.join(', ')}.`)]),
    subheading('Options of every command'),
    ...list(program.everywhere.map(option)),
    ...exits(),
    ...examples(command),
    heading('SEE ALSO'),
    ...seeAlso(['pdftool']),
  ];
  return page(title, date, body);
}

function topicOf(topic: Topic): string[] {
  const blocks = topic.blocks.flatMap((block) =>
    typeof block === 'string'
      ? paragraph(block)
      : [...paragraph(block.title), ...list(block.rows.map(([term, text]) => item(`.It Li ${quote(term)}`, text)))],
  );
  return [subheading(topic.summary), ...blocks];
}

function pageOf({ path }: CommandShape): string {
  return ['pdftool', ...path].join('-');
}

function page(title: string, date: Date, body: readonly string[]): [string, string] {
  const day = date.toLocaleDateString('en-US', { timeZone: 'UTC', year: 'numeric', month: 'long', day: 'numeric' });
  const head = ['.\\" Made by npm run derive from the program; changes belong there.', `.Dd ${day}`];
  return [`${title}.1`, `${[...head, `.Dt ${title.toUpperCase()} 1`, '.Os', ...body].join('\n')}\n`];
}

function name(title: string, what: string): string[] {
  return [heading('NAME'), `.Nm ${title}`, `.Nd ${what}`];
}

function environment(): string[] {
  return [
    heading('ENVIRONMENT'),
    ...list(ENVIRONMENT.map(([names, text]) => item(`.It Ev ${names.replaceAll(', ', ' , ')}`, text))),
  ];
}

function exits(): string[] {
  return [heading('EXIT STATUS'), ...list(Object.entries(EXIT_CODES).map(([code, text]) => item(`.It ${code}`, text)))];
}

function examples({ examples: lines }: CommandShape): string[] {
  return lines.length === 0 ? [] : [heading('EXAMPLES'), ...example(lines)];
}

function seeAlso(pages: readonly string[]): string[] {
  const sorted = [...pages].sort();
  return sorted.map((page, index) => `.${reference(page)}${index === sorted.length - 1 ? '' : ' ,'}`);
}

function quote(text: string): string {
  return `"${text.replaceAll('-', '\\-').replaceAll('"', '""')}"`;
}

// Writes mdoc(7): macros, escapes, and lines in its style.

function heading(title: string): string {
  return `.Sh ${title}`;
}

function subheading(title: string): string {
  return `.Ss ${title}`;
}

/** Longer input lines are bad style. */
const LINE = 78;

/** A line for each sentence, wrapped. */
function paragraph(text: string): string[] {
  return text
    .split(/(?<=[.;:?!]) (?=[A-Z0-9"-])/)
    .flatMap((sentence) => broken(sentence))
    .map(escaped);
}

function broken(sentence: string): string[] {
  const lines: string[] = [];
  for (const word of sentence.split(/ +/).filter((part) => part !== '')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= LINE) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Escapes text: backslashes, a point or quote at the start of a line, and the dashes of flags, for copying. */
function escaped(line: string): string {
  const text = line
    .replaceAll('\\', '\\e')
    .replace(/(?<=^|[\s(])--?[a-zA-Z][\w-]*/g, (flag) => flag.replaceAll('-', '\\-'));
  return /^[.']/.test(text) ? `\\&${text}` : text;
}

function item(macro: string, text: string): string[] {
  return [macro.startsWith('.It') ? macro : `.It ${macro}`, ...paragraph(text)];
}

function list(items: readonly (readonly string[])[]): string[] {
  return items.length === 0 ? [] : ['.Bl -tag -width Ds', ...items.flat(), '.El'];
}

function option({ short, long, value, summary }: OptionShape): string[] {
  const names = [short, long]
    .filter((flag) => flag !== undefined)
    .map((flag) => `Fl ${flag.slice(1).replaceAll('-', '\\-')}`);
  return item(`.It ${names.join(' , ')}${value === undefined ? '' : ` Ar ${value}`}`, summary);
}

/** Refers to a page of ours. The macro for it, Xr, is bad style to mandoc as long as that page is not installed. */
function reference(page: string): string {
  return `Sy ${page.replaceAll('-', '\\-')}(1)`;
}

/** `FILE... [options]` as macros. */
function synopsis(words: readonly string[], usage: string): string[] {
  const lines = usage.split(' ').map((word) => {
    const optional = /^\[(.*)\]$/.exec(word)?.[1];
    const argument = (text: string) => `Ar ${text.replace(/\.\.\.$/, ' ...')}`;
    return optional === undefined ? `.${argument(word)}` : `.Op ${argument(optional)}`;
  });
  return [words.length === 1 ? '.Nm' : `.Nm ${words.join(' ')}`, ...lines];
}

function example(lines: readonly string[]): string[] {
  return [
    '.Bd -literal -offset indent',
    ...lines.map((line) => escaped(line).replaceAll('-', '\\-').replaceAll('\\\\-', '\\-')),
    '.Ed',
  ];
}
