import { Argument } from 'commander';
import { CONFIG_KEYS } from '../../../runtime/settings/config.ts';
import type { OwnCommand } from '../../line/grammar.ts';
import { hint } from '../../line/hints.ts';

function setting(): Argument {
  const key = new Argument('<key>', `One of ${Object.keys(CONFIG_KEYS).join(', ')}`);
  return hint(key, { kind: 'asked', what: 'settings' });
}

export const config: OwnCommand = {
  name: 'config',
  summary: 'Read and write settings',
  build(command, leaf) {
    leaf(command.command('get').addArgument(setting()).summary('Print a setting'), 'get');
    leaf(
      command.command('set').addArgument(setting()).argument('<value>', 'Its value').summary('Store a setting'),
      'set',
    );
    leaf(command.command('unset').addArgument(setting()).summary('Forget a setting'), 'unset');
    leaf(command.command('list').summary('Print all settings'), 'list');
    leaf(command.command('path').summary('Print the name of the file'), 'path');
  },
  load: async () => (await import('./run.ts')).run,
};
