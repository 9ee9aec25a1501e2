/** Files that one operation writes at most. Each has to reach the disk, so this many take up to half a minute. */
export const MOST_FILES = 20_000;

export function baseName(name: string): string {
  return name.replace(/^.*[/\\]/s, '');
}

export function stemOf(name: string): string {
  const base = baseName(name);
  return base.replace(/\.pdf$/i, '') || base;
}
