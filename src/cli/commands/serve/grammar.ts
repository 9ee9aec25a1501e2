import { type Command, Option } from 'commander';
import type { OwnCommand } from '../../line/grammar.ts';

export function databaseOption(): Option {
  return new Option('--database <address>', 'PostgreSQL instead of the folder: postgres://user@host/name');
}

export function storageOption(): Option {
  return new Option('--storage <address>', 'S3 instead of a shared folder: s3://bucket/prefix (needs --database)');
}

export const serve: OwnCommand = {
  name: 'serve',
  summary: 'Run the whole service on this machine',
  drains: true,
  topics: ['settings'],
  build(command, leaf) {
    const data = () => new Option('--data <dir>', 'Folder that keeps keys, credits, jobs and results');
    const stored = (subcommand: Command) => subcommand.addOption(data()).addOption(databaseOption());
    command.option('--host <address>', 'Address to listen on (127.0.0.1)');
    command.option('--port <number>', 'Port to listen on (8787); 0 takes a free one');
    command.option('--admin-port <number>', 'Separate port of this machine for /livez, /readyz and /metrics');
    command.option('--key-file <file>', 'Write the first key to this new file instead of showing it');
    command.option('--no-workers', 'Leave workflow jobs to pdftool work (needs --database)');
    command.option('--no-page', 'Offer no web page at /');
    command.option('--page-key-file <file>', 'Key that the web page uses, so that nobody types one');
    command.option('--admin-key-file <file>', 'Key for the account area of the web page; created if it does not exist');
    command.option('--allow-public-page', 'With --page-key-file, let other machines use the page too');
    command.addOption(storageOption());
    leaf(stored(command));
    const keys = command.command('keys').summary('API keys of this server');
    const create = stored(keys.command('create').summary('Make a key; it is shown once'));
    create.option('--label <text>', 'What it is for');
    create.option('--account <id>', 'For an existing account, instead of a new one');
    leaf(create.option('--test', 'Begin with sk_test_'), 'keys create');
    leaf(stored(keys.command('list').summary('Print keys and their credits')), 'keys list');
    leaf(stored(keys.command('revoke').argument('<key>').summary('Refuse a key from now on')), 'keys revoke');
    const credits = command.command('credits').summary('Credits of this server');
    const grant = credits.command('grant').argument('<key>').argument('<credits>').summary('Add credits');
    leaf(stored(grant), 'credits grant');
    const migrate = command.command('migrate').summary('Bring a database to the version of this program');
    leaf(migrate.addOption(databaseOption()), 'migrate');
    const move = command.command('move').summary('Move everything from a folder to a database and a bucket');
    move.option('--from <dir>', 'Data folder of a server that is stopped');
    move.option('--to <addresses>', 'Where to: postgres://…,s3://bucket');
    leaf(move, 'move');
    leaf(command.command('worker', { hidden: true }), 'worker');
    leaf(command.command('database', { hidden: true }), 'database');
  },
  load: async () => (await import('./run.ts')).run,
};
