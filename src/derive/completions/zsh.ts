// Completion for zsh: like bash, with descriptions. Nothing that was typed is evaluated.
import type { OptionShape, ProgramShape } from '../shape.ts';
import { type CompletionPlace, flagsOf, placesOf, repeated, wordsFor } from './places.ts';

export function zshCompletion(program: ProgramShape): string {
  const places = placesOf(program);
  const shared = repeated(places, described);
  return `#compdef pdftool
# zsh completion for pdftool. Made by npm run derive from the program; changes belong there.

# The command that a word leads to from $1, in $at.
__pdftool_enter() {
  case "$1 $2" in
${places.flatMap(entries).join('\n')}
    (*) return 1 ;;
  esac
}

# What the value of option $2 of command $1 may be, in $what; fails where it takes none.
__pdftool_value() {
  what=()
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

# The options of command $1, its subcommands, and its next words after $2 arguments.
__pdftool_place() {
  # Options that several commands have.
  local -a same=(
${shared.join('\n')}
  )
  flags=() commands=() what=()
  case "$1" in
${places.map((it) => place(it, shared)).join('\n')}
  esac
  flags+=(
${(places[0]?.options ?? []).flatMap(described).join('\n')}
  )
}

${WALK}`;
}

/** Walks over the words of the line with the tables above, and offers what may come next. */
const WALK = `__pdftool_offer() {
  local -a found
  local -i ret=1
  case "\${what[1]}" in
    (files)
      if (( $#what > 1 )); then
        # Files as asked, and folders on the way to them; _files would fall back to any file.
        _path_files -g "(#i)*.(\${(j:|:)what[2,-1]})(-.)" && ret=0
        _path_files -/ && ret=0
        return ret
      else
        _files
      fi
      ;;
    (folders) _files -/ ;;
    (words) compadd -- "\${(@)what[2,-1]}" ;;
    (asked)
      found=("\${(@f)$(pdftool __complete "\${what[2]}" 2>/dev/null)}")
      (( \${#found} )) && [[ -n \${found[1]} ]] && compadd -- "\${(@)found}"
      ;;
    (*) return 1 ;;
  esac
}

_pdftool() {
  local at='' word value='' ended=''
  local -a what flags commands
  local -i i arguments=0
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    if [[ -n $value ]]; then
      value=''
    elif [[ -z $ended && $word == -- ]]; then
      ended=1
    elif [[ -z $ended && $word == --*=* ]]; then
      continue
    elif [[ -z $ended && $word == -?* ]]; then
      __pdftool_value "$at" "$word" && value=$word
    elif [[ -n $ended ]] || ! __pdftool_enter "$at" "$word"; then
      arguments+=1
    fi
  done
  if [[ -n $value ]]; then
    __pdftool_value "$at" "$value"
    __pdftool_offer
    return
  fi
  if [[ -z $ended && $PREFIX == --*=* ]]; then
    value=\${PREFIX%%=*}
    compset -P '*='
    __pdftool_value "$at" "$value" && __pdftool_offer
    return
  fi
  __pdftool_place "$at" $arguments
  if [[ -z $ended && $PREFIX == -* ]]; then
    _describe -o -t options option flags
    return
  fi
  if (( $#commands )); then
    (( arguments == 0 )) && _describe -t commands command commands
    return
  fi
  __pdftool_offer
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _pdftool "$@"
else
  compdef _pdftool pdftool
fi
`;

function entries(place: CompletionPlace): string[] {
  return place.commands.map(({ name, aliases }) => {
    const words = [name, ...aliases].map((word) => `'${place.path} ${word}'`).join('|');
    return `    (${words}) at='${[place.path, name].filter((part) => part !== '').join(' ')}' ;;`;
  });
}

function values(place: CompletionPlace | undefined, before: string): string[] {
  return (place?.options ?? []).flatMap((option) => {
    if (option.value === undefined) return [];
    const names = flagsOf(option).map((flag) => `'${before}${flag}'`);
    return [`    (${names.join('|')}) what=(${wordsFor(option.completes) ?? ''}) && return 0 ;;`];
  });
}

function place(it: CompletionPlace, shared: readonly string[]): string {
  const lines: string[] = [];
  if (it.path !== '' && it.options.length > 0) {
    const all = it.options.flatMap(described);
    const same = all.flatMap((line) => (shared.includes(line) ? [`"$same[${shared.indexOf(line) + 1}]"`] : []));
    const unshared = all.filter((line) => !shared.includes(line));
    lines.push(`flags=(\n${[...unshared, `        ${same.join(' ')}`].join('\n')}\n      )`);
  }
  if (it.commands.length > 0) {
    const list = it.commands.map(({ name, summary }) => `        ${quoted(`${name}:${summary}`)}`);
    lines.push(`commands=(\n${list.join('\n')}\n      )`);
  }
  if (it.arguments.length > 0) {
    const by = it.arguments.map((argument, index) => {
      const pattern = index === it.arguments.length - 1 && it.many ? '*' : String(index);
      return `(${pattern}) what=(${wordsFor(argument) ?? ''}) ;;`;
    });
    lines.push(`case "$2" in ${by.join(' ')} esac`);
  }
  return `    (${quoted(it.path)})\n${lines.map((line) => `      ${line}`).join('\n')}\n      ;;`.replace('\n\n', '\n');
}

function described(option: OptionShape): string[] {
  return flagsOf(option).map((flag) => `        ${quoted(`${flag}:${option.summary.replaceAll(':', '\\:')}`)}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
