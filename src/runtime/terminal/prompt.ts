import { Failure } from '../../contract/base/failure.ts';
import { command, say, setting } from '../../contract/base/wording.ts';
import type { Environment } from '../folders/user-folders.ts';
import { printableLine } from './printable.ts';
import type { Streams } from './streams.ts';

/** Whether a person can answer: standard input and error are a terminal, and PDFTOOL_NO_INPUT is not set. */
export function canAsk(streams: Streams, environment: Environment = process.env): boolean {
  const silent = environment.PDFTOOL_NO_INPUT;
  const wanted = silent === undefined || silent === '' || silent === '0';
  return process.stdin.isTTY && streams.errIsTerminal && wanted;
}

/** A line typed at a terminal and not shown. Throws a usage Failure where nobody can be asked. */
export async function readSecret(question: string, streams: Streams, signal: AbortSignal): Promise<string> {
  const { stdin } = process;
  if (!canAsk(streams)) {
    throw new Failure('usage', 'there is no terminal to ask at', {
      hint: say`Pipe the key: ${command('auth login')} ${setting('with-token')} < key.txt`,
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
      // The question before may have paused the stream; a listener alone does not resume it.
      stdin.setEncoding('utf8').on('data', read).resume();
    });
  } finally {
    stdin.setRawMode(false);
    stdin.removeAllListeners('data').pause();
    streams.err('\n');
  }
}

/** Asks a question: y means yes, anything else no. */
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
