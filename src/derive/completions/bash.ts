// Completion for bash 3.2 and later: case statements over static words. Nothing that was typed is evaluated.
import type { ProgramShape } from '../shape.ts';
import { type CompletionPlace, eitherCase, extensionsOf, flagsOf, placesOf, wordsFor } from './places.ts';

export function bashCompletion(program: ProgramShape): string {
  const places = placesOf(program);
  return `# bash completion for pdftool. Made by npm run derive from the program; changes belong there.

# The command that a word leads to from $1, in $path.
__pdftool_enter() {
  case "$1 $2" in
${places.flatMap(entries).join('\n')}
    *) return 1 ;;
  esac
}

# What the value of option $2 of command $1 may be, in $what; fails where it takes none.
__pdftool_value() {
  what=none
  case "$2" in
${values(places[0], '').join('\n')}
  esac
  case "$1 $2" in
${places
  .slice(1)
  .flatMap((place) => values(place, `${place.path} `))
  .join('\n')}
  esac
  return 1
}

# The options of command $1, and its next words after $2 arguments, in $flags and $what.
__pdftool_place() {
  flags='${flagWords(places[0])}'
  what=none
  case "$1" in
${places.map(place).join('\n')}
  esac
}

__pdftool_is() {
  case "$1:$2" in
${extensionsOf(places)
  .map((extension) => `    ${extension}:*.${eitherCase(extension)}) return 0 ;;`)
  .join('\n')}
  esac
  return 1
}

${WALK}`;
}

/** Walks over the words of the line with the tables above, and offers what may come next. */
const WALK = `__pdftool_files() {
  local name extension
  while IFS= read -r name; do
    if [[ $# -eq 0 || -d $name ]]; then
      COMPREPLY+=("$name")
      continue
    fi
    for extension in "$@"; do
      if __pdftool_is "$extension" "$name"; then
        COMPREPLY+=("$name")
        break
      fi
    done
  done < <(compgen -f -- "$cur")
}

__pdftool_words() {
  local word
  for word in "$@"; do
    [[ $word == "$cur"* ]] && COMPREPLY+=("$word")
  done
}

# $what is one of our own lines: it may be split at its spaces.
__pdftool_offer() {
  local list word
  IFS=' ' read -r -a list <<<"$what"
  case "\${list[0]}" in
    files) __pdftool_files "\${list[@]:1}" ;;
    folders)
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -d -- "$cur")
      ;;
    words) __pdftool_words "\${list[@]:1}" ;;
    asked)
      while IFS= read -r word; do __pdftool_words "$word"; done < <(pdftool __complete "\${list[1]}" 2>/dev/null)
      ;;
  esac
}

_pdftool() {
  local cur word path='' what=none flags='' value='' arguments=0 ended='' i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $word == '=' ]]; then
      continue
    elif [[ -n $value ]]; then
      value=''
    elif [[ -z $ended && $word == -- ]]; then
      ended=1
    elif [[ -z $ended && $word == -?* ]]; then
      __pdftool_value "$path" "$word" && value=$word
    elif [[ -n $ended ]] || ! __pdftool_enter "$path" "$word"; then
      arguments=$((arguments + 1))
    fi
  done
  cur=\${COMP_WORDS[COMP_CWORD]}
  [[ $cur == '=' ]] && cur=''
  # A quote that was opened, and backslashes before spaces, are the shell's.
  cur=\${cur#[\\"\\']}
  cur=\${cur//\\\\/}
  if [[ -n $value ]]; then
    __pdftool_value "$path" "$value"
    __pdftool_offer
    return
  fi
  __pdftool_place "$path" "$arguments"
  if [[ -z $ended && $cur == -* ]]; then
    what="words $flags"
  fi
  __pdftool_offer
}

complete -o filenames -F _pdftool pdftool
`;

function entries(place: CompletionPlace): string[] {
  return place.commands.map(({ name, aliases }) => {
    const words = [name, ...aliases].map((word) => `'${place.path} ${word}'`).join(' | ');
    return `    ${words}) path='${[place.path, name].filter((part) => part !== '').join(' ')}' ;;`;
  });
}

function values(place: CompletionPlace | undefined, before: string): string[] {
  return (place?.options ?? []).flatMap((option) => {
    if (option.value === undefined) return [];
    const names = flagsOf(option).map((flag) => `'${before}${flag}'`);
    const what = wordsFor(option.completes) ?? 'none';
    return [`    ${names.join(' | ')}) what='${what}' && return 0 ;;`];
  });
}

function flagWords(place: CompletionPlace | undefined): string {
  return (place?.options ?? []).flatMap(flagsOf).join(' ');
}

function place(it: CompletionPlace): string {
  const flags = it.path === '' || it.options.length === 0 ? '' : `flags="${flagWords(it)} $flags" `;
  const subcommands = it.commands.length === 0 ? undefined : `words ${it.commands.map(({ name }) => name).join(' ')}`;
  const whats = subcommands === undefined ? it.arguments.map((place) => wordsFor(place) ?? 'none') : [subcommands];
  if (whats.length === 0) return `    '${it.path}') ${flags.trim() === '' ? ':' : flags.trim()} ;;`;
  const by = whats.map((what, index) => {
    const pattern = index === whats.length - 1 && it.many ? '*' : String(index);
    return `${pattern}) what='${what}' ;;`;
  });
  return `    '${it.path}') ${flags === '' ? '' : `${flags.trim()}; `}case "$2" in ${by.join(' ')} esac ;;`;
}
