// Writes mdoc(7): macros, escapes, and lines in its style.
import type { OptionShape } from './shape.ts';

export function heading(title: string): string {
  return `.Sh ${title}`;
}

export function subheading(title: string): string {
  return `.Ss ${title}`;
}

/** Longer input lines are bad style. */
const LINE = 78;

/** A line for each sentence, none of them long. */
export function paragraph(text: string): string[] {
  return text
    .split(/(?<=[.;:?!]) (?=[A-Z0-9"-])/)
    .flatMap((sentence) => broken(sentence))
    .map(escaped);
}

function broken(sentence: string): string[] {
  const lines: string[] = [];
  for (const word of sentence.split(/ +/).filter((each) => each !== '')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= LINE) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Escapes text: backslashes, a point or quote at the start of a line, and the dashes of flags, so that they can be copied. */
function escaped(line: string): string {
  const text = line
    .replaceAll('\\', '\\e')
    .replace(/(?<=^|[\s(])--?[a-zA-Z][\w-]*/g, (flag) => flag.replaceAll('-', '\\-'));
  return /^[.']/.test(text) ? `\\&${text}` : text;
}

export function item(macro: string, text: string): string[] {
  return [macro.startsWith('.It') ? macro : `.It ${macro}`, ...paragraph(text)];
}

export function list(items: readonly (readonly string[])[]): string[] {
  return items.length === 0 ? [] : ['.Bl -tag -width Ds', ...items.flat(), '.El'];
}

export function option({ short, long, value, summary }: OptionShape): string[] {
  const names = [short, long]
    .filter((flag) => flag !== undefined)
    .map((flag) => `Fl ${flag.slice(1).replaceAll('-', '\\-')}`);
  return item(`.It ${names.join(' , ')}${value === undefined ? '' : ` Ar ${value}`}`, summary);
}

/** A page of ours. The macro for it, Xr, is bad style to mandoc as long as that page is not installed. */
export function reference(page: string): string {
  return `Sy ${page.replaceAll('-', '\\-')}(1)`;
}

/** `FILE... [options]` as macros. */
export function synopsis(words: readonly string[], usage: string): string[] {
  const lines = usage.split(' ').map((word) => {
    const optional = /^\[(.*)\]$/.exec(word)?.[1];
    const argument = (text: string) => `Ar ${text.replace(/\.\.\.$/, ' ...')}`;
    return optional === undefined ? `.${argument(word)}` : `.Op ${argument(optional)}`;
  });
  return [words.length === 1 ? '.Nm' : `.Nm ${words.join(' ')}`, ...lines];
}

export function example(lines: readonly string[]): string[] {
  return [
    '.Bd -literal -offset indent',
    ...lines.map((line) => escaped(line).replaceAll('-', '\\-').replaceAll('\\\\-', '\\-')),
    '.Ed',
  ];
}
