// What is said where a file that is signed, or has usage rights, is written anew.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { localProbe } from '../../src/cli/engines/local.ts';
import { merge, rotate } from '../../src/contract/operations/pages.ts';
import { sign } from '../../src/contract/operations/signatures.ts';
import { compress } from '../../src/contract/operations/size.ts';
import { planOf } from '../../src/flow/plan.ts';
import { createLocalEngine } from '../../src/local/engine.ts';
import { bytesOf, createContext, sourceOf } from '../properties/context.ts';
import { pdfOf } from '../structure/run.ts';

const SIGNED = readFileSync(join(import.meta.dirname, '../fixtures/signed-twice.pdf'));
const PAGES = ['<</Type/Pages/Kids[3 0 R]/Count 1>>', '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>'];
/** What can be made smaller. */
const FILLER = `<</Length 5000>>stream\n${'% '.repeat(2500)}\nendstream`;
const SIGNATURE = '<</Type/Sig/Filter/Adobe.PPKLite/ByteRange[0 9 20 9]/Contents<00>>>';

async function compressed(bytes: Uint8Array) {
  const result = await createLocalEngine().call(compress, { file: sourceOf('in.pdf', bytes) }, createContext());
  return { bytes: Buffer.from(await bytesOf(result.body)), warnings: result.warnings ?? [] };
}

it('compress takes usage rights away, as it says', async () => {
  const objects = ['<</Type/Catalog/Pages 2 0 R/Perms<</UR3 4 0 R>>/X 5 0 R>>', ...PAGES, SIGNATURE, FILLER];
  const { bytes, warnings } = await compressed(Buffer.from(pdfOf(objects), 'latin1'));
  expect(warnings).toEqual(['in.pdf has usage rights for Adobe Reader, which do not hold for the new file']);
  expect(bytes.length).toBeLessThan(2000);
  const again = await compressed(bytes);
  expect(again.warnings).toEqual([]);
});

it('compress that hands a signed file back says that it stays as it is', async () => {
  const field = '<</FT/Sig/T(one)/V 5 0 R>>';
  const catalog = '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]>>/X 6 0 R>>';
  const objects = [catalog, ...PAGES, field, SIGNATURE, FILLER];
  const first = await compressed(Buffer.from(pdfOf(objects), 'latin1'));
  expect(first.warnings).toEqual(['in.pdf is signed; the signature does not hold for the new file']);
  const second = await compressed(first.bytes);
  expect(second.bytes.equals(first.bytes)).toBe(true);
  expect(second.warnings).toEqual(['in.pdf stays as it is, with its signatures']);
});

it('a plan says beforehand whose signatures end', async () => {
  const file = sourceOf('in.pdf', SIGNED);
  const ended = async (op: typeof rotate | typeof sign, input: object) =>
    (await planOf('local', op, { file, ...input }, createContext(), localProbe)).ends_signatures;
  expect(await ended(rotate, { angle: 90 })).toEqual(['in.pdf']);
  expect(await ended(rotate, { angle: 90, incremental: true })).toBeUndefined();
  expect(await ended(sign, {})).toBeUndefined();
});

it('a merge of a form whose field is damaged says that nobody can tell', async () => {
  const catalog = '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]>>>>';
  const whole = pdfOf([catalog, ...PAGES, '<</FT/Tx/T(one)/V(two)      >>']);
  const damaged = Buffer.from(whole.replace('(two)      >>', '(two)        '), 'latin1');
  const inputs = [
    sourceOf('in.pdf', damaged),
    sourceOf('other.pdf', Buffer.from(pdfOf([catalog, ...PAGES]), 'latin1')),
  ];
  const told: string[] = [];
  const ctx = { ...createContext(), beforehand: (warning: string) => void told.push(warning) };
  const { warnings } = await createLocalEngine().call(merge, { file: inputs }, ctx);
  const unknown = 'in.pdf has damaged form fields: if it is signed, the signature does not hold for the new file';
  expect(told).toContain(unknown);
  expect(warnings?.join()).toContain('in.pdf is damaged and was repaired');
});
