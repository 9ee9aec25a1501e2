import type { OwnCommand } from '../../line/grammar.ts';

export const voices: OwnCommand = {
  name: 'voices',
  group: 'Speech:',
  summary: 'List the voices on this machine, and how to install more',
  build(command, leaf) {
    leaf(command.option('--language <language>', 'Only voices of this language, such as de or en-GB'));
  },
  load: async () => (await import('./run.ts')).run,
};
