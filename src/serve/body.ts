// Owns small bodies that are read whole, bounded while they are read. Knows no route.
import type { IncomingMessage } from 'node:http';
import { Failure } from '../contract/failure.ts';

/** The text of a body of at most `most` bytes. */
export async function readBody(incoming: IncomingMessage, most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > most) throw new Failure('too_large', `expected a body of at most ${most} bytes`, { kind: 'limit' });
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('interrupted', 'the connection was closed before the request was complete');
  }
  return Buffer.concat(chunks).toString('utf8');
}
