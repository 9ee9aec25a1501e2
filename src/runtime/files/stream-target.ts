import { closeSync, openSync } from 'node:fs';
import type { ByteSource } from '../../contract/ports.ts';
import type { Streams } from '../terminal/streams.ts';
import { writeFailure } from './file-failure.ts';
import type { Target } from './target.ts';

/** Nothing can be linked there: the bytes are complete on disk before the first of them is sent. */
export async function pourInto(
  to: Target & { kind: 'stream' },
  source: ByteSource,
  streams: Streams,
  signal: AbortSignal,
): Promise<void> {
  let descriptor: number;
  try {
    descriptor = openSync(to.path, 'w');
  } catch (error) {
    throw writeFailure(error, to.name);
  }
  try {
    await streams.pour(source, signal, { descriptor, name: to.name });
  } finally {
    closeSync(descriptor);
  }
}
