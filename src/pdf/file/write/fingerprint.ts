// A short hash for /ID. It is not for security: node:crypto would cost a small merge 4 ms.
/** Rows of a table that are mixed at most. Where one object has another length, all that stand behind it are elsewhere. */
const MOST_ROWS = 1024;

/** 128 bits in four lanes; the same inputs in the same order give the same bits on every machine. */
export class Fingerprint {
  private readonly lanes = Uint32Array.of(0x9e3779b9, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f);

  number(value: number): this {
    const { lanes } = this;
    const low = value >>> 0;
    const high = Math.floor(value / 0x100000000) >>> 0;
    for (let i = 0; i < 4; i++) {
      let lane = (lanes[i] ?? 0) ^ (i % 2 === 0 ? low : high);
      lane = Math.imul(lane ^ (lane >>> 15), 0x2c1b3c6d + 2 * i);
      lane ^= lane >>> 13;
      lanes[i] = lane + low + ((lanes[(i + 1) % 4] ?? 0) << 5);
    }
    return this;
  }

  /** Mixes a sample of a table's rows, of which there may be tens of thousands, in one lane. */
  table(places: Float64Array, kinds: Uint8Array, count: number): this {
    let mixed = 0x811c9dc5;
    const step = Math.ceil(count / MOST_ROWS);
    for (let i = 0; i < count; i += step) {
      const place = places[i] ?? 0;
      mixed = Math.imul(mixed ^ place ^ Math.floor(place / 0x100000000) ^ ((kinds[i] ?? 0) << 28), 0x01000193);
      mixed ^= mixed >>> 15;
    }
    return this.number(mixed).number(count);
  }

  bytes(bytes: ArrayLike<number>): this {
    for (let i = 0; i < bytes.length; i++) this.number(bytes[i] ?? 0);
    return this.number(bytes.length);
  }

  text(text: string): this {
    for (let i = 0; i < text.length; i++) this.number(text.charCodeAt(i));
    return this.number(text.length);
  }

  /** 32 hexadecimal digits. */
  hex(): string {
    for (let i = 0; i < 4; i++) this.number(i);
    return Array.from(this.lanes, (lane) => lane.toString(16).padStart(8, '0')).join('');
  }
}
