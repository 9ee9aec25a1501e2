import { describe, expect, it } from 'vitest';
import { parseDuration } from '../../src/cli/line/flags.ts';
import { choice, flag, integer, number, object, size, text } from '../../src/contract/field.ts';
import { parseSize, parseValue } from '../../src/contract/field-text.ts';

describe('sizes', () => {
  it.each([
    ['204800', 204_800],
    ['200KB', 204_800],
    ['200kb', 204_800],
    ['200 KiB', 204_800],
    ['1M', 1_048_576],
    ['1.5MB', 1_572_864],
    ['0.3KB', 307],
    ['2GB', 2_147_483_648],
    ['7B', 7],
  ])('%s', (given, value) => expect(parseSize(given)).toEqual({ value }));

  it.each(['', 'KB', '-1', '1e3', '200 KBB', '1,5MB', '0x10', '99999999999GB', '1 2'])('not %j', (given) => {
    expect(parseSize(given)).toEqual({ issue: `expected a size such as 204800, 200KB or 1MB, found ${given}` });
  });
});

describe('durations', () => {
  it.each([
    ['30', 30_000],
    ['500ms', 500],
    ['1.5s', 1500],
    ['10m', 600_000],
    ['2h', 7_200_000],
  ])('%s', (given, value) => expect(parseDuration(given)).toEqual({ value }));

  it.each(['', '0', 's', '-1s', '1d'])('not %j', (given) => expect(parseDuration(given)).toHaveProperty('issue'));
});

describe('other fields', () => {
  it.each([
    [choice('c', { values: [90, -90] }), '-90', { value: -90 }],
    [choice('c', { values: ['a', 'b'] }), 'c', { issue: 'expected one of a, b, found c' }],
    [integer('i', { min: 1 }), '0', { issue: 'expected at least 1, found 0' }],
    [integer('i'), '1.5', { issue: 'expected a whole number, found 1.5' }],
    [number('n'), '1.5', { value: 1.5 }],
    [number('n'), 'Infinity', { issue: 'expected a number, found Infinity' }],
    [size('s', { min: 1 }), '0', { issue: 'expected at least 1, found 0' }],
    [text('t', { maxLength: 3 }), 'abcd', { issue: 'expected at most 3 characters, found 4' }],
    [text('t'), '', { issue: 'expected some text' }],
    [flag('f'), true, { value: true }],
    [object('o'), '{"a":1}', { value: { a: 1 } }],
    [object('o'), '{', { issue: 'expected a JSON object, found "{"' }],
  ])('%#: %j', (field, given, parsed) => expect(parseValue(field, given)).toEqual(parsed));
});
