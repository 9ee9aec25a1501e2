import type { Clock } from '../../contract/ports.ts';

type Level = 'info' | 'warn' | 'error';

export type Log = (level: Level, event: string, facts?: Readonly<Record<string, unknown>>) => void;

/** `write` takes one line with its newline. */
export function createLog(write: (line: string) => void, clock: Clock): Log {
  return (level, event, facts = {}) => {
    const given = Object.entries(facts).filter(([, value]) => value !== undefined);
    const line = { time: new Date(clock.now()).toISOString(), level, event, ...Object.fromEntries(given) };
    write(`${JSON.stringify(line)}\n`);
  };
}
