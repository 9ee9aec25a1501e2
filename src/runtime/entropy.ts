export const systemEntropy = {
  /** At least 0, below 1. */
  fraction: () => Math.random(),
  /** 32 hexadecimal digits nobody can guess. */
  token: () => Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex'),
  /** Bytes nobody can guess, for keys. */
  bytes: (length: number): Uint8Array => crypto.getRandomValues(new Uint8Array(length)),
};
