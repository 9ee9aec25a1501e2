import { Failure } from '../contract/failure.ts';
import { removeScratches } from './scratch.ts';

const STOPS = { SIGINT: 'interrupted', SIGTERM: 'terminated', SIGHUP: 'terminated' } as const;
const NAMES = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Stop {
  /** Aborted with a Failure as its reason. */
  readonly signal: AbortSignal;
  /** Gives the signals back to the system. */
  release(): void;
  /** Ends the process by the signal it was stopped with, where something cannot be given up otherwise. */
  end(): void;
}

/** One for each invocation. */
export function listenForStop(): Stop {
  const controller = new AbortController();
  let stoppedBy: (typeof NAMES)[number] | undefined;
  const onStop = (name: (typeof NAMES)[number]) => {
    if (stoppedBy !== undefined) return end();
    stoppedBy = name;
    controller.abort(
      new Failure(STOPS[name], name === 'SIGINT' ? 'interrupted' : 'stopped by a signal', {
        hint: 'No unfinished output was left behind.',
      }),
    );
  };
  const release = () => {
    for (const name of NAMES) process.removeListener(name, onStop);
  };
  const end = () => {
    if (stoppedBy === undefined) return;
    release();
    removeScratches();
    process.kill(process.pid, stoppedBy);
  };
  for (const name of NAMES) process.on(name, onStop);
  process.on('unhandledRejection', ignoreStray);
  return { signal: controller.signal, release, end };
}

/**
 * A library may reject a promise that nobody was given (pdf.js does, on damaged files) and then fail the call as well.
 * The call decides how the run ends; Node would end it with exit code 1 and a stack trace, even after the run.
 */
function ignoreStray(): void {}
