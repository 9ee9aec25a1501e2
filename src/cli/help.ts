// Owns the order and shape of help: what one came for first, the options of every command last. Knows no operation.
import type { Argument, Command, Help, Option } from 'commander';

/** commander's formatHelp, with commands before options and aliases left to the help of each command. */
export function formatHelp(command: Command, helper: Help): string {
  const items = (list: readonly { term: string; text: string }[], width: number) =>
    list.map(({ term, text }) => helper.formatItem(term, width, text, helper));
  const sections = sectionsOf(command, helper);
  const width = Math.max(...sections.flatMap(({ list }) => list.map(({ term }) => term.length)));
  helper.helpWidth ??= 80;
  return [
    `Usage: ${helper.commandUsage(command)}`,
    '',
    helper.boxWrap(helper.commandDescription(command), helper.helpWidth),
    ...sections.flatMap(({ title, list }) => ['', title, ...items(list, width)]),
    '',
  ].join('\n');
}

interface Section {
  readonly title: string;
  readonly list: readonly { readonly term: string; readonly text: string }[];
}

function sectionsOf(command: Command, helper: Help): Section[] {
  const option = (each: Option) => ({ term: helper.optionTerm(each), text: helper.optionDescription(each) });
  const argument = (each: Argument) => ({ term: each.name().toUpperCase(), text: helper.argumentDescription(each) });
  const subcommand = (each: Command) => ({ term: each.name(), text: helper.subcommandDescription(each) });
  const own = helper.visibleOptions(command);
  const everywhere = helper.visibleGlobalOptions(command).filter((each) => each.long !== '--version');
  const groups = helper.groupItems(
    [...command.commands],
    helper.visibleCommands(command).filter((each) => each.name() !== 'help'),
    (each) => each.helpGroup() || 'Commands:',
  );
  return [
    ...[...groups].map(([title, list]) => ({ title, list: list.map(subcommand) })),
    { title: 'Arguments:', list: helper.visibleArguments(command).map(argument) },
    { title: 'Options:', list: own.map(option) },
    { title: 'Options of every command:', list: everywhere.map(option) },
  ].filter(({ list }) => list.length > 0);
}
