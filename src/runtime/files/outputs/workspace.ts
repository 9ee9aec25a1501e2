import { atEnd } from '../../../contract/base/closing.ts';
import type { Temp } from '../../../contract/base/ports.ts';
import { Descriptors } from '../system/descriptors.ts';
import { Drafts } from './drafts.ts';
import { Scratch } from './scratch.ts';

/** The output that drafts become. */
interface Output {
  /** The folder of the output; left out, drafts lie in the system's folder for temporary files. */
  readonly parent?: string | undefined;
  readonly name: string;
  /** Whether the drafts become the files of one folder. */
  readonly together?: boolean;
}

/** The open files, drafts and scratch folders of one call; `close` releases them all. */
export class Workspace {
  readonly descriptors: Descriptors;
  readonly #scratches: Scratch[] = [];
  readonly #drafts: Drafts[] = [];

  /** `openAt`: opens a file, for callers that may not open every path. */
  constructor(openAt?: (path: string) => number) {
    this.descriptors = new Descriptors(openAt);
  }

  /** A scratch folder in `parent`, by default where the system keeps temporary files. It is made when first used. */
  scratch(parent?: string): Scratch {
    const scratch = new Scratch(parent);
    this.#scratches.push(scratch);
    return scratch;
  }

  /** Drafts beside the output they are for, so that they can be linked into place. */
  temp({ parent, name, together }: Output): Temp {
    const drafts = new Drafts(this.scratch(parent), this.descriptors, name, together);
    this.#drafts.push(drafts);
    return drafts;
  }

  close(): void {
    for (const drafts of this.#drafts) drafts.close();
    this.descriptors.close();
    for (const scratch of this.#scratches) scratch.remove();
  }
}

/** Runs `work` with a workspace, and releases it at the end. */
export async function withWorkspace<T>(
  work: (workspace: Workspace) => Promise<T>,
  workspace: Workspace = new Workspace(),
): Promise<T> {
  using _ = atEnd(() => workspace.close());
  return await work(workspace);
}
