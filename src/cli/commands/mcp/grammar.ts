import { type Command, Option } from 'commander';
import { type OwnCommand, several } from '../../line/grammar.ts';
import { hint } from '../../line/hints.ts';

const CLIENTS = ['claude-desktop', 'claude-code', 'cursor', 'vscode', 'codex', 'gemini', 'windsurf'];

export const mcp: OwnCommand = {
  name: 'mcp',
  summary: 'Offer the operations to agents as tools, over standard input and output',
  build(command, leaf) {
    leaf(addOptions(command));
    leaf(addOptions(command.command('tools').summary('List the tools that a client will see')), 'tools');
    const install = command.command('install').summary('Write the configuration of a client, after asking');
    const client = new Option('--client <name>', `One of ${CLIENTS.join(', ')}`);
    install.addOption(hint(client, { kind: 'words', words: CLIENTS }));
    install.option('--print', 'Print what would be written, and write nothing');
    leaf(addOptions(install.option('-y, --yes', 'Write it without asking')), 'install');
  },
  load: async () => (await import('./run.ts')).run,
};

function addOptions(command: Command): Command {
  command.option('--root <dir>', 'Folder that tools may use; may be repeated (the current folder)', several);
  command.option('--out-dir <dir>', 'Folder for outputs that are not named (the first --root)');
  command.option('--prefix <text>', 'Prefix of tool names (pdftool_)');
  return command.option('--allow-overwrite', 'Let calls replace files when they ask for it');
}
