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

/** Whether two values are equal that are neither both dictionaries nor both lists. */
export function samePlain(a: Value, b: Value): boolean {
  if (a instanceof Name && b instanceof Name) return a.value === b.value;
  if (a instanceof PdfString && b instanceof PdfString) return Buffer.compare(a.bytes, b.bytes) === 0;
  return a === b;
}

/** The objects that a value refers to, except by entries under these keys. */
export function refsIn(value: Value, except?: ReadonlySet<string>): number[] {
  const refs: number[] = [];
  const todo = [value];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (next instanceof Ref) refs.push(next.num);
    else if (Array.isArray(next)) for (const item of next) todo.push(item);
    else if (next instanceof Dict) for (const [key, item] of next) if (except?.has(key) !== true) todo.push(item);
  }
  return refs;
}
