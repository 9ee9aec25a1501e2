import type { Copier } from '../../src/pdf/file/copy/copier.ts';
import { DROPPED } from '../../src/pdf/file/copy/copier.ts';

export class MergedStructure {
  readonly warnings: string[] = [];
  readonly infoNumber = DROPPED;

  /** Nobody asks for watched names. */
  place(_input: unknown, { copier }: { copier: Copier }): void {
    copier.note = 0;
  }

  async copy(): Promise<void> {}

  async gather(): Promise<void> {}

  report(): void {}

  async write(): Promise<string> {
    return '';
  }
}
