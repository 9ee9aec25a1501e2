// Every row of this machine is given every hostile document: each ends with a result or with a failure that says why, and
// never as a defect of the program. The catalogue sends each document to one row by turns.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Failure } from '../../src/contract/base/failure.ts';
import type { Field } from '../../src/contract/field.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { OPERATIONS } from '../../src/contract/operations/all.ts';
import { createLocalEngine } from '../../src/local/engine.ts';
import { decodeFields } from '../../src/wire/decode.ts';
import { createContext, sourceOf } from '../properties/context.ts';
import { contextIn } from '../shrink/workbench.ts';
import { PDFS } from './pdfs.ts';
import { PICTURES } from './pictures.ts';
import { isFile, least } from './rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'every-row-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Seconds; what takes longer is named. */
const LONG = 25;
const engine = createLocalEngine();
const takes = (type: string) =>
  OPERATIONS.filter(
    ({ local, input }) =>
      local === true && Object.values(input).some((field) => 'types' in field && field.types.includes(type)),
  );

/** The least that the row takes, or the failure that says what is missing. */
function inputOf(op: (typeof OPERATIONS)[number], document: Buffer): Record<string, unknown> {
  const input: [string, Field][] = Object.entries(op.input);
  const needed = input.filter(([, field]) => field.required && !isFile(field));
  const fields = needed.map(([name, field]) => ({ name, value: least(field), isText: true }));
  const counts = input.flatMap(([name, field]) => {
    const times = field.kind === 'files' ? field.min : field.kind === 'file' && field.required ? 1 : 0;
    return times === 0 ? [] : [[name, times] as const];
  });
  const copies = (times: number) => Array.from({ length: times }, () => sourceOf('in.pdf', new Uint8Array(document)));
  const files = counts.map(([name, times]) => [
    name,
    (op.input as Record<string, Field>)[name]?.kind === 'files' ? copies(times) : copies(1)[0],
  ]);
  return { ...decodeFields(op, { fields, files: new Map(counts) }), ...Object.fromEntries(files) };
}

it.each([
  ...Object.entries(PDFS).map(([name, make]) => [name, 'application/pdf', make] as const),
  ...Object.entries(PICTURES).map(([name, make]) => [name, 'image/png', make] as const),
])('%s', { timeout: 1_200_000 }, async (name, type, make) => {
  const document = make();
  const defects: string[] = [];
  for (const op of takes(type)) {
    const ctx = { ...createContext(), ...contextIn(folder, AbortSignal.timeout(20_000)) };
    const before = performance.now();
    try {
      await engine.call(op as Operation, inputOf(op, document) as never, ctx); // decoded as the row has it
    } catch (error) {
      const isAnswer = error instanceof Failure ? error.code !== 'internal' : String(error).startsWith('TimeoutError');
      if (!isAnswer) defects.push(`${op.name}: ${error instanceof Error ? error.stack : String(error)}`);
    }
    const seconds = (performance.now() - before) / 1000;
    if (seconds > LONG) process.stdout.write(`${op.name} of ${name} took ${Math.round(seconds)} s\n`);
  }
  expect(defects).toEqual([]);
});
