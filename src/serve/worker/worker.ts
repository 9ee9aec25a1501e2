import { firstError } from '../../contract/base/closing.ts';
import { Failure } from '../../contract/base/failure.ts';
import type { Context, Means } from '../../contract/base/ports.ts';
import { present } from '../../contract/base/present.ts';
import type { Engine } from '../../contract/engine.ts';
import { Workspace } from '../../runtime/files/outputs/workspace.ts';
import { errnoOf } from '../../runtime/files/system/file-failure.ts';
import { Lost } from '../../runtime/processes/channel.ts';
import type { Parent } from '../../runtime/processes/child.ts';
import { every } from '../base/loops.ts';
import type { FailureReport, Report, Task, TaskOutput } from './messages.ts';
import { type Measure, measure, runOperation, type Work } from './operation.ts';
import { runWorkflow } from './workflow.ts';

/** Milliseconds between progress reports. A worker that is silent for a whole lease loses its job. */
const HEARTBEAT = 500;

/** The machine services that a task may use besides its files. */
type TaskServices = Means &
  Pick<Context, 'clock' | 'otherEyes' | 'match' | 'packageFile' | 'importPackage' | 'programs'> & {
    readonly measure?: Measure;
  };

/** Serves tasks until the parent exits. */
export async function serveTasks(parent: Parent, engine: Engine, given: TaskServices): Promise<void> {
  const say = (report: Report) => parent.send(report);
  parent.onMessage((message) => {
    // The parent is this same program; nobody else holds the other end of the channel.
    void runTask(message as Task, engine, given, parent.gone, say).then(say);
  });
  say({ kind: 'ready' });
  await new Promise<void>((resolve) => parent.gone.addEventListener('abort', () => resolve(), { once: true }));
}

async function runTask(
  task: Task,
  engine: Engine,
  given: TaskServices,
  signal: AbortSignal,
  say: (report: Report) => void,
): Promise<Report> {
  const workspace = new Workspace();
  let last: Report = { kind: 'progress', phase: 'work', done: 0 };
  let pages = 0;
  const ctx: Context = {
    ...given,
    signal,
    temp: workspace.temp({ parent: task.folder, name: 'the output' }),
    progress({ phase, done, total, unit }) {
      const known = pages;
      if (unit === 'pages') pages = Math.max(pages, total ?? 0);
      last = { kind: 'progress', phase, done, pages, ...(total === undefined ? {} : { total }) };
      // Sent at once: the pages count against the account's share.
      if (pages > known) say(last);
    },
    detail() {},
  };
  const ended = new AbortController();
  // Reports progress for as long as the thread is not blocked.
  void every(HEARTBEAT, () => say(last), given.clock, ended.signal);
  try {
    const work = { engine, ctx, workspace, measure: given.measure };
    const made = await runKind(task, work);
    return { kind: 'done', made };
  } catch (error) {
    return { kind: 'failed', failure: describe(error) };
  } finally {
    ended.abort();
    workspace.close();
  }
}

function runKind(task: Task, work: Work): Promise<TaskOutput> {
  switch (task.kind) {
    case 'operation':
      return runOperation(task, work);
    case 'measure':
      return measure(task, work);
    case 'workflow':
      return runWorkflow(task, work);
  }
}

function describe(thrown: unknown): FailureReport {
  const error = firstError(thrown);
  if (error instanceof Failure) {
    const { code, message, kind } = error;
    return present({ code, message, kind, errno: errnoOf(error.cause) });
  }
  // How V8 reports that the limit of memory was reached.
  if (error instanceof RangeError && /allocation failed|Invalid (typed )?array/i.test(error.message)) {
    return { code: 'too_large', message: 'the document needs more memory than this server allows', kind: 'limit' };
  }
  const errno = errnoOf(error);
  return {
    ...(errno === undefined ? {} : { errno }),
    ...(error instanceof Lost ? { isLost: true } : {}),
    code: 'internal',
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
}
