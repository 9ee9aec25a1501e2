// Owns what one invocation holds on this machine: descriptors and scratch folders, given back together.
import type { Temp } from '../contract/ports.ts';
import { Descriptors } from './descriptors.ts';
import { createTemp } from './drafts.ts';
import { Scratch } from './scratch.ts';

export class Workspace {
  readonly descriptors = new Descriptors();
  readonly #scratches: Scratch[] = [];

  /** A scratch folder in `parent`, by default where the system keeps temporary files. It is made when first used. */
  scratch(parent?: string): Scratch {
    const scratch = new Scratch(parent);
    this.#scratches.push(scratch);
    return scratch;
  }

  /** Drafts beside the output they are for, so that they can be linked into place. */
  temp(output: { readonly parent?: string | undefined; readonly name: string }): Temp {
    return createTemp(this.scratch(output.parent), this.descriptors, output.name);
  }

  close(): void {
    this.descriptors.close();
    for (const scratch of this.#scratches) scratch.remove();
  }
}
