// Owns finding new names where those of several inputs collide. Knows nothing of what is named.

/** Names of a kind in all inputs: the first input that uses one keeps it. */
export class Unique {
  /** All names of all inputs, so that no new name takes one that a later input has. */
  private readonly all = new Set<string>();
  private readonly taken = new Set<string>();
  private readonly separator: string;

  constructor(separator: string) {
    this.separator = separator;
  }

  /** To be called for every input before the first `rename`. */
  know(names: Iterable<string>): void {
    for (const name of names) this.all.add(name);
  }

  /** New names for those that an earlier input has. `index`: the input's place, from 0; it tells the number behind. */
  rename(names: Iterable<string>, index: number): Map<string, string> {
    const renames = new Map<string, string>();
    const own = new Set(names);
    for (const name of own) {
      if (!this.taken.has(name)) continue;
      let number = index + 1;
      while (this.all.has(suffixed(name, this.separator, number))) number++;
      const fresh = suffixed(name, this.separator, number);
      this.all.add(fresh);
      renames.set(name, fresh);
    }
    for (const name of own) this.taken.add(name);
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
