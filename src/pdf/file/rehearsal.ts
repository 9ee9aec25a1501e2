// Owns showing V8 all that a pass over an object may meet, before it compiles the pass. Knows no file.
import { Scan, scanValue } from './scan.ts';

/** Every kind of token, names with marks, a stream, and values that are none, with what stands behind an object. */
const SAMPLES = [
  '<</Type/S/Dest(a\\)b(c))/GoTo<41>/DA[1 0 R 12 2.5 -3 1 0 true null]%c\n/ID{}/Length 5/Headers<</Launch 3 0 R>>' +
    '/StructParent 1 3/JavaScript >>\nstream\r\n12345678 endobj 12345678',
  '<</D [4 0 R /XYZ 72 -2.5 null]/F false>>\nendobj 12345678',
  '[4 0 R/Fit(a)eps obx]\nendobj 12345678',
  '(a)\nendobj 12345678',
];
const TIMES = 16;

let done = false;

/**
 * Goes through the samples, once a process, in a millisecond. A pass is compiled for what it has met so far, and is thrown
 * away and slow for milliseconds at the first string, comment or mark after that: 2 % of a merge of two manuals. A split
 * met bare arrays and keywords last, and had it compiled three times.
 */
export function rehearse(): void {
  if (done) return;
  done = true;
  const samples = SAMPLES.map((sample) => new Uint8Array(Buffer.from(sample, 'latin1')));
  const scan = new Scan();
  for (let time = 0; time < TIMES; time++) {
    for (const bytes of samples) scanValue(bytes, 0, bytes.length, scan, time % 8);
  }
}
