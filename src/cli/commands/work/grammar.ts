import type { OwnCommand } from '../../line/grammar.ts';
import { databaseOption, storageOption } from '../serve/grammar.ts';

export const work: OwnCommand = {
  name: 'work',
  summary: 'Work on jobs of pdftool serve, on any number of machines',
  drains: true,
  build(command, leaf) {
    command.addOption(databaseOption()).addOption(storageOption());
    command.option('--data <dir>', 'Folder of uploads and results that all servers share');
    leaf(command.option('--admin-port <number>', 'Separate port of this machine for /livez, /readyz and /metrics'));
  },
  load: async () => (await import('./run.ts')).run,
};
