// The commands that are no operation: the arguments and options of each, and the file that runs it.
import { Argument, type Command, Option } from 'commander';
import { FAMILIES } from '../../contract/operation.ts';
import { CONFIG_KEYS } from '../../runtime/settings/config.ts';
import { addJobOptions, addWorkflowOptions, type OwnCommand, several } from '../line/grammar.ts';
import { hint } from '../line/hints.ts';

const pagesCommand: OwnCommand = {
  name: 'pages',
  group: 'Pages:',
  summary: FAMILIES.pages,
  build(command, leaf) {
    const explain = command.command('explain').summary('Say which pages a range means, in words or in a PDF');
    explain.argument('<range>', 'Such as 1-3,7 or r2 or x5').argument('[file]', 'The PDF whose pages are counted');
    explain.option('--password-file <file>', 'File whose first line is the password of the PDF; - is standard input');
    // `-3`, the first three pages, is not an option.
    leaf(explain.allowUnknownOption(), 'explain');
  },
  load: async () => (await import('./pages/run.ts')).run,
};

const run: OwnCommand = {
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
  load: async () => (await import('./run/run.ts')).run,
};

const jobs: OwnCommand = {
  name: 'jobs',
  group: 'Jobs:',
  summary: 'List, watch and fetch jobs started on this machine',
  build(command, leaf) {
    const list = command.command('list').summary('List jobs, the oldest first');
    list.option('--refresh', 'Ask the service about unfinished jobs');
    leaf(list.option('--calls', 'List paid calls instead of jobs'), 'list');
    leaf(command.command('status').argument('<id>').summary('Show the state of a job'), 'status');
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
    const cancel = command.command('cancel').argument('<id...>');
    leaf(cancel.summary('Cancel jobs on the service; their reserved credits are returned'), 'cancel');
    const forget = command.command('forget').argument('[id...]').summary('Remove jobs from the list');
    leaf(forget.option('--ended', 'All ended jobs, and paid calls that were answered'), 'forget');
  },
  load: async () => (await import('./jobs/run.ts')).run,
};

const workflow: OwnCommand = {
  name: 'workflow',
  group: 'Jobs:',
  summary: 'Run large jobs on the service: up to 1 GiB, resumed where they stopped',
  build(command, leaf) {
    const submit = command.command('submit').argument('<workflow>').argument('<file>');
    submit.summary("Run any workflow by the service's name for it");
    leaf(addWorkflowOptions(submit), 'submit');
    const compress = command.command('compress').argument('<file>').summary('Make a PDF of up to 1 GiB smaller');
    leaf(addWorkflowOptions(compress), 'compress');
    const folder = command.command('folder').argument('<folder>');
    leaf(addWorkflowOptions(folder.summary('Process a ZIP of up to 100 files, or the PDFs of a folder')), 'folder');
    const pack = command.command('source-pack').argument('<file>').summary('Make a verified source pack of a text PDF');
    leaf(addWorkflowOptions(pack.option('--mode <mode>', 'How text is written (rag)')), 'source-pack');
    const resume = command
      .command('resume')
      .argument('[id...]')
      .summary('Resume jobs that were not submitted completely');
    leaf(addJobOptions(resume, true), 'resume');
  },
  load: async () => (await import('./workflow/run.ts')).run,
};

const FINDING_KINDS = ['email', 'phone', 'card', 'iban', 'ssn'];

const passwordOption = () => new Option('--password-file <file>', 'File whose first line is the password of the PDF');
const findOption = (what: string) => new Option('--find <text>', what).argParser(several);

function addFinding(command: Command): void {
  command.addOption(findOption('Text to find, capitals alike; may be repeated'));
  command.option('--regex <expression>', 'Regular expression to find; may be repeated', several);
  const kinds = new Option('--kinds <list>', `What else to find: ${FINDING_KINDS.join(', ')}`);
  command.addOption(hint(kinds, { kind: 'words', words: FINDING_KINDS }));
  command.option('--ocr', 'Fail if nothing can recognise words in pictures and pages without text');
}

function addStyle(command: Command): void {
  command.option('--label <text>', 'Text in each box');
  command.option('--fill <colour>', 'Colour of the boxes: black, white, gray or #rrggbb (black)');
  command.option('--strict', 'Blank to the end of each line, so that widths say nothing');
  command.option('--raster', 'Make every page a picture');
  command.option('--clean', 'Keep only the pages: no title, language, bookmarks, tags or fields');
}

const redactCommand: OwnCommand = {
  name: 'redact',
  group: 'Jobs:',
  summary: 'Find what to black out, review it, then apply it',
  build(command, leaf) {
    // The command and its subcommands have options of the same names.
    command.enablePositionalOptions().argument('[file]');
    addFinding(command);
    command.option('--yes', 'Apply what is found and check the output, without a review');
    addStyle(command);
    leaf(command.addOption(passwordOption()), '');
    const inspect = command.command('inspect').argument('<file>');
    inspect.summary('Find what to black out, and write regions for review');
    addFinding(inspect);
    leaf(addWorkflowOptions(inspect.addOption(passwordOption())), 'inspect');
    const review = command.command('review').argument('<file>');
    review.summary('Show the regions in a PDF, or edit them on a web page');
    review.option('--regions <file>', 'What redact inspect wrote');
    review.option('--html [file]', 'Write a page for the browser, which saves the reviewed regions');
    leaf(review.addOption(passwordOption()), 'review');
    const apply = command.command('apply').argument('<file>').summary('Remove the regions, and check the output');
    apply.option('--regions <file>', 'Regions that were reviewed');
    apply.option('--reviewed', 'Say that a person has looked at the regions');
    addStyle(apply);
    leaf(addWorkflowOptions(apply.addOption(passwordOption())), 'apply');
    const check = command.command('check').argument('<file>');
    check.summary(
      'Look for what can still be read in a redacted PDF; exit code 3 where something can or pictures were not read',
    );
    check.option('--regions <file>', 'Regions in which nothing may be left');
    check.addOption(findOption('Text that must be nowhere in the file; may be repeated'));
    check.option('--label <text>', 'What was written into the boxes');
    leaf(check.addOption(passwordOption()), 'check');
  },
  load: async () => (await import('./redact/run.ts')).run,
};

const languages: OwnCommand = {
  name: 'languages',
  under: 'ocr',
  summary: 'Languages whose words can be recognised on this machine',
  build(command, leaf) {
    leaf(command.command('list').summary('List them, with the program that recognises each'), 'list');
    const add = command.command('add').argument('<language...>', 'Three letters each, such as deu');
    leaf(add.summary('Have npm fetch them; pdftool never downloads them by itself'), 'add');
  },
  load: async () => (await import('./languages/run.ts')).run,
};

const auth: OwnCommand = {
  name: 'auth',
  summary: 'Log in to the service, log out, see which key is used',
  build(command, leaf) {
    const login = command.command('login').summary('Check an API key and store it');
    login.description(
      'Stores an API key with mode 0600. It is typed unseen, or read with --with-token; never given as an argument.',
    );
    login.option('--with-token', 'Read the key from standard input');
    login.option('--no-verify', 'Do not ask the service whether it accepts the key');
    login.option('--base-url <url>', 'Address of the service, stored with the key');
    leaf(login, 'login');
    leaf(command.command('logout').summary('Forget the stored key'), 'logout');
    const status = command.command('status').summary('Show the key in use (masked), where it comes from, and credits');
    leaf(status.option('--offline', 'Ask the service nothing'), 'status');
  },
  load: async () => (await import('./auth/run.ts')).run,
};

function settingArgument(): Argument {
  const key = new Argument('<key>', `One of ${Object.keys(CONFIG_KEYS).join(', ')}`);
  return hint(key, { kind: 'asked', what: 'settings' });
}

const config: OwnCommand = {
  name: 'config',
  summary: 'Read and write settings',
  build(command, leaf) {
    leaf(command.command('get').addArgument(settingArgument()).summary('Print a setting'), 'get');
    leaf(
      command.command('set').addArgument(settingArgument()).argument('<value>', 'Its value').summary('Store a setting'),
      'set',
    );
    leaf(command.command('unset').addArgument(settingArgument()).summary('Forget a setting'), 'unset');
    leaf(command.command('list').summary('Print all settings'), 'list');
    leaf(command.command('path').summary('Print the name of the file'), 'path');
  },
  load: async () => (await import('./config/run.ts')).run,
};

const doctor: OwnCommand = {
  name: 'doctor',
  summary: 'Check what is set up on this machine',
  build(command, leaf) {
    leaf(
      command
        .option('--online', 'Also ask the service')
        .addOption(new Option('--install <what>', 'Have npm fetch optional packages first').choices(['speech'])),
    );
  },
  load: async () => (await import('./doctor/run.ts')).run,
};

const api: OwnCommand = {
  name: 'api',
  group: 'Service:',
  summary: 'Call the service directly, with the same key and the same care for charges',
  build(command, leaf) {
    command.argument('<method>', 'Such as GET or POST').argument('<path>', 'Such as /api/v1/account');
    command.usage('METHOD PATH [options]');
    command.option('-F <field>', 'A form field: name=value, or name=@file', several);
    command.option('--field <field>', 'A form field as text: name=value; -f for short', several);
    command.option('--input <file>', 'Send this file as the body; - is standard input');
    leaf(command);
  },
  load: async () => (await import('./api/run.ts')).run,
};

/** `-f` means --force elsewhere; after `api` it adds a field, as users of other API tools expect. */
export function withApiFields(argv: readonly string[]): readonly string[] {
  return argv.find((word) => !word.startsWith('-')) === 'api'
    ? argv.map((word) => (word === '-f' ? '--field' : word))
    : argv;
}

const voices: OwnCommand = {
  name: 'voices',
  group: 'Speech:',
  summary: 'List the voices on this machine, and how to install more',
  build(command, leaf) {
    leaf(command.option('--language <language>', 'Only voices of this language, such as de or en-GB'));
  },
  load: async () => (await import('./voices/run.ts')).run,
};

const completion: OwnCommand = {
  name: 'completion',
  summary: 'Print the completion of a shell',
  build(command, leaf) {
    const shell = new Argument('<shell>', 'One of bash, zsh, fish, powershell');
    // Not enforced here, so that the error can suggest the shell that was meant.
    command.addArgument(hint(shell, { kind: 'words', words: ['bash', 'zsh', 'fish', 'powershell'] }));
    leaf(command);
  },
  load: async () => (await import('./completion/run.ts')).run,
};

const complete: OwnCommand = {
  name: '__complete',
  summary: 'Print what only this machine knows, for completions',
  hidden: true,
  build: (command, leaf) => leaf(command.argument('<what>')),
  load: async () => (await import('./completion/run.ts')).printCompletions,
};

const MCP_CLIENTS = ['claude-desktop', 'claude-code', 'cursor', 'vscode', 'codex', 'gemini', 'windsurf'];

const mcp: OwnCommand = {
  name: 'mcp',
  summary: 'Offer the operations to agents as tools, over standard input and output',
  build(command, leaf) {
    leaf(addMcpOptions(command));
    leaf(addMcpOptions(command.command('tools').summary('List the tools that a client will see')), 'tools');
    const install = command.command('install').summary('Write the configuration of a client, after asking');
    const client = new Option('--client <name>', `One of ${MCP_CLIENTS.join(', ')}`);
    install.addOption(hint(client, { kind: 'words', words: MCP_CLIENTS }));
    install.option('--print', 'Print what would be written, and write nothing');
    leaf(addMcpOptions(install.option('-y, --yes', 'Write it without asking')), 'install');
  },
  load: async () => (await import('./mcp/run.ts')).run,
};

function addMcpOptions(command: Command): Command {
  command.option('--root <dir>', 'Folder that tools may use; may be repeated (the current folder)', several);
  command.option('--out-dir <dir>', 'Folder for outputs that are not named (the first --root)');
  command.option('--prefix <text>', 'Prefix of tool names (pdftool_)');
  return command.option('--allow-overwrite', 'Let calls replace files when they ask for it');
}

function databaseOption(): Option {
  return new Option('--database <address>', 'PostgreSQL instead of the folder: postgres://user@host/name');
}

function storageOption(): Option {
  return new Option('--storage <address>', 'S3 instead of a shared folder: s3://bucket/prefix (needs --database)');
}

const serve: OwnCommand = {
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
  load: async () => (await import('./serve/run.ts')).run,
};

const work: OwnCommand = {
  name: 'work',
  summary: 'Work on jobs of pdftool serve, on any number of machines',
  drains: true,
  build(command, leaf) {
    command.addOption(databaseOption()).addOption(storageOption());
    command.option('--data <dir>', 'Folder of uploads and results that all servers share');
    leaf(command.option('--admin-port <number>', 'Separate port of this machine for /livez, /readyz and /metrics'));
  },
  load: async () => (await import('./work/run.ts')).run,
};

// Hidden commands with which pdftool starts its own processes and threads.

function internal(name: string, summary: string, load: OwnCommand['load'], ...words: readonly string[]): OwnCommand {
  return {
    name,
    summary,
    hidden: true,
    build: (command, leaf) => leaf(words.reduce((it, word) => it.argument(word), command)),
    load,
  };
}

const INTERNAL: readonly OwnCommand[] = [
  internal('__worker', 'Work on files of a batch', async () => (await import('../run/batch-worker.ts')).runBatchWorker),
  internal('__read', 'Read a file with another reader', async () => (await import('../children/other-reader.ts')).read),
  internal(
    '__pdfjs',
    'Read pages with pdf.js',
    async () => (await import('../children/reader-thread.ts')).readerThread,
  ),
  internal('__codec', 'Decode and encode images', async () => (await import('../children/codec.ts')).codec),
  internal('__draw', 'Draw pages of a file', async () => (await import('../children/page-drawer.ts')).draw),
  internal(
    '__judge',
    'Read documents with other readers',
    async () => (await import('../children/other-eyes.ts')).judgeProcess,
  ),
  internal(
    '__recognise',
    'Recognise the words of a picture',
    async () => (await import('../children/recognise.ts')).recognise,
    '<languages>',
    '<dpi>',
  ),
];

/** The commands that are no operation, in the order of help. */
export const OWN_COMMANDS: readonly OwnCommand[] = [
  pagesCommand,
  run,
  jobs,
  workflow,
  redactCommand,
  languages,
  auth,
  config,
  doctor,
  api,
  voices,
  completion,
  complete,
  mcp,
  serve,
  work,
  ...INTERNAL,
];
