// NUL and lone surrogates are refused at the one door of the command line, HTTP and agents: the schema of the field.
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { isWellFormed } from '../../src/contract/base/text.ts';
import { OPERATIONS } from '../../src/contract/operations/all.ts';
import { decodeFormText } from '../../src/wire/form-value.ts';

const fields = OPERATIONS.flatMap((op) =>
  Object.entries(op.input).flatMap(([name, field]) =>
    field.kind === 'text' || field.kind === 'object' ? [{ name: `${op.name} ${name}`, field }] : [],
  ),
);

describe('ill-formed text', () => {
  it.each(fields.map(({ name, field }) => [name, field] as const))('is refused by %s', (_, field) => {
    for (const text of ['a\u0000', 'a\ud800', '\udc00b']) {
      const value = field.kind === 'object' ? { a: [{ [text]: 1 }], b: text } : text;
      expect(v.safeParse(field.schema(), value).success).toBe(false);
    }
  });

  it('is named by the door of HTTP', () => {
    const field = OPERATIONS.find(({ name }) => name === 'stamp')?.input.text;
    if (field === undefined) throw new Error('stamp has a text');
    expect(decodeFormText(field, 'a\u0000b')).toEqual({
      issue: 'expected text without NUL (U+0000) and lone surrogates',
    });
    expect(decodeFormText(field, 'a😀b')).toEqual({ value: 'a😀b' });
  });

  it('is found in any depth, in names and members', () => {
    expect([{ a: ['x\u0000'] }, [{ 'x\ud800': 1 }], 'a\u0000'].map(isWellFormed)).toEqual([false, false, false]);
    expect([{ a: ['😀', 1, null, true] }, 'plain', undefined].map(isWellFormed)).toEqual([true, true, true]);
  });
});
