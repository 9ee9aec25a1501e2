/** Breaks at spaces. `hang`: how far lines after the first are indented. A word that does not fit is left whole. */
export function wrap(text: string, width: number, hang = 0): string[] {
  const lines: string[] = [];
  let line: string | undefined;
  for (const word of text.split(' ')) {
    const indent = lines.length === 0 ? 0 : hang;
    if (line === undefined) line = word;
    else if (indent + line.length + 1 + word.length <= width) line = `${line} ${word}`;
    else {
      lines.push(' '.repeat(indent) + line);
      line = word;
    }
  }
  return [...lines, ' '.repeat(lines.length === 0 ? 0 : hang) + (line ?? '')];
}
