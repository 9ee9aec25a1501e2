import { type ChildProcess, fork } from 'node:child_process';

export interface Worker {
  /** Rejects where the process ends before it has answered. */
  ask(request: unknown): Promise<unknown>;
  /** Ends the process, and waits for it. */
  end(): Promise<void>;
}

/** Starts this program again with `command`. It shares our standard error, for messages of Node itself. */
export function startWorker(command: string): Worker {
  const child = fork(process.argv[1] ?? '', [command], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    ask: (request) => ask(child, request),
    async end() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await ended;
    },
  };
}

function ask(child: ChildProcess, request: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      child.off('message', onMessage).off('exit', onExit).off('error', onError);
      act();
    };
    const onMessage = (answer: unknown) => settle(() => resolve(answer));
    const onExit = (code: number | null, signal: string | null) =>
      settle(() => reject(new Error(`the process that worked on it ended (${signal ?? `exit code ${code}`})`)));
    const onError = (error: Error) => settle(() => reject(error));
    child.on('message', onMessage).on('exit', onExit).on('error', onError);
    child.send(request as object, (error) => error !== null && onError(error)); // requests are plain objects
  });
}

/** Whether this process was started by startWorker. */
export function isWorker(): boolean {
  return process.send !== undefined;
}

/** In such a process: answers requests until the other side is gone or the signal is aborted. */
export function answerRequests(answer: (request: unknown) => Promise<object>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let last = Promise.resolve();
    const end = () => {
      if (process.connected) process.disconnect();
      void last.then(resolve);
    };
    process.on('message', (request) => {
      last = last.then(async () => {
        const answered = await answer(request);
        if (process.connected) process.send?.(answered);
      });
    });
    process.once('disconnect', end);
    signal.addEventListener('abort', end, { once: true });
  });
}
