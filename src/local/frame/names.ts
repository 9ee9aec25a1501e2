/** Most files that one operation writes: so many take up to half a minute to reach the disk. */
export const MOST_FILES = 20_000;

export function baseName(name: string): string {
  return name.replace(/^.*[/\\]/s, '');
}

export function stemOf(name: string): string {
  const base = baseName(name);
  return base.replace(/\.pdf$/i, '') || base;
}
