import { Option } from 'commander';
import { addWorkflowOptions, type OwnCommand } from '../grammar.ts';

export const redact: OwnCommand = {
  name: 'redact',
  group: 'Jobs:',
  summary: 'Find what to black out, review it, then apply it',
  build(command, leaf) {
    const inspect = command.command('inspect').argument('<file>');
    leaf(addWorkflowOptions(inspect.summary('Find regions and write them to a file for review')), 'inspect');
    const apply = command.command('apply').argument('<file>').summary('Black out the regions that were reviewed');
    apply.addOption(new Option('--regions <file>', 'What redact inspect wrote, with "reviewed": true set by hand'));
    leaf(addWorkflowOptions(apply), 'apply');
  },
  load: async () => (await import('./run.ts')).run,
};
