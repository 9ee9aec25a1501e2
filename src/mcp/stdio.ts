import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, McpServerFactory } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { plain } from '../wire/plain.ts';
import { MOST_CHARACTERS, onlyMessages } from './messages.ts';

/** Serves one client until it closes its end or `signal` is aborted. */
export async function serveOnStdio(
  factory: McpServerFactory,
  {
    input,
    output,
    signal,
    say,
  }: { input: Readable; output: Writable; signal: AbortSignal; say: (line: string) => void },
): Promise<void> {
  const messages = onlyMessages((line) => void output.write(line));
  const transport = new PlainTransport(messages, output, { maxBufferSize: 8 * MOST_CHARACTERS });
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) input.once(event, () => resolve());
    output.once('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  const handle = serveStdio(factory, { transport, onerror: (error) => say(plain(error.message)) });
  input.pipe(messages);
  await ended;
  await handle.close();
}

/** Shortens errors of the package, which quote its schemas in JSON: the first line says which request was wrong. */
class PlainTransport extends StdioServerTransport {
  override send(message: JSONRPCMessage): Promise<void> {
    if (!('error' in message)) return super.send(message);
    const { error } = message;
    const [first = ''] = error.message.split(/: \[|\n/);
    return super.send({ ...message, error: { ...error, message: plain(first) } });
  }
}
