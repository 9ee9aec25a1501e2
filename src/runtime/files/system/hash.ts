import { createHash } from 'node:crypto';
import type { RandomAccess } from '../../../contract/base/ports.ts';

export async function sha256(source: RandomAccess, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of source.open(signal)) hash.update(chunk);
  return hash.digest('hex');
}
