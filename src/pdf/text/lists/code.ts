import { least } from '../../long-lists.ts';
import type { Line } from '../layout/lines.ts';

export function codeLines(lines: readonly Line[]): string[] {
  const pitches = lines.map((line) => line.pitch).filter((pitch) => pitch > 0);
  const pitch = pitches.sort((a, b) => a - b)[pitches.length >> 1] ?? 0;
  const left = least(lines.map((line) => line.x0));
  const steps = lines.slice(1).map((line, i) => line.y - lines[i]!.y);
  const step = [...steps].filter((each) => each > 0).sort((a, b) => a - b)[steps.length >> 2] ?? 0;
  const result: string[] = [];
  lines.forEach((line, i) => {
    const empty = i === 0 || step === 0 ? 0 : Math.round((line.y - lines[i - 1]!.y) / step) - 1;
    for (let k = 0; k < Math.min(empty, 2); k++) result.push('');
    result.push(' '.repeat(pitch === 0 ? 0 : Math.round((line.x0 - left) / pitch)) + line.text);
  });
  return result;
}
