/**
 * Ends the children of this process when it ends, however it ends: SIGKILL and a crash leave no time to end them, and a child
 * in an endless loop of WebAssembly never sees its channel close. A shell beside this process reads from a pipe that only
 * this process holds open. Each line lists the children that run; when the pipe closes, the shell kills those of the last
 * line, each with its process group. Windows has no such shell: there a child sees its channel close, or its time run out.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';

const SCRIPT = 'while read -r line; do pids=$line; done; for pid in $pids; do kill -KILL "-$pid"; done';

const running = new Set<number>();
let pipe: Socket | undefined;

/** `child` leads a process group (`detached`). */
export function endWithThisProcess(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined || process.platform === 'win32') return;
  running.add(pid);
  tell();
  child.once('exit', () => {
    running.delete(pid);
    tell();
  });
}

/** Kills a child and the processes that it started in its group. */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || process.platform === 'win32') return void child.kill('SIGKILL');
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has ended already.
  }
}

function tell(): void {
  pipe ??= startShell();
  pipe?.write(`${[...running].join(' ')}\n`);
}

function startShell(): Socket | undefined {
  // A session of its own: what is sent to the group of this process, such as Ctrl-C, does not end it.
  const shell = spawn('/bin/sh', ['-c', SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'], detached: true, env: {} });
  shell.once('error', () => {});
  shell.once('exit', () => {
    pipe = undefined;
    if (running.size > 0) tell();
  });
  // Its exit says so.
  shell.stdin.on('error', () => {});
  shell.unref();
  return shell.stdin instanceof Socket ? shell.stdin.unref() : undefined;
}
