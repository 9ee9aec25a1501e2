import { Failure } from '../../contract/failure.ts';
import { removeScratches } from '../folders/scratch.ts';

const STOPS = { SIGINT: 'interrupted', SIGTERM: 'terminated', SIGHUP: 'terminated' } as const;
const NAMES = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Milliseconds that a run has to give up cleanly: native threads of a library may be busy for as long as they like. */
const PATIENCE = 1_500;

export interface Stop {
  /** Aborted with a Failure as its reason. */
  readonly signal: AbortSignal;
  /** For a server, which lets its requests end: there is no hurry after the first signal. The second one ends it still. */
  takeTime(): void;
  /** Gives the signals back to the system. */
  release(): void;
  /** Ends the process by the signal it was stopped with, where something cannot be given up otherwise. */
  end(): void;
}

/** One for each invocation. */
export function listenForStop(): Stop {
  const controller = new AbortController();
  let hurry = true;
  let released = false;
  let stoppedBy: (typeof NAMES)[number] | undefined;
  const failure = (name: (typeof NAMES)[number]) =>
    new Failure(STOPS[name], name === 'SIGINT' ? 'interrupted' : 'stopped by a signal', {
      hint: 'No unfinished output was left behind.',
    });
  const onStop = (name: (typeof NAMES)[number]) => {
    if (stoppedBy !== undefined) return end();
    stoppedBy = name;
    // Not taken back by the end of the run, which threads of a library may outlast; nothing waits for it.
    if (hurry) setTimeout(endLate, PATIENCE, failure(name)).unref();
    controller.abort(failure(name));
  };
  const release = () => {
    released = true;
    // Those of bin/pdftool.js too, which were there before this code was loaded.
    for (const name of NAMES) process.removeAllListeners(name);
  };
  const end = () => {
    if (stoppedBy === undefined) return;
    release();
    removeScratches();
    process.kill(process.pid, stoppedBy);
  };
  const endLate = ({ message }: Failure) => {
    if (!released) process.stderr.write(`error: ${message}\n`);
    end();
  };
  for (const name of NAMES) process.on(name, onStop);
  process.on('unhandledRejection', ignoreStray);
  return { signal: controller.signal, takeTime: () => void (hurry = false), release, end };
}

/**
 * A library may reject a promise that nobody was given (pdf.js does, on damaged files) and then fail the call as well.
 * The call decides how the run ends; Node would end it with exit code 1 and a stack trace, even after the run.
 */
function ignoreStray(): void {}
