// A process of this program that judges documents in memory. They go to it over its channel, and never to the disk.
import { Failure } from '../../contract/base/failure.ts';
import type { Clock } from '../../contract/base/ports.ts';
import { Channel, Lost } from './channel.ts';

/** Milliseconds that one question may take: pdf.js reads a whole document in one. */
const PATIENCE = 120_000;
/** Resident bytes the process may hold. */
const MEMORY = 2 * 1024 * 1024 * 1024;
/** Seconds of processor time in all: for one that is stuck when its parent is killed. */
const PROCESSOR = 1_800;

/** Starts a process with the first question. After a lost question it answers no more. */
export function startAsker(
  command: readonly string[],
  clock: Clock,
  signal: AbortSignal,
): { ask(question: object): Promise<unknown>; close(): void } {
  const limits = { clock, memory: MEMORY, patience: PATIENCE };
  let channel: Channel | undefined;
  return {
    async ask(question) {
      channel ??= new Channel(command, { bytes: true, processorTime: PROCESSOR, signal, limits });
      try {
        return (await channel.ask(question)).value;
      } catch (error) {
        if (!(error instanceof Lost) || error.why !== 'memory') throw error;
        const message = 'other readers need more than 2 GiB of memory for the document';
        throw new Failure('unprocessable', message, { kind: 'limit', cause: error });
      }
    },
    close: () => channel?.close(),
  };
}
