import { Failure } from '../../contract/failure.ts';
import { printableLine } from './printable.ts';
import type { Streams } from './streams.ts';

/** Whether somebody is there to answer: a terminal on both sides, and no PDFTOOL_NO_INPUT. */
export function canAsk(
  streams: Streams,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): boolean {
  const silent = environment.PDFTOOL_NO_INPUT;
  const wanted = silent === undefined || silent === '' || silent === '0';
  return process.stdin.isTTY && streams.errIsTerminal && wanted;
}

/** A line typed at a terminal and not shown. Throws a usage Failure where nobody can be asked. */
export async function readSecret(question: string, streams: Streams, signal: AbortSignal): Promise<string> {
  const { stdin } = process;
  if (!canAsk(streams)) {
    throw new Failure('usage', 'there is no terminal to ask at', {
      hint: 'Pipe the key: pdftool auth login --with-token < key.txt',
    });
  }
  signal.throwIfAborted();
  streams.err(question);
  stdin.setRawMode(true);
  try {
    return await new Promise<string>((resolve, reject) => {
      let typed = '';
      const stop = () => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      const read = (text: string) => {
        for (const character of text) {
          if (character === '\r' || character === '\n') return resolve(typed);
          // In raw mode Ctrl-C and Ctrl-D are characters like any other.
          if (character === '\u0003') return reject(new Failure('interrupted', 'interrupted'));
          if (character === '\u0004')
            return typed === '' ? reject(new Failure('interrupted', 'nothing was typed')) : resolve(typed);
          if (character === '\u007f' || character === '\b') typed = typed.slice(0, -1);
          else if (character >= ' ') typed += character;
        }
      };
      // A listener alone does not wake what the question before has paused.
      stdin.setEncoding('utf8').on('data', read).resume();
    });
  } finally {
    stdin.setRawMode(false);
    stdin.removeAllListeners('data').pause();
    streams.err('\n');
  }
}

/** A question that y answers with yes and anything else with no. */
export async function confirm(question: string, streams: Streams, signal: AbortSignal): Promise<boolean> {
  const { stdin } = process;
  signal.throwIfAborted();
  streams.err(`${printableLine(question)} [y/N] `);
  try {
    return await new Promise<boolean>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      stdin.setEncoding('utf8').once('data', (text) => resolve(/^\s*y(es)?\s*$/i.test(String(text))));
      stdin.once('end', () => resolve(false)).resume();
    });
  } finally {
    stdin.removeAllListeners('data').removeAllListeners('end').pause();
    if (signal.aborted) streams.err('\n');
  }
}

/** Standard input as text, of at most `limit` bytes. */
export async function readStandardInput(limit: number, signal: AbortSignal): Promise<string> {
  const { stdin } = process;
  if (stdin.isTTY) throw new Failure('usage', 'standard input is a terminal, expected a pipe or a file');
  const chunks: Buffer[] = [];
  let size = 0;
  const stop = () => stdin.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of stdin) {
      chunks.push(chunk);
      if ((size += chunk.length) > limit)
        throw new Failure('usage', `expected at most ${limit} bytes on standard input`);
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
  signal.throwIfAborted();
  return Buffer.concat(chunks).toString('utf8');
}
