// Completion for PowerShell: a table, and a walk over the parsed line. Nothing that was typed is invoked.
import type { OptionShape, ProgramShape } from '../shape.ts';
import { type CompletionPlace, flagsOf, placesOf, repeated, wordsFor } from './places.ts';

export function powershellCompletion(program: ProgramShape): string {
  const places = placesOf(program);
  const shared = repeated(places, (option) => [optionEntry(option)]);
  return `# PowerShell completion for pdftool. Made by npm run derive from the program; changes belong there.

Register-ArgumentCompleter -Native -CommandName pdftool -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    # Options that several commands have.
    $same = @(
${shared.map((line) => `        ${line}`).join(',\n')}
    )
    # Command: its subcommands, its options with what their values may be, its arguments.
    $places = @{
${places.map((it) => place(it, shared)).join('\n')}
    }
    $enter = @{
${places.flatMap(entries).join('\n')}
    }

${WALK}`;
}

/** Walks over the words of the line with the tables above, and offers what may come next. */
const WALK = `    $at = ''
    $value = $null
    $arguments = 0
    $elements = $commandAst.CommandElements | Select-Object -Skip 1
    foreach ($element in $elements) {
        if ($element.Extent.EndOffset -ge $cursorPosition -and $wordToComplete -ne '') { break }
        $word = $element.Extent.Text
        if ($null -ne $value) { $value = $null; continue }
        if ($word.StartsWith('-')) {
            foreach ($options in $places[$at].Options, $places[''].Options) {
                if ($options.ContainsKey($word) -and $null -ne $options[$word].What) { $value = $options[$word].What; break }
            }
            continue
        }
        $next = $enter["$at $word"]
        if ($null -ne $next) { $at = $next } else { $arguments++ }
    }

    function Offer([string] $what) {
        $words = $what -split ' '
        switch ($words[0]) {
            'files' {
                Get-ChildItem -Path "$wordToComplete*" -ErrorAction SilentlyContinue | Where-Object {
                    $_.PSIsContainer -or $words.Length -eq 1 -or $words -contains $_.Extension.TrimStart('.')
                } | ForEach-Object {
                    $name = (Resolve-Path -Relative -LiteralPath $_.FullName) -replace '^\\.[\\\\/]', ''
                    $text = if ($name -match "[\\s']") { "'" + ($name -replace "'", "''") + "'" } else { $name }
                    [System.Management.Automation.CompletionResult]::new($text, $_.Name, 'ProviderItem', $_.Name)
                }
            }
            'folders' {
                Get-ChildItem -Directory -Path "$wordToComplete*" -ErrorAction SilentlyContinue | ForEach-Object {
                    [System.Management.Automation.CompletionResult]::new($_.Name, $_.Name, 'ProviderContainer', $_.Name)
                }
            }
            'words' { $words | Select-Object -Skip 1 | Where-Object { $_.StartsWith($wordToComplete) } }
            'asked' { pdftool __complete $words[1] 2>$null | Where-Object { $_.StartsWith($wordToComplete) } }
        }
    }

    if ($null -ne $value) { Offer $value; return }
    if ($wordToComplete.StartsWith('-')) {
        foreach ($options in $places[$at].Options, $places[''].Options) {
            $options.Keys | Where-Object { $_.StartsWith($wordToComplete) } | Sort-Object -Unique | ForEach-Object {
                [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterName', $options[$_].Says)
            }
            if ($at -eq '') { break }
        }
        return
    }
    $place = $places[$at]
    if ($place.Commands.Count -gt 0) {
        if ($arguments -gt 0) { return }
        $place.Commands.Keys | Where-Object { $_.StartsWith($wordToComplete) } | ForEach-Object {
            [System.Management.Automation.CompletionResult]::new($_, $_, 'Command', $place.Commands[$_])
        }
        return
    }
    if ($place.Arguments.Count -eq 0) { return }
    if ($arguments -lt $place.Arguments.Count) { Offer $place.Arguments[$arguments] }
    elseif ($place.Many) { Offer $place.Arguments[$place.Arguments.Count - 1] }
}
`;

function optionEntry(option: OptionShape): string {
  const what = option.value === undefined ? '$null' : quoted(wordsFor(option.completes) ?? 'none');
  return `@{ What = ${what}; Says = ${quoted(option.summary)} }`;
}

function place(it: CompletionPlace, shared: readonly string[]): string {
  const options = it.options.flatMap((option) => {
    const at = shared.indexOf(optionEntry(option));
    return flagsOf(option).map((flag) => `${quoted(flag)} = ${at === -1 ? optionEntry(option) : `$same[${at}]`}`);
  });
  const commands = it.commands.map(({ name, summary }) => `${quoted(name)} = ${quoted(summary)}`);
  const words = it.arguments.map((argument) => quoted(wordsFor(argument) ?? 'none'));
  return [
    `        ${quoted(it.path)} = @{`,
    `            Commands = ${hash(commands, '[ordered]')}`,
    // PowerShell's own tables do not distinguish -F from -f.
    `            Options = ${sensitive(options)}`,
    `            Arguments = @(${words.join(', ')})`,
    `            Many = ${it.many ? '$true' : '$false'}`,
    '        }',
  ].join('\n');
}

function hash(lines: readonly string[], kind = ''): string {
  if (lines.length === 0) return `${kind}@{}`;
  return `${kind}@{\n${lines.map((line) => `                ${line}`).join('\n')}\n            }`;
}

function sensitive(lines: readonly string[]): string {
  const table = '[System.Collections.Hashtable]::new([System.StringComparer]::Ordinal)';
  if (lines.length === 0) return table;
  const body = lines.map((line) => `                $it[${line.replace(' = ', '] = ')}`);
  return `& {\n                $it = ${table}\n${body.join('\n')}\n                $it\n            }`;
}

function entries(it: CompletionPlace): string[] {
  return it.commands.flatMap(({ name, aliases }) => {
    const path = [it.path, name].filter((part) => part !== '').join(' ');
    return [name, ...aliases].map((word) => `        ${quoted(`${it.path} ${word}`)} = ${quoted(path)}`);
  });
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
