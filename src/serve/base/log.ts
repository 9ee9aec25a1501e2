import type { Clock, Values } from '../../contract/base/ports.ts';

export type Log = (level: 'info' | 'warn' | 'error', event: string, facts?: Values) => void;

/** `write` takes one line with its newline. */
export function createLog(write: (line: string) => void, clock: Clock): Log {
  return (level, event, facts = {}) => {
    write(`${JSON.stringify({ time: new Date(clock.now()).toISOString(), level, event, ...facts })}\n`);
  };
}
