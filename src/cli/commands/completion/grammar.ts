import { Argument } from 'commander';
import type { OwnCommand } from '../../line/grammar.ts';
import { hint } from '../../line/hints.ts';

export const completion: OwnCommand = {
  name: 'completion',
  summary: 'Print the completion of a shell',
  build(command, leaf) {
    const shell = new Argument('<shell>', 'One of bash, zsh, fish, powershell');
    // Not enforced here, so that the error can suggest the shell that was meant.
    command.addArgument(hint(shell, { kind: 'words', words: ['bash', 'zsh', 'fish', 'powershell'] }));
    leaf(command);
  },
  load: async () => (await import('./run.ts')).run,
};

export const complete: OwnCommand = {
  name: '__complete',
  summary: 'Print what only this machine knows, for completions',
  hidden: true,
  build: (command, leaf) => leaf(command.argument('<what>')),
  load: async () => (await import('./run.ts')).printCompletions,
};
