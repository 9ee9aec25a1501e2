// RC4, which OpenSSL no longer gives and old PDFs still need. For reading only.

/** A running key stream; `apply` may be called piece by piece. */
export class Rc4 {
  private readonly state = new Uint8Array(256);
  private i = 0;
  private j = 0;

  constructor(key: Uint8Array) {
    const { state } = this;
    for (let i = 0; i < 256; i++) state[i] = i;
    for (let i = 0, j = 0; i < 256; i++) {
      j = (j + state[i]! + key[i % key.length]!) & 0xff;
      const held = state[i]!;
      state[i] = state[j]!;
      state[j] = held;
    }
  }

  apply(data: Uint8Array): Uint8Array {
    const { state } = this;
    const out = new Uint8Array(data.length);
    let { i, j } = this;
    for (let pos = 0; pos < data.length; pos++) {
      i = (i + 1) & 0xff;
      const a = state[i]!;
      j = (j + a) & 0xff;
      const b = state[j]!;
      state[i] = b;
      state[j] = a;
      out[pos] = data[pos]! ^ state[(a + b) & 0xff]!;
    }
    this.i = i;
    this.j = j;
    return out;
  }
}
