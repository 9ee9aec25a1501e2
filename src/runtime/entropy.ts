import { randomBytes } from 'node:crypto';

export const systemEntropy = {
  /** At least 0, below 1. */
  fraction: () => Math.random(),
  /** 32 hexadecimal digits nobody can guess. */
  token: () => randomBytes(16).toString('hex'),
  /** Bytes nobody can guess, for keys. */
  bytes: (length: number): Uint8Array => randomBytes(length),
};
