/** Names of a kind in all inputs, one character a byte: the first input that uses one keeps it. */
export class Unique {
  /** All names as they are read, also the new ones, each with the first input that has it. */
  private readonly owners = new Map<string, number>();
  /** Inputs with names that an earlier one has. */
  private readonly late = new Set<number>();
  private readonly separator: string;
  private readonly read: (name: string) => string;

  /** `read`: what a name is to its readers, where one may be written in several ways. */
  constructor(separator: string, read = (name: string): string => name) {
    this.separator = separator;
    this.read = read;
  }

  /**
   * Call it for every input, in order, before the first `rename`, so that no new name collides with one of a later
   * input.
   */
  know(names: Iterable<string>, index: number): void {
    const { owners } = this;
    for (const each of names) {
      const name = this.read(each);
      const owner = owners.get(name);
      if (owner === undefined) owners.set(name, index);
      else if (owner !== index) this.late.add(index);
    }
  }

  /** New names for those that an earlier input has. */
  rename(names: Iterable<string>, index: number): Map<string, string> {
    const renames = new Map<string, string>();
    if (!this.late.has(index)) return renames;
    const { owners } = this;
    for (const name of names) {
      if (owners.get(this.read(name)) === index || renames.has(name)) continue;
      const fresh = this.fresh(name, index);
      owners.set(this.read(fresh), index);
      renames.set(name, fresh);
    }
    return renames;
  }

  /** A name that is not taken. The number behind it tells the input's place, from 1. */
  private fresh(name: string, index: number): string {
    for (let number = index + 1; ; number++) {
      const fresh = suffixed(name, `${this.separator}${number}`);
      if (!this.owners.has(this.read(fresh))) return fresh;
    }
  }
}

function suffixed(name: string, tail: string): string {
  return name + tailBehind(name.charCodeAt(0), name.charCodeAt(1), tail);
}

/** ASCII that comes behind a name which begins with two bytes: in UTF-16 where the name is, by its byte order mark. */
export function tailBehind(first: number, second: number, tail: string): string {
  // Most names have no byte order mark, and neither mark begins with less.
  if (first < 0xfe) return tail;
  if (first === 0xfe && second === 0xff) return tail.replace(/./g, '\0$&');
  return first === 0xff && second === 0xfe ? tail.replace(/./g, '$&\0') : tail;
}
