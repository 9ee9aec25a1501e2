import { expect, it } from 'vitest';
import type { ServiceOperation } from '../../src/contract/operation.ts';
import { SERVICE_OPERATIONS } from '../../src/contract/operations/all.ts';
import { verify } from '../../src/contract/operations/edit/signatures.ts';
import { PDFS } from './pdfs.ts';
import { documentCalls, rowCalls } from './rows.ts';

const twin: ServiceOperation = { ...verify, name: 'twin', path: '/api/v1/twin' };
const withTwin = [...SERVICE_OPERATIONS, twin];

it('a new row is attacked in its files, its fields and its path, without a line of test code', () => {
  expect(rowCalls(twin).map(({ path, name }) => [path, name])).toEqual(
    rowCalls(verify).map(({ name }) => ['/api/v1/twin', name.replace('verify', 'twin')]),
  );
  const documents = documentCalls(withTwin, PDFS, 'application/pdf', 1);
  expect(documents.filter(({ path }) => path === '/api/v1/twin').length).toBeGreaterThan(0);
});

it('no row is left out', () => {
  const documents = documentCalls(SERVICE_OPERATIONS, PDFS, 'application/pdf', 1).map(({ path }) => path);
  for (const op of SERVICE_OPERATIONS) {
    const calls = rowCalls(op);
    expect([op.name, calls.length]).toEqual([op.name, expect.toSatisfy((count: number) => count > 0)]);
    const takesPdf = Object.values(op.input).some(
      (field) => 'types' in field && field.required && field.types.includes('application/pdf'),
    );
    if (takesPdf) expect(documents).toContain(op.path);
  }
});
