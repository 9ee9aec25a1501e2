import { Failure } from '../../contract/base/failure.ts';
import { removeScratches } from '../files/outputs/scratch.ts';

const STOPS = { SIGINT: 'interrupted', SIGTERM: 'terminated', SIGHUP: 'terminated' } as const;
const NAMES = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Milliseconds for a clean end: native threads of a library may not stop earlier. */
const PATIENCE = 1_500;

export interface Stop {
  /** Aborted with a Failure as its reason. */
  readonly signal: AbortSignal;
  /** For a server, which finishes its requests after the first signal. The second one still ends it. */
  takeTime(): void;
  /** Gives the signals back to the system. */
  release(): void;
  /** Ends the process by the signal that stopped it, where some work cannot be cancelled. */
  end(): void;
}

/** Called once for each invocation of the program. */
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
    // The timer is never cleared, because threads of a library may outlast the run; it does not keep the process alive.
    if (hurry) setTimeout(endLate, PATIENCE, failure(name)).unref();
    controller.abort(failure(name));
  };
  const release = () => {
    released = true;
    // Also the listeners of bin/pdftool.js, which were set before this code was loaded.
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
