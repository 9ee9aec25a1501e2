import { Option } from 'commander';
import type { OwnCommand } from '../../line/grammar.ts';

export const doctor: OwnCommand = {
  name: 'doctor',
  summary: 'Check what is set up on this machine',
  build(command, leaf) {
    leaf(
      command
        .option('--online', 'Also ask the service')
        .addOption(new Option('--install <what>', 'Have npm fetch optional packages first').choices(['speech'])),
    );
  },
  load: async () => (await import('./run.ts')).run,
};
