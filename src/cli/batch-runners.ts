// Owns who works on the files of a batch that run at the same time: processes for this machine, one process for the service.

import { Failure } from '../contract/failure.ts';
import { startWorker, type Worker } from '../runtime/workers.ts';
import { type FileAnswer, type FileRequest, runRecorded } from './batch-worker.ts';
import type { Run } from './run.ts';

/** Works on one file after the other; a batch has several of them. */
export interface Runner {
  run(file: string): Promise<FileAnswer>;
  end(): Promise<void>;
}

/** The local engine is bound by one processor in one process; the service's budget has to be kept in one. */
export function runnerFor(run: Run): Runner {
  return run.engine.name === 'local' ? inProcess(run) : here(run);
}

function here(run: Run): Runner {
  const terminals = terminalsOf(run);
  return {
    run: (file) => runRecorded({ ...run, wish: { ...run.wish, files: [file] }, batch: true, terminals }),
    end: async () => {},
  };
}

function inProcess(run: Run): Runner {
  const { op, wish, flags, colour, signal } = run;
  let worker: Worker | undefined;
  const end = async () => {
    const ending = worker;
    worker = undefined;
    await ending?.end();
  };
  const stop = () => void end();
  signal.addEventListener('abort', stop, { once: true });
  return {
    async run(file) {
      // Standard input is this process's.
      if (file === '-') return here(run).run(file);
      worker ??= startWorker('__worker');
      const request: FileRequest = {
        op: op.name,
        wish: { ...wish, files: [file] },
        flags,
        colour,
        terminals: terminalsOf(run),
      };
      try {
        return (await worker.ask(request)) as FileAnswer; // answered by batch-worker.ts of the same program
      } catch (error) {
        await end();
        signal.throwIfAborted();
        // Out of memory, perhaps: the next file gets a process of its own.
        const failure = new Failure('internal', `${file}: ${error instanceof Error ? error.message : String(error)}`, {
          hint: 'Try it alone, without -j.',
        });
        return recordFailure(run, failure, file);
      }
    },
    async end() {
      signal.removeEventListener('abort', stop);
      await end();
    },
  };
}

function recordFailure(run: Run, failure: Failure, file: string): FileAnswer {
  run.voice.fail(failure, file);
  return { exit: failure.exit, failure: failure.code, out: '', err: '' };
}

function terminalsOf({ streams }: Run): FileRequest['terminals'] {
  return { out: streams.outIsTerminal, err: streams.errIsTerminal, columns: streams.columns() };
}
