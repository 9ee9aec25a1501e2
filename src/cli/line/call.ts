import type { Clock, Context } from '../../contract/base/ports.ts';
import type { ProgramShape } from '../../derive/shape.ts';
import type { Streams } from '../../runtime/terminal/streams.ts';
import type { Flags, Options } from './flags.ts';
import type { Messages } from './messages.ts';

export interface Invocation {
  readonly streams: Streams;
  readonly messages: Messages;
  readonly colour: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly version: () => string;
}

export interface OwnRequest {
  /** The subcommand, such as `login`; empty where there is none. */
  readonly subcommand: string;
  readonly args: readonly string[];
  readonly options: Options;
  readonly flags: Flags;
}

export interface OwnCall extends OwnRequest, Invocation {
  /** All commands as data, for completions. */
  readonly describe: () => Promise<ProgramShape>;
  /** Runs an operation's command line and returns its exit code. `isSilent`: nothing goes to standard output. */
  readonly runLine: (words: readonly string[], isSilent: boolean) => Promise<number>;
}

/** Returns the exit code; throws a Failure. */
export type RunOwn = (call: OwnCall) => Promise<number>;

/** For engine calls that answer with a record and need no file. */
export function recordContext({
  signal,
  clock,
  flags,
  messages,
}: Pick<OwnCall, 'signal' | 'clock' | 'flags' | 'messages'>): Context {
  return {
    signal,
    clock,
    temp: {
      create: () => {
        throw new TypeError('the answer is a record and needs no file');
      },
    },
    progress: () => {},
    detail: flags.verbose ? (line) => messages.note(line) : () => {},
  };
}
