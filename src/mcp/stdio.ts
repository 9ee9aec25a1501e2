import type { Readable, Writable } from 'node:stream';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';

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
  const transport = new StdioServerTransport(input, output);
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) input.once(event, () => resolve());
    output.once('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  const handle = serveStdio(factory, { transport, onerror: (error) => say(error.message) });
  await ended;
  await handle.close();
}
