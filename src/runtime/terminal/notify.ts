import { spawn } from 'node:child_process';
import type { Streams } from './streams.ts';

/** Rings the terminal's bell, and shows a notice where the desktop has a program for it. */
export async function notify(text: string, streams: Streams): Promise<void> {
  if (streams.errIsTerminal) streams.err('\u0007');
  const [program, args] =
    process.platform === 'darwin'
      ? ['osascript', ['-e', `display notification ${JSON.stringify(text)} with title "pdftool"`]]
      : ['notify-send', ['pdftool', text]];
  // The program is not installed, or there is no desktop: the bell must do.
  await run(program, args, {}, 'ignore').catch(() => {});
}

/** Runs a command line in the shell, its output on standard error; its exit code. */
export async function runCommand(line: string, variables: Readonly<Record<string, string>>): Promise<number> {
  if (process.platform === 'win32') return run('cmd', ['/d', '/s', '/c', line], variables, 'stderr');
  return run('/bin/sh', ['-c', line], variables, 'stderr');
}

function run(
  program: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
  output: 'ignore' | 'stderr',
): Promise<number> {
  return new Promise((resolve, reject) => {
    // Standard output carries only results.
    const to = output === 'stderr' ? 2 : 'ignore';
    const child = spawn(program, args, { env: { ...process.env, ...variables }, stdio: ['ignore', to, to] });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}
