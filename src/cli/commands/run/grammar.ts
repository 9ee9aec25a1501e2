import { Argument } from 'commander';
import { addJobOptions, type OwnCommand } from '../../line/grammar.ts';
import { hint } from '../../line/hints.ts';

export const run: OwnCommand = {
  name: 'run',
  group: 'Pages:',
  summary: 'Run a list of steps, each on the output of the one before',
  build(command, leaf) {
    const steps = new Argument('<steps>', 'JSON: {"steps": [{"operation": "rotate", "angle": 90}, …]}');
    command.addArgument(hint(steps, { kind: 'files', extensions: ['json'] }));
    command.argument('<files...>', 'What the first step works on');
    command.option('--as-job', 'Send one PDF and all steps to the service as one job');
    leaf(addJobOptions(command, true));
  },
  load: async () => (await import('./run.ts')).run,
};
