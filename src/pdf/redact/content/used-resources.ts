import { entryAt } from '../../../contract/base/present.ts';
import { Unreadable } from '../../syntax/damage.ts';
import { Dict, type Value } from '../../syntax/values.ts';

/** The resources that content uses. Only these are written, so that nothing unused stays in the file. */
export class UsedResources {
  private readonly categories = new Map<string, Dict>();
  private readonly made = new Set<string>();
  private readonly next: () => number;

  /** `next`: a document-wide counter, since contents may share a dictionary. */
  constructor(next: () => number) {
    this.next = next;
  }

  put(category: string, key: string, value: Value): void {
    if (this.made.has(`${category}/${key}`)) throw new Unreadable('a resource name that is already in use');
    this.category(category).set(key, value);
  }

  fresh(category: string, value: Value): string {
    const known = this.category(category);
    let key = `Cut${this.next()}`;
    while (known.has(key)) key = `Cut${this.next()}`;
    known.set(key, value);
    this.made.add(`${category}/${key}`);
    return key;
  }

  dict(): Dict {
    return new Dict(this.categories);
  }

  private category(category: string): Dict {
    return entryAt(this.categories, category, () => new Dict());
  }
}
