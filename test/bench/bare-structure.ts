// Owns the bare copy that a merge is measured against: it stands in for src/pdf/structure/join.ts and keeps nothing.
import type { Copier } from '../../src/pdf/file/copier.ts';
import { DROPPED } from '../../src/pdf/file/copier.ts';

export class Structure {
  readonly warnings: string[] = [];
  readonly infoNumber = DROPPED;

  /** Nobody asks which marks there were. */
  place(_input: unknown, { copier }: { copier: Copier }): void {
    copier.marks = 0;
  }

  async copy(): Promise<void> {}

  async gather(): Promise<void> {}

  report(): void {}

  async write(): Promise<string> {
    return '';
  }
}
