/** Formats rows as lines, with each column as wide as its widest cell, but padded to `most` characters at most. */
export function columns(rows: readonly (readonly string[])[], most = Number.POSITIVE_INFINITY): string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.min(most, Math.max(...rows.map((row) => row[i]?.length ?? 0))));
  const line = (row: readonly string[]) => row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ');
  return rows.map((row) => line(row).trimEnd());
}
