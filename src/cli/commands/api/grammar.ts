import { Option } from 'commander';
import { type OwnCommand, several } from '../../line/grammar.ts';

export const api: OwnCommand = {
  name: 'api',
  group: 'Service:',
  summary: 'Call the service directly, with the same key and the same care for charges',
  build(command, leaf) {
    command.argument('<method>', 'Such as GET or POST').argument('<path>', 'Such as /api/v1/account');
    command.usage('METHOD PATH [options]');
    command.addOption(new Option('-F <field>', 'A form field: name=value, or name=@file').argParser(several));
    command.addOption(
      new Option('--field <field>', 'A form field as text: name=value; -f for short').argParser(several),
    );
    command.addOption(new Option('--input <file>', 'Send this file as the body; - is standard input'));
    leaf(command);
  },
  load: async () => (await import('./run.ts')).run,
};

/** `-f` means --force elsewhere; after `api` it adds a field, as users of other API tools expect. */
export function withApiFields(argv: readonly string[]): readonly string[] {
  return argv.find((word) => !word.startsWith('-')) === 'api'
    ? argv.map((word) => (word === '-f' ? '--field' : word))
    : argv;
}
