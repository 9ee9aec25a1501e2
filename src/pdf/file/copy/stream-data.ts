import { Damage } from '../../syntax/damage.ts';
import type { PdfFile } from '../read/pdf-file.ts';
import type { Writer } from '../write/writer.ts';

/** Longer ones pass the windows, which are for what is read object by object. */
const SMALL = 64 * 1024;

/** Writes the `length` bytes at `start` of the file, with what stands before and behind the data of a stream. */
export function copyData({ windows }: PdfFile, writer: Writer, start: number, length: number): void {
  writer.text('stream\n');
  if (length > SMALL) {
    writer.copy(length, (into, done) => windows.read(into, start + done));
  } else {
    const data = windows.slice(start, length);
    if (data.length < length) throw new Damage('a stream ends outside the file');
    writer.span(data, 0, length);
  }
  writer.text('\nendstream');
}
