import type { Environment } from '../folders/user-folders.ts';

/** Colours by meaning. Without colour, each returns its text unchanged. */
export interface Palette {
  good(text: string): string;
  bad(text: string): string;
  quiet(text: string): string;
  strong(text: string): string;
}

const plain = (text: string) => text;
export const PLAIN_PAINT: Palette = { good: plain, bad: plain, quiet: plain, strong: plain };

/** NO_COLOR and --no-color win; FORCE_COLOR comes next; else a terminal that is not dumb has colour. */
export function wantsColour(isTerminal: boolean, flag?: boolean, environment: Environment = process.env): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment;
  if (flag === false || (NO_COLOR !== undefined && NO_COLOR !== '')) return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTerminal && TERM !== 'dumb';
}

/** chalk is loaded only where there is colour. */
export async function loadPaint(colour: boolean): Promise<Palette> {
  if (!colour) return PLAIN_PAINT;
  const { Chalk } = await import('chalk');
  // Level 1: the sixteen colours that every terminal has, and that its user has chosen.
  const chalk = new Chalk({ level: 1 });
  return { good: chalk.green, bad: chalk.red, quiet: chalk.dim, strong: chalk.bold };
}
