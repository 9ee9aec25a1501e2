import { least, median, pairs } from '../../syntax/arrays.ts';
import type { Line } from '../lines/lines.ts';

export function codeLines(lines: readonly Line[]): string[] {
  const pitches = lines.map((line) => line.pitch).filter((pitch) => pitch > 0);
  const pitch = median(pitches) ?? 0;
  const left = least(lines.map((line) => line.x0));
  const steps = pairs(lines).map(([before, line]) => line.y - before.y);
  const step = [...steps].filter((indent) => indent > 0).sort((a, b) => a - b)[steps.length >> 2] ?? 0;
  const result: string[] = [];
  lines.forEach((line, i) => {
    const before = lines[i - 1];
    const empty = before === undefined || step === 0 ? 0 : Math.round((line.y - before.y) / step) - 1;
    for (let k = 0; k < Math.min(empty, 2); k++) result.push('');
    result.push(' '.repeat(pitch === 0 ? 0 : Math.round((line.x0 - left) / pitch)) + line.text);
  });
  return result;
}
