import { Option } from 'commander';
import type { OwnCommand } from '../grammar.ts';

export const serve: OwnCommand = {
  name: 'serve',
  summary: 'Run the whole service on this machine',
  drains: true,
  topics: ['settings'],
  build(command, leaf) {
    const data = () => new Option('--data <dir>', 'Folder that keeps keys, credits, jobs and results');
    command.addOption(new Option('--host <address>', 'Address to listen on (127.0.0.1)'));
    command.addOption(new Option('--port <number>', 'Port to listen on (8787); 0 takes a free one'));
    command.addOption(
      new Option('--admin-port <number>', 'Port of this machine for /livez, /readyz and /metrics alone'),
    );
    command.addOption(new Option('--key-file <file>', 'Write the first key to this new file instead of showing it'));
    leaf(command.addOption(data()));
    const keys = command.command('keys').summary('API keys of this server');
    const create = keys.command('create').summary('Make a key; it is shown once').addOption(data());
    create.addOption(new Option('--label <text>', 'What it is for'));
    create.addOption(new Option('--account <id>', 'For an account that is there, instead of a new one'));
    leaf(create.addOption(new Option('--test', 'Begin with sk_test_')), 'keys create');
    leaf(keys.command('list').summary('Print keys and their credits').addOption(data()), 'keys list');
    leaf(keys.command('revoke').argument('<key>').summary('Refuse a key from now on').addOption(data()), 'keys revoke');
    const credits = command.command('credits').summary('Credits of this server');
    const grant = credits.command('grant').argument('<key>').argument('<credits>').summary('Add credits');
    leaf(grant.addOption(data()), 'credits grant');
    leaf(command.command('worker', { hidden: true }), 'worker');
    leaf(command.command('database', { hidden: true }), 'database');
  },
  load: async () => (await import('./run.ts')).run,
};
