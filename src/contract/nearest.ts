/** The known word that differs least, where it differs little; case does not count. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const given = word.toLowerCase();
  if (given.length < 2 || given.length > LONGEST) return undefined;
  const limit = given.length < 5 ? 1 : 2;
  let best: { name: string; edits: number } | undefined;
  for (const name of known) {
    const edits = name.toLowerCase().startsWith(given) ? 0.5 : distance(given, name.toLowerCase());
    if (edits <= limit && (best === undefined || edits < best.edits)) best = { name, edits };
  }
  return best?.name;
}

const LONGEST = 60;

/** Letters to add, remove, replace or swap with their neighbour. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const edits = Math.min(at(i - 1, j) + 1, (row[j - 1] ?? 0) + 1, at(i - 1, j - 1) + same);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(swapped ? Math.min(edits, at(i - 2, j - 2) + 1) : edits);
    }
  }
  return at(a.length, b.length);
}
