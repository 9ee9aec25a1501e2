import { Option } from 'commander';
import { hint } from '../../hints.ts';
import { addWorkflowOptions, type OwnCommand, several } from '../grammar.ts';

const KINDS = ['email', 'phone', 'card', 'iban', 'ssn'];

const password = () => new Option('--password-file <file>', 'File whose first line is the password of the PDF');
const find = (what: string) => new Option('--find <text>', what).argParser(several);

export const redact: OwnCommand = {
  name: 'redact',
  group: 'Jobs:',
  summary: 'Find what to black out, review it, then apply it',
  build(command, leaf) {
    const inspect = command.command('inspect').argument('<file>');
    inspect.summary('Find what to black out, and write regions for review');
    inspect.addOption(find('Text to find, capitals alike; may be repeated'));
    inspect.addOption(
      new Option('--regex <expression>', 'Regular expression to find; may be repeated').argParser(several),
    );
    const kinds = new Option('--kinds <list>', `What else to find: ${KINDS.join(', ')}`);
    inspect.addOption(hint(kinds, { kind: 'words', words: KINDS }));
    inspect.addOption(new Option('--ocr', 'Recognise the words of pages without text first, as pdftool ocr does'));
    leaf(addWorkflowOptions(inspect.addOption(password())), 'inspect');
    const review = command.command('review').argument('<file>');
    review.summary('Look at the regions: in a PDF, or on a page on which they are edited');
    review.addOption(new Option('--regions <file>', 'What redact inspect wrote'));
    review.addOption(new Option('--html', 'A page for the browser, which saves the reviewed regions'));
    leaf(review.addOption(password()), 'review');
    const apply = command.command('apply').argument('<file>').summary('Remove what is in the regions, and prove it');
    apply.addOption(new Option('--regions <file>', 'Regions that were reviewed'));
    apply.addOption(new Option('--reviewed', 'Say that a person has looked at the regions'));
    apply.addOption(new Option('--label <text>', 'Text in each box'));
    apply.addOption(new Option('--fill <colour>', 'Colour of the boxes: black, white, gray or #rrggbb (black)'));
    apply.addOption(new Option('--strict', 'Blank to the end of each line, so that widths say nothing'));
    apply.addOption(new Option('--raster', 'Make every page a picture'));
    leaf(addWorkflowOptions(apply.addOption(password())), 'apply');
    const check = command.command('check').argument('<file>');
    check.summary('Look for what can still be read in a redacted PDF; exit code 3 where something can');
    check.addOption(new Option('--regions <file>', 'Regions in which nothing may be left'));
    check.addOption(find('Text that must be nowhere in the file; may be repeated'));
    check.addOption(new Option('--label <text>', 'What was written into the boxes'));
    leaf(check.addOption(password()), 'check');
  },
  load: async () => (await import('./run.ts')).run,
};
