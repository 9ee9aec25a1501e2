import { expect, it } from 'vitest';
import { wantsColour } from '../../src/runtime/terminal/paint.ts';
import { printableLine, printableText } from '../../src/runtime/terminal/printable.ts';
import { ratio } from '../../src/runtime/terminal/progress-words.ts';
import { count, formatDuration, formatSize } from '../../src/runtime/terminal/units.ts';

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1,023 bytes'],
  [1024, '1.0 KB'],
  [1_048_524, '1.0 MB'],
  [102_400, '100 KB'],
  [1_048_576, '1.0 MB'],
  [5_368_709_120, '5.0 GB'],
])('%d bytes', (bytes, shown) => expect(formatSize(bytes)).toBe(shown));

it.each([
  [0, '0 ms'],
  [994, '990 ms'],
  [996, '1.0 s'],
  [59_940, '59.9 s'],
  [59_960, '1 min 00 s'],
  [185_000, '3 min 05 s'],
  [7_620_000, '2 h 07 min'],
])('%d ms', (milliseconds, shown) => expect(formatDuration(milliseconds)).toBe(shown));

it('counts', () => expect([count(1, 'page'), count(1204, 'page')]).toEqual(['1 page', '1,204 pages']));

it('shows both sides of progress alike', () => expect(ratio(1321, 5151, 'files')).toBe('1,321 of 5,151 files'));

it('shows control characters instead of sending them', () => {
  expect(printableText('a\u001b[2J\u009bb\tc\nd\u007f')).toBe('a\\x1b[2J\\x9bb\tc\nd\\x7f');
  expect(printableLine('a\nb\tc\u202ed')).toBe('a\\nb\\tc\\u{202e}d');
  expect(printableLine('Ünïcode – 日本 🙂')).toBe('Ünïcode – 日本 🙂');
});

it.each([
  [true, undefined, {}, true],
  [false, undefined, {}, false],
  [false, undefined, { FORCE_COLOR: '1' }, true],
  [true, undefined, { FORCE_COLOR: '0' }, false],
  [true, undefined, { NO_COLOR: '1' }, false],
  [true, undefined, { NO_COLOR: '' }, true],
  [true, undefined, { TERM: 'dumb' }, false],
  [true, false, { FORCE_COLOR: '1' }, false],
])('colour: terminal %s, flag %s, %j', (terminal, flag, environment, wanted) => {
  expect(wantsColour(terminal, flag, environment)).toBe(wanted);
});
