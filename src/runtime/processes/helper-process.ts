/** Processes of this program that answer many questions at once, each within its own processor time. */
import type { Helper, HelperAnswer } from '../../contract/base/ports.ts';
import { type Asker, Channel, Lost, NO_BYTES } from './channel.ts';

/** Address space in bytes: Node maps several times what it holds. */
const ADDRESSES = 8 * 1024 * 1024 * 1024;
/** Milliseconds between two measurements of a helper's processor time. */
const LOOK = 100;

/** `command`: the command line of a process that calls `answerWithin`. */
export function startHelper(command: readonly string[]): Helper {
  const channel = new Channel(command, { addressSpace: ADDRESSES, input: 'pipe', output: true, bytes: true });
  return {
    ask: (question, bytes) =>
      channel.ask(question, bytes).catch((error: unknown) => {
        if (error instanceof Lost) return undefined;
        return { value: { error: error instanceof Error ? error.message : String(error) }, bytes: NO_BYTES };
      }),
    end: () => channel.close(),
  };
}

/** What a helper does with a question. `allowance`: milliseconds of processor time that it may take. */
export interface HelperWork {
  readonly answer: (question: unknown, bytes: Uint8Array) => Promise<HelperAnswer>;
  readonly allowance: (question: unknown) => number;
}

/**
 * In a helper: answers until nobody asks any more, and ends the process, whatever native threads are busy with, when its
 * questions take more processor time than they may together. Processor time: a machine under load changes no outcome.
 */
export async function answerWithin({ answer, allowance }: HelperWork, asker: Asker): Promise<void> {
  const running = new Set<{ readonly allowed: number }>();
  let since = 0;
  const used = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  const look = setInterval(() => {
    const allowed = [...running].reduce((sum, question) => sum + question.allowed, 0);
    if (running.size > 0 && used() - since > allowed) endAtOnce();
  }, LOOK);
  look.unref();
  await asker.serveAtOnce(async (question, bytes) => {
    if (running.size === 0) since = used();
    const entry = { allowed: allowance(question) };
    running.add(entry);
    return answer(question, bytes).finally(() => {
      // The remaining questions get their full allowance again.
      running.delete(entry);
      since = used();
    });
  });
  clearInterval(look);
  if (running.size > 0) endAtOnce();
}

function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL');
}
