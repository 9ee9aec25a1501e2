import { FAMILIES } from '../../../contract/operation.ts';
import type { OwnCommand } from '../../line/grammar.ts';

export const pagesCommand: OwnCommand = {
  name: 'pages',
  group: 'Pages:',
  summary: FAMILIES.pages,
  build(command, leaf) {
    const explain = command.command('explain').summary('Say which pages a range means, in words or in a PDF');
    explain.argument('<range>', 'Such as 1-3,7 or r2 or x5').argument('[file]', 'The PDF whose pages are counted');
    explain.option('--password-file <file>', 'File whose first line is the password of the PDF; - is standard input');
    // `-3`, the first three pages, is not an option.
    leaf(explain.allowUnknownOption(), 'explain');
  },
  load: async () => (await import('./run.ts')).run,
};
