// Completion for fish: one line for each offer. Nothing that was typed is evaluated.
import type { Completion, OptionShape, ProgramShape } from '../shape.ts';
import { type CompletionPlace, flagsOf, placesOf } from './places.ts';

export function fishCompletion(program: ProgramShape): string {
  const places = placesOf(program);
  const valued = places.flatMap(({ options }) => options.filter(({ value }) => value !== undefined).flatMap(flagsOf));
  const commands = places.flatMap((place) =>
    place.commands.flatMap((command) => entry(place, command.name, command.aliases)),
  );
  return `# fish completion for pdftool. Made by npm run derive from the program; changes belong there.

# Prints the command that was typed so far, and on a second line how many arguments follow it.
function __pdftool_line
    set -l at
    set -l arguments 0
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        if string match -q -- '-*' $word
            contains -- $word ${[...new Set(valued)].join(' ')}
            and set skip 1
            continue
        end
        switch "$at $word"
${commands.join('\n')}
            case '*'
                set arguments (math $arguments + 1)
        end
    end
    echo "$at"
    echo $arguments
end

# Whether the command is one of these.
function __pdftool_at
    set -l line (__pdftool_line)
    contains -- "$line[1]" $argv
end

# Whether the command is $argv[1] with $argv[2] arguments, or more of them where there is a third word.
function __pdftool_next
    set -l line (__pdftool_line)
    test "$line[1]" = "$argv[1]"
    or return 1
    if set -q argv[3]
        test $line[2] -ge $argv[2]
    else
        test $line[2] -eq $argv[2]
    end
end

# Folders, and files whose names end as asked, in either case.
function __pdftool_files
    set -l typed (string unescape -- (commandline -ct | string replace -r -- '^--[^=]*=' ''))
    set -l found $typed*
    for name in $found
        if test -d "$name"
            echo "$name/"
        else
            for extension in $argv
                string match -qi -- "*.$extension" "$name"
                and echo "$name"
                and break
            end
        end
    end
end

complete -c pdftool -f
${[...places.flatMap(lines), ...optionLines(places)].join('\n')}
`;
}

function entry(place: CompletionPlace, name: string, aliases: readonly string[]): string[] {
  const words = [name, ...aliases].map((word) => quoted(`${place.path} ${word}`)).join(' ');
  const path = [place.path, name].filter((part) => part !== '').join(' ');
  return [`            case ${words}`, `                set at ${quoted(path)}`];
}

function lines(place: CompletionPlace): string[] {
  const commands = place.commands.map(({ name, summary }) => {
    const next = quoted(`__pdftool_next ${quoted(place.path)} 0`);
    return `complete -c pdftool -n ${next} -a ${name} -d ${quoted(summary)}`;
  });
  const words = place.arguments.flatMap((completion, index) => {
    const more = index === place.arguments.length - 1 && place.many ? ' more' : '';
    const next = quoted(`__pdftool_next ${quoted(place.path)} ${index}${more}`);
    const offer = offered(completion);
    return offer === '' ? [] : [`complete -c pdftool -n ${next}${offer}`];
  });
  return [...commands, ...words];
}

/** A line for each option, with all commands that have it in this form. */
function optionLines(places: readonly CompletionPlace[]): string[] {
  const having = new Map<string, string[]>();
  for (const { path, options } of places) {
    for (const words of options.map(optionWords)) having.set(words, [...(having.get(words) ?? []), path]);
  }
  return [...having].map(([words, paths]) => {
    const at = paths.includes('') ? '' : ` -n ${quoted(`__pdftool_at ${paths.map(quoted).join(' ')}`)}`;
    return `complete -c pdftool${at}${words}`;
  });
}

function optionWords(option: OptionShape): string {
  const names = flagsOf(option).map((flag) => {
    if (flag.startsWith('--')) return ` -l ${flag.slice(2)}`;
    return flag.length === 2 ? ` -s ${flag.slice(1)}` : ` -o ${flag.slice(1)}`;
  });
  const { completes } = option;
  // -x: fish offers files for every value unless it is told not to.
  const takes = completes.kind === 'files' && completes.extensions.length === 0 ? ' -r' : ' -x';
  const value = option.value === undefined ? '' : `${takes}${offered(completes)}`;
  return `${names.join('')}${value} -d ${quoted(option.summary)}`;
}

function offered(completion: Completion): string {
  switch (completion.kind) {
    case 'files':
      return completion.extensions.length === 0
        ? ' -F'
        : ` -k -a ${quoted(`(__pdftool_files ${completion.extensions.join(' ')})`)}`;
    case 'folders':
      return ` -a '(__fish_complete_directories (commandline -ct))'`;
    case 'words':
      return ` -k -a ${quoted(completion.words.join(' '))}`;
    case 'asked':
      return ` -a ${quoted(`(pdftool __complete ${completion.what} 2>/dev/null)`)}`;
    case 'none':
      return '';
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
