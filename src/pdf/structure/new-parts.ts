import type { Draft, Part, Temp } from '../../contract/ports.ts';
import { Background } from '../background.ts';
import type { Pace } from '../pace.ts';
import { checked } from '../write/check.ts';
import { type Input, picking } from './input.ts';
import { NewDocument } from './new-document.ts';

/** Parts after which other work gets the thread. */
const PARTS_A_TURN = 16;

/** Many documents of pages of one: `add` each, then take `results`; in any case wait until they are `settled`. */
export class NewParts {
  /** How many objects were written. */
  objects = 0;
  /** What the person should know. */
  readonly warnings = new Set<string>();
  private readonly whole: Input;
  private readonly temp: Temp;
  private readonly pace: Pace;
  private readonly parts = new Background<Part>();
  private count = 0;

  constructor(whole: Input, temp: Temp, pace: Pace) {
    this.whole = whole;
    this.temp = temp;
    this.pace = pace;
  }

  /** A part with the pages at some places. `id`: in hexadecimal. */
  async add(name: string, places: readonly number[], id: string): Promise<void> {
    const draft = this.temp.create(name);
    const picked = picking(this.whole, places);
    const document = new NewDocument(draft, [picked], this.pace, { parts: true });
    await document.add(picked);
    this.objects += document.objects;
    for (const warning of document.warnings) this.warnings.add(warning);
    await this.parts.add(finished(draft, document.finish(id), places.length));
    // Lets files continue whose step on another thread has ended.
    if (this.count++ % PARTS_A_TURN === 0) await this.pace.yield();
  }

  results(): Promise<readonly Part[]> {
    return this.parts.results();
  }

  /** Drafts that are given up must not be on their way to the disk. */
  settled(): Promise<void> {
    return this.parts.settled();
  }
}

/** Ends a part whose objects are `written`, on other threads as far as it goes, while the next part is begun. */
async function finished(draft: Draft, written: Promise<void>, pages: number): Promise<Part> {
  await written;
  const behind = draft.finishBehind?.();
  if (behind === undefined) return { name: draft.name, body: await checked(draft.finish(), pages), pages };
  try {
    return { name: draft.name, body: await checked(behind.body, pages), pages };
  } finally {
    await behind.written;
  }
}
