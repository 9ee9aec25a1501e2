import type { ServerResponse } from 'node:http';
import { pourBlob } from '../../runtime/files/stores/blobs.ts';
import type { Service } from '../service/service.ts';
import { drainBody } from './body.ts';
import type { Exchange, HttpAnswer } from './exchange.ts';

/** Headers of every answer: no caching, no content sniffing. */
export const ALWAYS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;

/** Sends an answer. A client that leaves meanwhile ends it quietly. */
export async function send(exchange: Exchange, answer: HttpAnswer, service: Service): Promise<void> {
  const { id, outgoing, incoming, facts } = exchange;
  try {
    const { status, headers, body } = answer;
    const length =
      body === undefined ? 0 : 'text' in body ? Buffer.byteLength(body.text) : body.size - (body.start ?? 0);
    facts.bytes_out = length;
    outgoing.writeHead(status, { ...ALWAYS, 'X-Request-Id': id, 'Content-Length': String(length), ...headers });
    // The socket's idle timeout: a client that stops reading would hold its place for ever.
    outgoing.setTimeout(service.settings.stall_seconds * 1000, () => outgoing.destroy());
    if (body !== undefined && !('text' in body) && incoming.method !== 'HEAD') {
      const start = body.start ?? 0;
      if ('file' in body) await pourBlob(body.file, outgoing, start, body.size);
      else await service.blobs.read(body.blob, outgoing, start, body.size);
      await ended(outgoing);
      return;
    }
    const text = body !== undefined && 'text' in body && incoming.method !== 'HEAD' ? body.text : '';
    if (text === '') outgoing.flushHeaders();
    else outgoing.write(text);
    // Ending an answer may close the connection, which would reset it while the client still sends.
    await drainBody(exchange, service);
    await ended(outgoing);
  } catch (error) {
    const hasLeft = outgoing.destroyed || incoming.socket.destroyed;
    // A truncated answer is shorter than its Content-Length.
    outgoing.destroy();
    if (!hasLeft) throw error;
  } finally {
    await answer.after?.(outgoing.writableFinished);
  }
}

function ended(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    outgoing.once('close', resolve);
    outgoing.end(() => resolve());
  });
}
