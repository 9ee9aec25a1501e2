export interface Entry {
  readonly file: string;
  readonly path: string;
  readonly class: string;
  readonly pages: number | null;
  readonly carriedDamage: boolean;
  readonly exact: boolean;
  readonly bomb: boolean;
  readonly expect: Readonly<Record<string, string>>;
}
export const CORPUS: string;
export const OPERATIONS: readonly string[];
export function missing(): string | undefined;
export function entriesOf(set: string, only?: string): Promise<Entry[]>;
