import type { ProgramShape } from '../shape.ts';
import { bashCompletion } from './bash.ts';
import { fishCompletion } from './fish.ts';
import { powershellCompletion } from './powershell.ts';
import { zshCompletion } from './zsh.ts';

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
type Shell = (typeof SHELLS)[number];

export const COMPLETIONS: Readonly<Record<Shell, { file: string; make(program: ProgramShape): string }>> = {
  bash: { file: 'pdftool.bash', make: bashCompletion },
  zsh: { file: '_pdftool', make: zshCompletion },
  fish: { file: 'pdftool.fish', make: fishCompletion },
  powershell: { file: 'pdftool.ps1', make: powershellCompletion },
};
