import type { OwnCommand } from '../../line/grammar.ts';

export const auth: OwnCommand = {
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
  load: async () => (await import('./run.ts')).run,
};
