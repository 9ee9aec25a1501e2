import type { Progress } from '../../contract/base/ports.ts';
import { count, formatSize, grouped } from './units.ts';

/** `merge: 3 of 20 files, b.pdf` */
export function describe({ phase, done, total, unit, note }: Progress): string {
  const amount = total === undefined ? (done > 0 ? `: ${quantity(done, unit)}` : '') : `: ${ratio(done, total, unit)}`;
  return `${phase}${amount}${note === undefined ? '' : `, ${note}`}`;
}

/** `3 of 20 files`, `1.2 MB of 30 MB` */
export function ratio(done: number, total: number, unit: Progress['unit']): string {
  if (unit === 'bytes') return `${formatSize(done)} of ${formatSize(total)}`;
  return `${grouped(done)} of ${quantity(total, unit)}`;
}

function quantity(amount: number, unit: Progress['unit']): string {
  return unit === 'bytes' ? formatSize(amount) : count(amount, unit.slice(0, -1));
}

/** The program's own signal handling ends the work; line wrapping stays as the terminal has it. */
export const BAR = {
  ...{ barCompleteChar: '━', barIncompleteChar: '─', clearOnComplete: true },
  ...{ gracefulExit: false, linewrap: true, hideCursor: false, fps: 10 },
} as const;
