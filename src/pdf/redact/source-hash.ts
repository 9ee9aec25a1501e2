import { createHash } from 'node:crypto';
import type { ByteSource } from '../../contract/base/ports.ts';

export async function sourceHash(source: ByteSource, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of source.open(signal)) hash.update(chunk);
  return hash.digest('hex');
}
