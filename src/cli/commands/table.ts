// Owns the commands that are no operation of the service: names, grammar, and the file that runs each. Runs nothing.
import { Argument, type Command, Option } from 'commander';
import type { Clock } from '../../contract/ports.ts';
import { CONFIG_KEYS } from '../../runtime/config.ts';
import type { Streams } from '../../runtime/streams.ts';
import type { Flags } from '../flags.ts';
import { hint } from '../hints.ts';
import { addJobOptions } from '../row-command.ts';
import type { Voice } from '../voice.ts';

/** What a line says of one of these commands. */
export interface OwnRequest {
  /** Its subcommand, such as `login`; empty where it has none. */
  readonly subcommand: string;
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly flags: Flags;
}

/** A request with what the run is given. */
export interface OwnCall extends OwnRequest {
  readonly streams: Streams;
  readonly voice: Voice;
  readonly colour: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Of this program. */
  readonly version: () => string;
}

/** Returns the exit code; throws a Failure. */
export type RunOwn = (call: OwnCall) => Promise<number>;

export interface OwnCommand {
  readonly name: string;
  readonly summary: string;
  /** Where help shows it; among what sets the program up by default. */
  readonly group?: string;
  /** Called by programs, and shown to nobody. */
  readonly hidden?: true;
  /** Texts that `--help TOPIC` tells of it, by name; see shape.ts. */
  readonly topics?: readonly string[];
  /** It lets what is under way come to its end when it is stopped, which may take a while. */
  readonly drains?: true;
  /** Its grammar. `leaf` names each command that does something. */
  build(command: Command, leaf: (command: Command, subcommand?: string) => void): void;
  load(): Promise<RunOwn>;
}

function setting(): Argument {
  const key = new Argument('<key>', `One of ${Object.keys(CONFIG_KEYS).join(', ')}`);
  return hint(key, { kind: 'asked', what: 'settings' });
}

export const OWN_COMMANDS: readonly OwnCommand[] = [
  {
    name: 'pages',
    group: 'Pages:',
    summary: 'Say which pages a page range means',
    build(command, leaf) {
      const explain = command.command('explain').summary('Say which pages a range means, in words or in a PDF');
      explain.argument('<range>', 'Such as 1-3,7 or r2 or x5').argument('[file]', 'The PDF whose pages are counted');
      explain.addOption(new Option('--password-file <file>', 'File whose first line is the password of the PDF'));
      // -3, the first three pages, is no option.
      leaf(explain.allowUnknownOption(), 'explain');
    },
    load: async () => (await import('./all.ts')).pages,
  },
  {
    name: 'jobs',
    group: 'Jobs:',
    summary: 'List, watch and fetch jobs that were begun on this machine',
    build(command, leaf) {
      const list = command.command('list').summary('List jobs, the oldest first');
      list.addOption(new Option('--refresh', 'Ask the service for those that have not ended'));
      leaf(list.addOption(new Option('--calls', 'List paid calls instead of jobs')), 'list');
      leaf(command.command('status').argument('<id>').summary('Show what the service says of a job'), 'status');
      const watch = command
        .command('watch')
        .argument('[id...]')
        .summary('Watch jobs to their end; all unfinished by default');
      leaf(addJobOptions(watch, false), 'watch');
      const wait = command
        .command('wait')
        .argument('[id...]')
        .summary('The same in plain lines; --timeout ends it with exit code 8');
      leaf(addJobOptions(wait, false), 'wait');
      leaf(command.command('download').argument('<id>').summary('Fetch the result of a finished job'), 'download');
      const forget = command.command('forget').argument('[id...]').summary('Take jobs out of the list');
      leaf(forget.addOption(new Option('--ended', 'All that have ended, and paid calls that were answered')), 'forget');
    },
    load: async () => (await import('./all.ts')).jobs,
  },
  {
    name: 'workflow',
    group: 'Jobs:',
    summary: 'Run large jobs on the service: up to 1 GiB, resumed where they stopped',
    build(command, leaf) {
      const submit = command.command('submit').argument('<workflow>').argument('<file>');
      submit.summary("Run any workflow by the service's name for it");
      leaf(workflowOptions(submit), 'submit');
      const compress = command.command('compress').argument('<file>').summary('Make a PDF of up to 1 GiB smaller');
      leaf(workflowOptions(compress), 'compress');
      const folder = command.command('folder').argument('<folder>');
      leaf(workflowOptions(folder.summary('Process a ZIP of up to 100 files, or the PDFs of a folder')), 'folder');
      const pack = command
        .command('source-pack')
        .argument('<file>')
        .summary('Make a verified source pack of a text PDF');
      leaf(workflowOptions(pack.addOption(new Option('--mode <mode>', 'How text is written (rag)'))), 'source-pack');
      const resume = command
        .command('resume')
        .argument('[id...]')
        .summary('Go on with jobs that were not handed over completely');
      leaf(addJobOptions(resume, true), 'resume');
    },
    load: async () => (await import('./all.ts')).workflow,
  },
  {
    name: 'redact',
    group: 'Jobs:',
    summary: 'Find what to black out, review it, then apply it',
    build(command, leaf) {
      const inspect = command.command('inspect').argument('<file>');
      leaf(workflowOptions(inspect.summary('Find regions and write them to a file for review')), 'inspect');
      const apply = command.command('apply').argument('<file>').summary('Black out the regions that were reviewed');
      apply.addOption(new Option('--regions <file>', 'What redact inspect wrote, with "reviewed": true set by hand'));
      leaf(workflowOptions(apply), 'apply');
    },
    load: async () => (await import('./all.ts')).redact,
  },
  {
    name: 'auth',
    summary: 'Log in to the service, log out, see which key is used',
    build(command, leaf) {
      const login = command.command('login').summary('Store an API key of this person, after checking it');
      login.description(
        'Stores an API key with mode 0600. It is typed unseen, or read with --with-token; never given as an argument.',
      );
      login.addOption(new Option('--with-token', 'Read the key from standard input'));
      login.addOption(new Option('--no-verify', 'Do not ask the service whether it takes the key'));
      login.addOption(new Option('--base-url <url>', 'Address of the service, stored with the key'));
      leaf(login, 'login');
      leaf(command.command('logout').summary('Forget the stored key'), 'logout');
      const status = command
        .command('status')
        .summary('Show the key in use (masked), where it comes from, and credits');
      leaf(status.addOption(new Option('--offline', 'Ask the service nothing')), 'status');
    },
    load: async () => (await import('./all.ts')).auth,
  },
  {
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
    load: async () => (await import('./all.ts')).config,
  },
  {
    name: 'doctor',
    summary: 'Say what is set up on this machine and what is not',
    build(command, leaf) {
      leaf(command.addOption(new Option('--online', 'Also ask the service')));
    },
    load: async () => (await import('./all.ts')).doctor,
  },
  {
    name: 'api',
    group: 'Service:',
    summary: 'Call the service directly, with the same key and the same care for charges',
    build(command, leaf) {
      const several = (value: string, before: readonly string[] = []) => [...before, value];
      command.argument('<method>', 'Such as GET or POST').argument('<path>', 'Such as /api/v1/account');
      command.usage('METHOD PATH [options]');
      command.addOption(new Option('-F <field>', 'A form field: name=value, or name=@file').argParser(several));
      command.addOption(
        new Option('--field <field>', 'A form field as text: name=value; -f for short').argParser(several),
      );
      command.addOption(new Option('--input <file>', 'Send this file as the body; - is standard input'));
      leaf(command);
    },
    load: async () => (await import('./all.ts')).api,
  },
  {
    name: 'completion',
    summary: 'Print the completion of a shell',
    build(command, leaf) {
      const shell = new Argument('<shell>', 'One of bash, zsh, fish, powershell');
      // Offered, not enforced here: what is wrong is said with a guess.
      command.addArgument(hint(shell, { kind: 'words', words: ['bash', 'zsh', 'fish', 'powershell'] }));
      leaf(command);
    },
    load: async () => (await import('./all.ts')).completion,
  },
  {
    name: '__complete',
    summary: 'Print what only this machine knows, for completions',
    hidden: true,
    build: (command, leaf) => leaf(command.argument('<what>')),
    load: async () => (await import('./all.ts')).complete,
  },
  {
    name: '__worker',
    summary: 'Work on files of a batch, as another pdftool says',
    hidden: true,
    build: (command, leaf) => leaf(command),
    load: async () => (await import('./all.ts')).work,
  },
  {
    name: '__count',
    summary: 'Count the pages of a file with another reader, as another pdftool says',
    hidden: true,
    build: (command, leaf) => leaf(command),
    load: async () => (await import('./all.ts')).count,
  },
  {
    name: '__draw',
    summary: 'Draw pages of a file, as another pdftool says',
    hidden: true,
    build: (command, leaf) => leaf(command),
    load: async () => (await import('./all.ts')).draw,
  },
  {
    name: '__codec',
    summary: 'Decode and encode images, as another pdftool says',
    hidden: true,
    build: (command, leaf) => leaf(command),
    load: async () => (await import('../codec.ts')).codec,
  },
  {
    name: 'serve',
    drains: true,
    summary: 'Run the whole service on this machine',
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
      leaf(
        keys.command('revoke').argument('<key>').summary('Refuse a key from now on').addOption(data()),
        'keys revoke',
      );
      const credits = command.command('credits').summary('Credits of this server');
      const grant = credits.command('grant').argument('<key>').argument('<credits>').summary('Add credits');
      leaf(grant.addOption(data()), 'credits grant');
      leaf(command.command('worker', { hidden: true }), 'worker');
    },
    load: async () => (await import('./all.ts')).serve,
  },
];

function workflowOptions(command: Command): Command {
  const several = (value: string, before: readonly string[] = []) => [...before, value];
  command.addOption(
    new Option('--option <name=value>', 'An option of the workflow; may be repeated').argParser(several),
  );
  command.addOption(
    new Option('--idempotency-key <key>', 'Name this request yourself; the same key finds the same job'),
  );
  return addJobOptions(command, true);
}

/** `-f` is --force everywhere else; after `api` it is what users of other command lines expect: a field. */
export function withApiFields(argv: readonly string[]): readonly string[] {
  return argv.find((word) => !word.startsWith('-')) === 'api'
    ? argv.map((word) => (word === '-f' ? '--field' : word))
    : argv;
}
