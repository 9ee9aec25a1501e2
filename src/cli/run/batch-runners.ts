import { Failure } from '../../contract/base/failure.ts';
import { startWorker, type Worker } from '../../runtime/processes/workers.ts';
import { type FileAnswer, type FileRequest, runRecorded } from './batch-worker.ts';
import type { FileRun } from './run.ts';

/** Works on one file after the other; a batch with -j has several. */
export interface FileRunner {
  run(file: string): Promise<FileAnswer>;
  end(): Promise<void>;
}

/** Local work runs in processes, one for each processor; remote calls share one process, which keeps the budget. */
export function runnerFor(run: FileRun): FileRunner {
  return run.engine.name === 'local' ? inProcesses(run) : here(run);
}

function here(run: FileRun): FileRunner {
  const terminals = terminalsOf(run);
  return {
    run: (file) => runRecorded({ ...run, plan: { ...run.plan, files: [file] }, batch: true, terminals }),
    end: async () => {},
  };
}

function inProcesses(run: FileRun): FileRunner {
  const { plan, colour, signal } = run;
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
      // Only this process can read standard input.
      if (file === '-') return here(run).run(file);
      worker ??= startWorker('__worker');
      const request: FileRequest = {
        plan: {
          ...plan,
          op: plan.op.name,
          files: [file],
          listed: entryOf(plan.listed, file),
          below: entryOf(plan.below, file),
        },
        colour,
        terminals: terminalsOf(run),
      };
      try {
        return (await worker.ask(request)) as FileAnswer; // answered by batch-worker.ts of the same program
      } catch (error) {
        await end();
        signal.throwIfAborted();
        // It may have run out of memory: the next file gets a process of its own.
        const failure = new Failure('internal', `${file}: ${error instanceof Error ? error.message : String(error)}`, {
          hint: 'Try it alone, without -j.',
        });
        run.messages.fail(failure, file);
        return { exit: failure.exit, failure: failure.code, out: '', err: '' };
      }
    },
    async end() {
      signal.removeEventListener('abort', stop);
      await end();
    },
  };
}

/** The entry of one file: a table of a hundred thousand must not be sent with each of them. */
function entryOf(table: Readonly<Record<string, string>>, file: string): Record<string, string> {
  const value = table[file];
  return value === undefined ? {} : { [file]: value };
}

function terminalsOf({ streams }: FileRun): FileRequest['terminals'] {
  return { out: streams.outIsTerminal, err: streams.errIsTerminal, columns: streams.columns() };
}
