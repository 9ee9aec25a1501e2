// Reads and writes glyph names of a simple font's codes (ISO 32000-1, 9.6.6.1).
import { listOf } from '../file/read/entries.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import { encodeName } from '../syntax/serialize.ts';
import { type Dict, Name } from '../syntax/values.ts';

export function differencesOf(file: PdfFile, font: Dict): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  let code = 0;
  for (const item of listOf(file, file.dict(font.get('Encoding'))?.get('Differences'))) {
    const value = file.resolve(item);
    if (typeof value === 'number') code = value;
    else if (value instanceof Name) names.set(code++, value.value);
  }
  return names;
}

/** The value of /Encoding for a program's own encoding. */
export function encodingValue(encoding: ReadonlyMap<number, string>): string {
  let text = '';
  let next = -1;
  for (const [code, name] of [...encoding].sort(([a], [b]) => a - b)) {
    text += `${code === next ? '' : ` ${code}`}/${encodeName(name)}`;
    next = code + 1;
  }
  return `<</Type/Encoding/Differences[${text}]>>`;
}
