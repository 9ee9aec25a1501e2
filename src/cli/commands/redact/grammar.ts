import { type Command, Option } from 'commander';
import { addWorkflowOptions, type OwnCommand, several } from '../../line/grammar.ts';
import { hint } from '../../line/hints.ts';

const KINDS = ['email', 'phone', 'card', 'iban', 'ssn'];

const password = () => new Option('--password-file <file>', 'File whose first line is the password of the PDF');
const find = (what: string) => new Option('--find <text>', what).argParser(several);

function addFinding(command: Command): void {
  command.addOption(find('Text to find, capitals alike; may be repeated'));
  command.option('--regex <expression>', 'Regular expression to find; may be repeated', several);
  const kinds = new Option('--kinds <list>', `What else to find: ${KINDS.join(', ')}`);
  command.addOption(hint(kinds, { kind: 'words', words: KINDS }));
  command.option('--ocr', 'Fail if nothing can recognise words in pictures and pages without text');
}

function addStyle(command: Command): void {
  command.option('--label <text>', 'Text in each box');
  command.option('--fill <colour>', 'Colour of the boxes: black, white, gray or #rrggbb (black)');
  command.option('--strict', 'Blank to the end of each line, so that widths say nothing');
  command.option('--raster', 'Make every page a picture');
  command.option('--clean', 'Keep only the pages: no title, language, bookmarks, tags or fields');
}

export const redactCommand: OwnCommand = {
  name: 'redact',
  group: 'Jobs:',
  summary: 'Find what to black out, review it, then apply it',
  build(command, leaf) {
    // The command and its subcommands have options of the same names.
    command.enablePositionalOptions().argument('[file]');
    addFinding(command);
    command.option('--yes', 'Apply what is found and check the output, without a review');
    addStyle(command);
    leaf(command.addOption(password()), '');
    const inspect = command.command('inspect').argument('<file>');
    inspect.summary('Find what to black out, and write regions for review');
    addFinding(inspect);
    leaf(addWorkflowOptions(inspect.addOption(password())), 'inspect');
    const review = command.command('review').argument('<file>');
    review.summary('Show the regions in a PDF, or edit them on a web page');
    review.option('--regions <file>', 'What redact inspect wrote');
    review.option('--html [file]', 'Write a page for the browser, which saves the reviewed regions');
    leaf(review.addOption(password()), 'review');
    const apply = command.command('apply').argument('<file>').summary('Remove the regions, and check the output');
    apply.option('--regions <file>', 'Regions that were reviewed');
    apply.option('--reviewed', 'Say that a person has looked at the regions');
    addStyle(apply);
    leaf(addWorkflowOptions(apply.addOption(password())), 'apply');
    const check = command.command('check').argument('<file>');
    check.summary(
      'Look for what can still be read in a redacted PDF; exit code 3 where something can or pictures were not read',
    );
    check.option('--regions <file>', 'Regions in which nothing may be left');
    check.addOption(find('Text that must be nowhere in the file; may be repeated'));
    check.option('--label <text>', 'What was written into the boxes');
    leaf(check.addOption(password()), 'check');
  },
  load: async () => (await import('./run.ts')).run,
};
