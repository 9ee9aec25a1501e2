import type { OwnCommand } from '../../line/grammar.ts';

export const languages: OwnCommand = {
  name: 'languages',
  under: 'ocr',
  summary: 'Languages whose words can be recognised on this machine',
  build(command, leaf) {
    leaf(command.command('list').summary('List them, with the program that recognises each'), 'list');
    const add = command.command('add').argument('<language...>', 'Three letters each, such as deu');
    leaf(add.summary('Have npm fetch them; pdftool never downloads them by itself'), 'add');
  },
  load: async () => (await import('./run.ts')).run,
};
