// Objects as values, for the few that must be understood rather than copied.
export class Name {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}

export class Ref {
  readonly num: number;
  readonly gen: number;
  constructor(num: number, gen: number) {
    this.num = num;
    this.gen = gen;
  }
}

/** A string object: its bytes, with escapes resolved. */
export class PdfString {
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

export type Value = null | boolean | number | Name | Ref | PdfString | Value[] | Dict;

/** A dictionary by key, without the slash. Of repeated keys the last one counts. */
export class Dict extends Map<string, Value> {
  number(key: string): number | undefined {
    const value = this.get(key);
    return typeof value === 'number' ? value : undefined;
  }
  name(key: string): string | undefined {
    const value = this.get(key);
    return value instanceof Name ? value.value : undefined;
  }
}

/** A dictionary of these entries; those without a value are left out. */
export function dictOf(entries: Readonly<Record<string, Value | undefined>>): Dict {
  return new Dict(
    Object.entries(entries).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])),
  );
}
