import type { Part, Temp } from '../../contract/ports.ts';
import type { Pace } from '../file/read/pace.ts';
import { checked } from '../file/write/check.ts';
import { type Input, picking } from './input.ts';
import { NewDocument } from './new-document.ts';

export class NewParts {
  objects = 0;
  readonly parts: Part[] = [];
  readonly warnings = new Set<string>();
  private readonly whole: Input;
  private readonly temp: Temp;
  private readonly pace: Pace;

  constructor(whole: Input, temp: Temp, pace: Pace) {
    this.whole = whole;
    this.temp = temp;
    this.pace = pace;
  }

  /** A part with the pages at these indexes. `id`: in hexadecimal. */
  async add(name: string, places: readonly number[], id: string): Promise<void> {
    const draft = this.temp.create(name);
    const picked = picking(this.whole, places);
    const document = new NewDocument(draft, [picked], this.pace, { parts: true });
    await document.add(picked);
    await document.finish(id);
    this.objects += document.objects;
    for (const warning of document.warnings) this.warnings.add(warning);
    this.parts.push({ name, body: await checked(draft.finish(), places.length), pages: places.length });
    if (this.pace.isOver()) await this.pace.yield();
  }
}
