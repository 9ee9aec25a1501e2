/** Makes names of one kind unique over all inputs, one character a byte: the first input that uses a name keeps it. */
export class Unique {
  /** All names in normal form, new ones included, each with the first input that has it. */
  private readonly owners = new Map<string, number>();
  /** Inputs with names that an earlier one has. */
  private readonly late = new Set<number>();
  private readonly separator: string;
  private readonly read: (name: string) => string;

  /** `read`: the normal form of a name, where it can be written in several ways. */
  constructor(separator: string, read = (name: string): string => name) {
    this.separator = separator;
    this.read = read;
  }

  /** Call it for every input, in order, before the first `rename`, so that new names collide with none of a later input. */
  know(names: Iterable<string>, index: number): void {
    const { owners } = this;
    for (const given of names) {
      const name = this.read(given);
      const owner = owners.get(name);
      if (owner === undefined) owners.set(name, index);
      else if (owner !== index) this.late.add(index);
    }
  }

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

  /** A free name. The number in it is the input's position, from 1. */
  private fresh(name: string, index: number): string {
    for (let number = index + 1; ; number++) {
      const fresh = suffixed(name, `${this.separator}${number}`);
      if (!this.owners.has(this.read(fresh))) return fresh;
    }
  }
}

/** The name with an ASCII suffix, in UTF-16 where the name is, by its byte order mark. */
export function suffixed(name: string, tail: string): string {
  if (name.startsWith('\xfe\xff')) return name + tail.replace(/./g, '\0$&');
  return name + (name.startsWith('\xff\xfe') ? tail.replace(/./g, '$&\0') : tail);
}
