import { readdirSync, readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { completeInput, isOffered } from '../../src/contract/operation.ts';
import { OPERATIONS } from '../../src/contract/operations/all.ts';
import { compress } from '../../src/contract/operations/size/compress.ts';
import { fieldSchema } from '../../src/derive/json-schema.ts';
import { encodeRequest } from '../../src/wire/request.ts';

const defaults = OPERATIONS.flatMap((op) =>
  Object.entries(op.input)
    .filter(([, field]) => field.default !== undefined)
    .map(([name, field]) => ({ op, name, field })),
);

test.each(defaults)('$op.name: the default of $name is a value that the field takes, and is described', ({ field }) => {
  expect(v.safeParse(field.schema(), field.default).success).toBe(true);
  expect(fieldSchema(field).default).toEqual(field.default);
});

test('a complete input has every default and every flag', () => {
  const file = { name: 'a.pdf', open: () => expect.unreachable() };
  for (const op of OPERATIONS) {
    const complete: Record<string, unknown> = completeInput(op, { file } as never);
    for (const [name, field] of Object.entries(op.input)) {
      if (field.kind === 'flag') expect(complete[name], `${op.name} ${name}`).toBe(field.default ?? false);
      else if (field.kind !== 'file' && field.kind !== 'files') expect(complete[name]).toEqual(field.default);
    }
  }
  expect(completeInput(compress, { file, lossless: true })).toMatchObject({ lossless: true, grayscale: false });
});

test('no request has a default that nobody gave', async () => {
  for (const op of OPERATIONS) {
    if (!isOffered(op) || op.path.includes(':')) continue;
    const { body } = encodeRequest(op, {}, 'boundary');
    let text = '';
    for await (const chunk of body?.open(new AbortController().signal) ?? []) text += Buffer.from(chunk);
    expect(text, op.name).not.toMatch(/name=|":/);
  }
});

test('no handler restates a default of its row', () => {
  const names = [...new Set(defaults.map(({ name }) => name))].join('|');
  const restated = new RegExp(`\\b(${names})(: \\w+)? = (?:'|\\d|true|false|\\{\\})[^}]*\\}(: \\w+<|[^=\n]*= input)`);
  const files = readdirSync('src/local', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  for (const file of files) expect(readFileSync(`src/local/${file}`, 'utf8'), file).not.toMatch(restated);
});
