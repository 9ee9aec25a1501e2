/** The global `crypto` and not node:crypto, which takes 3 ms to load. */
const randomBytes = (length: number): Buffer => Buffer.from(crypto.getRandomValues(new Uint8Array(length)));

export const systemEntropy = {
  /** At least 0, below 1. */
  fraction: () => Math.random(),
  /** 32 hexadecimal digits nobody can guess. */
  token: () => randomBytes(16).toString('hex'),
  /** Bytes nobody can guess, for keys: at most 65,536. */
  bytes: (length: number): Uint8Array => randomBytes(length),
};
