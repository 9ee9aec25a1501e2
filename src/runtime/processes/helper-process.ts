/** Processes of this program that answer questions with bytes, over two pipes: a message is two lengths, JSON, and bytes. */
import type { Readable, Writable } from 'node:stream';
import type { Answer, Helper } from '../../contract/ports.ts';
import { spawnBounded } from './child.ts';

/** What it may address: Node maps several times what it holds. */
const ADDRESSES = 8 * 1024 * 1024 * 1024;
/** Of the lengths. */
const HEAD = 8;
/** Milliseconds between two looks at the processor time that a helper has used. */
const LOOK = 100;

interface Message {
  readonly id: number;
  readonly said: unknown;
}

/** `command`: the command line of a process that calls `answerQuestions`. */
export function startHelper(command: readonly string[]): Helper {
  const child = spawnBounded(command, { addressSpace: ADDRESSES }, ['pipe', 'pipe', 'ignore']);
  const waiting = new Map<number, (answer: Answer | undefined) => void>();
  let over = false;
  let last = 0;
  const lose = () => {
    over = true;
    for (const settle of waiting.values()) settle(undefined);
    waiting.clear();
  };
  child.once('exit', lose);
  child.once('error', lose);
  // Where it is gone already, its end says so.
  child.stdin?.on('error', () => {});
  readMessages(child.stdout as Readable, ({ id, said }, bytes) => {
    waiting.get(id)?.({ said, bytes });
    waiting.delete(id);
  });
  return {
    ask(question, bytes = new Uint8Array(0)) {
      if (over) return Promise.resolve(undefined);
      const id = ++last;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        writeMessage(child.stdin as Writable, { id, said: question }, bytes);
      });
    },
    end: () => void child.kill('SIGKILL'),
  };
}

/** What a helper does with a question. `allowance`: milliseconds of processor time that it may take. */
export interface Work {
  readonly answer: (question: unknown, bytes: Uint8Array) => Promise<Answer>;
  readonly allowance: (question: unknown) => number;
}

/**
 * In a helper: answers until nobody asks any more, and ends the process, whatever native threads are busy with, when its
 * questions take more processor time than they may together. Processor time: a machine under load changes no outcome.
 */
export function answerQuestions({ answer, allowance }: Work): Promise<void> {
  const running = new Map<number, number>();
  let since = 0;
  const used = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  const look = setInterval(() => {
    let allowed = 0;
    for (const each of running.values()) allowed += each;
    if (running.size > 0 && used() - since > allowed) endAtOnce();
  }, LOOK);
  look.unref();
  readMessages(process.stdin, ({ id, said }, bytes) => {
    if (running.size === 0) since = used();
    running.set(id, allowance(said));
    const settle = (answered: Answer) => {
      // What the others have used until now is not counted again.
      running.delete(id);
      since = used();
      writeMessage(process.stdout, { id, said: answered.said }, answered.bytes);
    };
    answer(said, bytes).then(settle, (error: unknown) => {
      settle({ said: { error: error instanceof Error ? error.message : String(error) }, bytes: new Uint8Array(0) });
    });
  });
  return new Promise((resolve) => {
    process.stdin.once('end', () => {
      clearInterval(look);
      if (running.size > 0) endAtOnce();
      resolve();
    });
  });
}

/** Whether this process may have been started by `startHelper`. */
export function isHelper(): boolean {
  return !process.stdin.isTTY;
}

function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL');
}

function writeMessage(to: Writable, message: Message, bytes: Uint8Array): void {
  const text = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(HEAD);
  head.writeUInt32LE(text.length, 0);
  head.writeUInt32LE(bytes.length, 4);
  to.write(Buffer.concat([head, text]));
  if (bytes.length > 0) to.write(bytes);
}

function readMessages(from: Readable, take: (message: Message, bytes: Uint8Array) => void): void {
  const head = Buffer.alloc(HEAD);
  let into: Buffer = head;
  let got = 0;
  let text = 0;
  from.on('data', (piece: Buffer) => {
    for (let at = 0; at < piece.length; ) {
      const length = Math.min(into.length - got, piece.length - at);
      piece.copy(into, got, at, at + length);
      at += length;
      got += length;
      if (got < into.length) return;
      got = 0;
      if (into === head) {
        text = head.readUInt32LE(0);
        into = Buffer.allocUnsafeSlow(text + head.readUInt32LE(4));
        continue;
      }
      const message = JSON.parse(into.toString('utf8', 0, text)) as Message; // written by writeMessage of the same program
      const bytes = into.subarray(text);
      into = head;
      take(message, bytes);
    }
  });
}
