import type { Clock } from '../contract/ports.ts';
import type { Streams } from '../runtime/terminal/streams.ts';
import type { Messages } from './messages.ts';

/** What one start of the program gives to the command that it runs. */
export interface Invocation {
  readonly streams: Streams;
  readonly messages: Messages;
  readonly colour: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Of this program. */
  readonly version: () => string;
}
