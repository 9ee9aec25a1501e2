// Processes of this program that work on the files of a batch, one file after the other.
import { Channel } from './channel.ts';
import { ownCommand } from './child.ts';

export interface Worker {
  /** Rejects where the process ends before it has answered. */
  ask(request: object): Promise<unknown>;
  /** Ends the process, and waits for it: it takes its temporary files away. */
  end(): Promise<void>;
}

/** Starts this program again with `command`. It shares our environment, and standard error for messages of Node itself. */
export function startWorker(command: string): Worker {
  const channel = new Channel([...ownCommand(), command], { inherits: true });
  return {
    ask: async (request) => (await channel.ask(request)).value,
    async end() {
      channel.close('SIGTERM');
      await channel.ended;
    },
  };
}
