// RC4, for reading old files: OpenSSL no longer provides it.

/** A running key stream; `apply` may be called piece by piece. */
export class Rc4 {
  private readonly state = new Uint8Array(256);
  private i = 0;
  private j = 0;

  constructor(key: Uint8Array) {
    const { state } = this;
    for (let i = 0; i < 256; i++) state[i] = i;
    for (let i = 0, j = 0; i < 256; i++) {
      j = (j + (state[i] ?? 0) + (key[i % key.length] ?? 0)) & 0xff;
      const held = state[i] ?? 0;
      state[i] = state[j] ?? 0;
      state[j] = held;
    }
  }

  apply(data: Uint8Array): Uint8Array {
    const { state } = this;
    const out = new Uint8Array(data.length);
    let { i, j } = this;
    for (let pos = 0; pos < data.length; pos++) {
      i = (i + 1) & 0xff;
      const a = state[i] ?? 0;
      j = (j + a) & 0xff;
      const b = state[j] ?? 0;
      state[i] = b;
      state[j] = a;
      out[pos] = (data[pos] ?? 0) ^ (state[(a + b) & 0xff] ?? 0);
    }
    this.i = i;
    this.j = j;
    return out;
  }
}
