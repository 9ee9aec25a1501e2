// What a request may cost before a worker has it: the server has one thread for all accounts, so no field, no JSON body and
// no message to the tools, which need no key, may keep that thread busy. Processor time, because a busy machine takes longer.
import { expect, it } from 'vitest';
import type { Field } from '../../src/contract/field.ts';
import { SERVICE_OPERATIONS } from '../../src/contract/operations/all.ts';
import { createHosted } from '../../src/mcp/hosted.ts';
import { decodeFields, jsonFields } from '../../src/wire/decode.ts';

/** Milliseconds of processor time. What is quadratic in 64 KB takes seconds. */
const MOST = 700;
const BYTES = 64 * 1024;
const fill = (text: string, most = BYTES) => text.repeat(Math.floor(most / text.length)).slice(0, most);
const list = (item: string) => `[${fill(`${item},`, BYTES - 100)}${item}]`;
const TEXTS = [
  ...[
    '1',
    '1,',
    '1-2,',
    '1-2;',
    '!1,',
    '!odd,',
    'odd,',
    'x,',
    'z-1,',
    '(a+)+',
    '\u0000',
    '\ud800',
    ' ',
    '-',
    ';',
    '\\"',
  ].map((text) => fill(text)),
  ...['1', '[1,2]', '{"a":1}', '"x"', '[]'].map(list),
  `{${Array.from({ length: 6_000 }, (_, i) => `"${i.toString(36)}":1`).join()}}`,
];

/** Fields that read text in the same way are tried once. */
const fields = new Map<string, readonly [row: (typeof SERVICE_OPERATIONS)[number], name: string]>();
for (const row of SERVICE_OPERATIONS)
  for (const [name, field] of Object.entries(row.input)) fields.set(readingOf(field), [row, name]);

function readingOf(field: Field): string {
  return `${field.kind} ${'grammar' in field ? field.grammar : ''} ${'maxLength' in field ? field.maxLength : ''}`;
}

/** Of the one that takes longest. */
async function longest(works: readonly (() => unknown)[]): Promise<number> {
  let most = 0;
  for (const work of works) {
    const before = process.cpuUsage();
    try {
      await work();
    } catch {
      // Refused: what counts is the time.
    }
    const { user, system } = process.cpuUsage(before);
    most = Math.max(most, (user + system) / 1_000);
  }
  return most;
}

it.each([...fields.keys()].filter((reading) => !reading.startsWith('file')))(
  'a field is read at once: %s',
  async (reading) => {
    const [row, name] = fields.get(reading) ?? [];
    if (row === undefined || name === undefined) throw new Error('no such field');
    const asText = (value: string) => () =>
      decodeFields(row, { fields: [{ name, value, isText: true }], files: new Map() });
    expect(await longest(TEXTS.map(asText))).toBeLessThan(MOST);
  },
);

it('so is a JSON body of a megabyte', async () => {
  const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [i.toString(36), 1]));
  const bodies = [
    members(90_000),
    { options: members(90_000) },
    { text: Array(200_000).fill({}) },
    { text: 'x'.repeat(1e6) },
  ];
  const rows = SERVICE_OPERATIONS.filter(({ body }) => body !== 'multipart' && body !== 'none');
  expect(rows.length).toBeGreaterThan(1);
  const works = rows.flatMap((row) =>
    bodies
      .map((body) => JSON.stringify(body))
      .map((text) => () => decodeFields(row, { fields: jsonFields(row, text), files: new Map() })),
  );
  expect(await longest(works)).toBeLessThan(MOST);
});

it('so is a message to the tools, and a batch of twenty', async () => {
  const about = { version: '1', workflows: {}, uploadBytes: 1 };
  const answer = createHosted({ rows: SERVICE_OPERATIONS, ...about });
  const call = (name: string, given: object = {}) => ({
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: `pdftool_${name}`, arguments: given },
  });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const page_count = 100_000;
  const ranges = ['!odd,', 'all,', '1-z,', '!2-99999,'].map((part) => fill(part, 499).replace(/,?[^,]*$/, ''));
  const messages = [
    ...['openapi', 'capabilities', 'limits'].map((name) => call(name)),
    ...ranges.map((range) => call('explain_page_range', { range, page_count })),
    call('limits', Object.fromEntries(Array.from({ length: 6_000 }, (_, i) => [`k${i}`, 1]))),
  ];
  // The first call makes what is kept.
  for (const message of messages.slice(0, 3)) await answer(message, headers);
  const ask = (message: object) => async () => (await answer(message, headers)).text;
  expect(await longest(messages.map(ask))).toBeLessThan(MOST);
  expect(await longest(messages.slice(3).map((message) => ask(Array(20).fill(message))))).toBeLessThan(2 * MOST);
});
