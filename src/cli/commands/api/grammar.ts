import { type OwnCommand, several } from '../../line/grammar.ts';

export const api: OwnCommand = {
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
  load: async () => (await import('./run.ts')).run,
};

/** `-f` means --force elsewhere; after `api` it adds a field, as users of other API tools expect. */
export function withApiFields(argv: readonly string[]): readonly string[] {
  return argv.find((word) => !word.startsWith('-')) === 'api'
    ? argv.map((word) => (word === '-f' ? '--field' : word))
    : argv;
}
