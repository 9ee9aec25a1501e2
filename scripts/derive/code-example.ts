// Examples of command lines as code that calls the library: the second tab of docs/commands.

import type { Flags, Options } from '../../src/cli/line/flags.ts';
import { readWords } from '../../src/cli/line/line-words.ts';
import { flagOf, optionKey } from '../../src/cli/line/row-command.ts';
import { parseLine } from '../../src/cli/program.ts';
import type { Field } from '../../src/contract/field.ts';
import { type AnyOperation, type Output, outputOf, positionalOf } from '../../src/contract/operation.ts';
import { takesPages } from '../../src/contract/page-fields.ts';
import { camelCase } from '../../src/contract/spelling.ts';

/** Options that only a line has: for many files at once, and for a person who watches. */
const OF_LINES = ['outDir', 'jobs', 'recursive', 'skipExisting', 'requireTarget', 'sort', 'passwordFor', 'each'];

/** The code for a line; undefined where it needs what a shell or a batch does: patterns, lists, several outputs. */
export function codeFor(line: string): string | undefined {
  const [command = '', target] = line.split(/ > /);
  const [plain = ''] = command.split(/ \| /);
  const [program, ...words] = wordsOfShell(plain);
  // Patterns and lists are for a shell and a batch; @toc.txt behind an option is the text of a file.
  const isForLines = words.some(
    (word, at) =>
      /[*<]/.test(word) || word === '-' || (word.startsWith('@') && words[at - 1]?.startsWith('--') !== true),
  );
  if (program !== 'pdftool' || isForLines) return undefined;
  const request = parseLine(words);
  if (request.kind !== 'run' || OF_LINES.some((name) => request.options[name] !== undefined)) return undefined;
  const { op, args, options, flags } = request;
  return written(op, args, options, { ...flags, ...(target === undefined ? {} : { output: target }) });
}

function wordsOfShell(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word = '']) => quoted ?? word);
}

function written(op: AnyOperation, words: readonly string[], given: Options, flags: Flags): string {
  const { args, options, ranges } = readWords(op, words, given, []);
  const [first, input] = positionalOf(op) ?? [];
  const properties = new Map<string, string>();
  const values: Record<string, unknown> = flags.json && flags.output === undefined ? {} : { ...op.commandDefaults };
  for (const [name, field] of Object.entries(op.input)) {
    if (name === first) continue;
    const value = optionOf(name, field, options);
    if (name === ranges?.name)
      properties.set(camelCase(name), quotedList(args.map((_, at) => ranges.byWord[at] ?? '')));
    else if (value !== undefined) properties.set(camelCase(name), value);
    if (typeof options[optionKey(flagOf(name))] === 'string') values[name] = options[optionKey(flagOf(name))];
    else if (values[name] !== undefined) properties.set(camelCase(name), quoted(String(values[name])));
    if (field.kind === 'flag' && value === 'true') values[name] = true;
  }
  if (typeof options.passwordFile === 'string') properties.set('password', secretIn(options.passwordFile));
  if (flags.remote === true) properties.set('engine', quoted('remote'));
  const isJson = flags.json && flags.output !== undefined;
  if (flags.output !== undefined && !isJson) properties.set('output', quoted(flags.output));
  const file = input?.kind === 'files' ? quotedList(args) : quoted(args.join(' '));
  const all = [...properties].map(([name, value]) => `${name}: ${value}`);
  const parts = [...(first === undefined ? [] : [file]), ...(all.length === 0 ? [] : [`{ ${all.join(', ')} }`])];
  const call = `${camelCase(op.name)}(${parts.join(', ')})`;
  const { output } = outputOf(op, values);
  // As a line, --json and a file together write the record.
  const code = isJson
    ? `const record = await ${call};\nawait writeFile(${quoted(String(flags.output))}, JSON.stringify(record));`
    : statement(call, output, flags.output !== undefined);
  const imports = ['readFile', 'writeFile'].filter((name) => code.includes(`${name}(`));
  return [
    ...(imports.length === 0 ? [] : [`import { ${imports.join(', ')} } from 'node:fs/promises';`]),
    `import { ${camelCase(op.name)} } from 'pdftool';`,
    '',
    code,
  ].join('\n');
}

function statement(call: string, output: Output, isPlaced: boolean): string {
  if (isPlaced) return `const { path, size } = await ${call};`;
  if (output.kind === 'record') return `const record = await ${call};`;
  if (output.kind !== 'parts') return `const { name, bytes } = await ${call};\nawait writeFile(name, bytes);`;
  return `for await (const { name, bytes } of ${call}) {\n  await writeFile(name, bytes);\n}`;
}

/** The value of a field as code. */
function optionOf(name: string, field: Field, options: Options): string | undefined {
  if (field.kind === 'secret') {
    const file = options[`${optionKey(flagOf(name))}File`];
    return typeof file === 'string' ? secretIn(file) : undefined;
  }
  const spelled = field.spelling === undefined ? undefined : options[field.spelling];
  // What commander keeps of --no-anchors.
  const key = optionKey(flagOf(name));
  const value = name.startsWith('no_') && options[optionKey(flagOf(name.slice(3)))] === false ? true : options[key];
  if (typeof spelled === 'string') return quoted(spelled);
  if (typeof value === 'boolean') return value === (field.default ?? false) ? undefined : String(value);
  if (typeof value !== 'string') return undefined;
  if (field.kind === 'text' && field.fromFile === true && value.startsWith('@')) {
    return `await readFile(${quoted(value.slice(1))}, 'utf8')`;
  }
  const isNumber =
    ['integer', 'number'].includes(field.kind) || (field.kind === 'choice' && typeof field.values[0] === 'number');
  return isNumber && !takesPages(field) ? value : quoted(value);
}

function secretIn(file: string): string {
  return `(await readFile(${quoted(file)}, 'utf8')).trim()`;
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}

function quotedList(texts: readonly string[]): string {
  return `[${texts.map(quoted).join(', ')}]`;
}
