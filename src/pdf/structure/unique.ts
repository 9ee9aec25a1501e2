// Owns finding new names where those of several inputs collide. Knows nothing of what is named.

/** Names of a kind in all inputs: the first input that uses one keeps it. */
export class Unique {
  /** All names, also the new ones, each with the first input that has it. */
  private readonly owners = new Map<string, number>();
  private readonly separator: string;

  constructor(separator: string) {
    this.separator = separator;
  }

  /** To be called for every input, in order, before the first `rename`: no new name takes one that a later input has. */
  know(names: Iterable<string>, index: number): void {
    for (const name of names) if (!this.owners.has(name)) this.owners.set(name, index);
  }

  /**
   * New names for those that an earlier input has, with those that are in `renames`. `index`: the input's place, from 0; it
   * tells the number behind.
   */
  rename(names: Iterable<string>, index: number, renames = new Map<string, string>()): Map<string, string> {
    for (const name of names) {
      if (this.owners.get(name) === index || renames.has(name)) continue;
      let number = index + 1;
      while (this.owners.has(suffixed(name, this.separator, number))) number++;
      const fresh = suffixed(name, this.separator, number);
      this.owners.set(fresh, index);
      renames.set(name, fresh);
    }
    return renames;
  }
}

/** The separator and the number behind a name given as bytes; in UTF-16 where the name is, by its byte order mark. */
function suffixed(name: string, separator: string, number: number): string {
  const tail = `${separator}${number}`;
  if (name.startsWith('\xfe\xff')) return name + [...tail].map((char) => `\0${char}`).join('');
  if (name.startsWith('\xff\xfe')) return name + [...tail].map((char) => `${char}\0`).join('');
  return name + tail;
}
