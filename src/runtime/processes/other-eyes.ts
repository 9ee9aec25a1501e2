// A process of this program that judges documents in memory. They go to it over its channel, and never to the disk.
import { Failure } from '../../contract/failure.ts';
import type { Clock } from '../../contract/ports.ts';
import { type Child, openParent, outgrown, startChild } from './child.ts';

/** Milliseconds that one question may take: pdf.js reads a whole document in one. */
const PATIENCE = 120_000;
/** Resident bytes the process may hold. */
const MEMORY = 2 * 1024 * 1024 * 1024;
/** Seconds of processor time in all: for one that is stuck when its parent is killed. */
const PROCESSOR = 1_800;

type Answer = { readonly value: unknown } | { readonly error: string };

export interface Asker {
  ask(question: object): Promise<unknown>;
  close(): void;
}

/** `command`: the command line of a process that answers. It is started with the first question. */
export function startAsker(command: readonly string[], clock: Clock, signal: AbortSignal): Asker {
  const over = new AbortController();
  const waiting: { resolve(value: unknown): void; reject(error: unknown): void }[] = [];
  let child: Child | undefined;
  let lost: unknown;
  const lose = (reason: unknown): void => {
    lost ??= reason;
    over.abort();
    child?.kill();
    for (const { reject } of waiting.splice(0)) reject(lost);
  };
  const start = (): Child => {
    const started = startChild(command, { bytes: true, processorTime: PROCESSOR });
    started.onMessage((message) => {
      const next = waiting.shift();
      const answer = message as Answer; // the child is this same program
      if ('error' in answer) next?.reject(new Error(answer.error));
      else next?.resolve(answer.value);
    });
    void started.ended.then(() => lose(new Error('the process that reads it ended')));
    const message = 'other readers need more than 2 GiB of memory for the document';
    outgrown(started, MEMORY, clock, over.signal).then(
      () => lose(new Failure('unprocessable', message, { kind: 'limit' })),
      () => undefined,
    );
    return started;
  };
  signal.addEventListener('abort', () => lose(signal.reason), { once: true, signal: over.signal });
  return {
    async ask(question) {
      signal.throwIfAborted();
      if (lost !== undefined) throw lost;
      child ??= start();
      const answered = new Promise((resolve, reject) => waiting.push({ resolve, reject }));
      child.send(question);
      const late = new AbortController();
      clock.sleep(PATIENCE, late.signal).then(
        () => lose(new Error(`other readers need longer than ${PATIENCE / 1000} s for the document`)),
        () => undefined,
      );
      try {
        return await answered;
      } finally {
        late.abort();
      }
    },
    close: () => lose(new Error('the process that reads it was ended')),
  };
}

/** In the child: answers one question after the other until the parent is gone. Undefined where nobody asks. */
export function receiveAsked():
  | { readonly gone: AbortSignal; serve(answer: (question: object) => Promise<unknown>): void }
  | undefined {
  const parent = openParent();
  if (parent === undefined) return undefined;
  return {
    gone: parent.gone,
    serve(answer) {
      let last: Promise<unknown> = Promise.resolve();
      parent.onMessage((message) => {
        last = last.then(async () => {
          const answered: Answer = await answer(message as object).then(
            (value) => ({ value }),
            (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
          );
          parent.send(answered);
        });
      });
    },
  };
}
