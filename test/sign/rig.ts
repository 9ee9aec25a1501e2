// Signing in one process, and what others say of the result.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Context } from '../../src/contract/base/ports.ts';
import type { InputOf } from '../../src/contract/operation.ts';
import { sign as signRow, timestamp as timestampRow } from '../../src/contract/operations/edit/signatures.ts';
import { createLocalEngine } from '../../src/local/engine.ts';
import { openSound } from '../../src/pdf/file/read/open-by-table.ts';
import { certificatesIn } from '../../src/pdf/sign/trust.ts';
import { type SignatureVerdict, verifySignatures } from '../../src/pdf/sign/verify.ts';
import { systemPrograms } from '../../src/runtime/processes/programs.ts';
import { bytesOf, createContext, sourceOf } from '../properties/context.ts';
import { pdfOf } from '../structure/run.ts';
import { at, authority } from './authority.ts';

const engine = createLocalEngine();
// Certificates are made after this line.
export const NOW = Date.now() + 3_600_000;
export const PLAIN = pdfOf([
  '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R]/DA(/Helv 9 Tf)>>>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]/Contents 4 0 R/Resources<<>>/Annots[5 0 R 6 0 R]>>',
  '<</Length 20>>stream\n0 0 m 100 100 l S   \nendstream',
  '<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(you)/F 4/P 3 0 R/Rect[10 10 90 30]/DA(/Helv 9 Tf)/AP<</N 7 0 R>>>>',
  '<</Type/Annot/Subtype/Square/F 4/P 3 0 R/Rect[100 100 190 130]>>',
  '<</Type/XObject/Subtype/Form/BBox[0 0 80 20]/Length 33>>stream\nBT /Helv 9 Tf 2 6 Td (you) Tj ET \nendstream',
]);

export function context(more: Partial<Context> = {}): Context {
  return {
    ...createContext(),
    clock: { now: () => NOW, sleep: async () => {} },
    random: (length) => randomBytes(length),
    programs: systemPrograms,
    ...more,
  };
}

export const pem = (name: string) => sourceOf(`${name}.pem`, readFileSync(at(`${name}.pem`)));
export const key = (name: string) => sourceOf(`${name}.key`, readFileSync(at(`${name}.key`)));

export type SignInput = Omit<InputOf<typeof signRow>, 'file'>;

export async function signed(
  file: Uint8Array | string,
  input: SignInput = {},
  more: Partial<Context> = {},
): Promise<Buffer> {
  const bytes = typeof file === 'string' ? Buffer.from(file, 'latin1') : file;
  const who = input.key === undefined && input.command === undefined ? { key: key('rsa'), cert: pem('rsa') } : {};
  const result = await engine.call(signRow, { file: sourceOf('in.pdf', bytes), ...who, ...input }, context(more));
  return Buffer.from(await bytesOf(result.body));
}

export async function stamped(
  bytes: Uint8Array,
  more: Partial<Context> = { exchange: authority('tsa') },
): Promise<Buffer> {
  const input = { file: sourceOf('in.pdf', bytes), timestamp: 'http://tsa.test' };
  return Buffer.from(await bytesOf((await engine.call(timestampRow, input, context(more))).body));
}

export async function verdicts(bytes: Uint8Array, password?: string): Promise<readonly SignatureVerdict[]> {
  const source = sourceOf('signed.pdf', bytes);
  const file = await openSound(source, async (_, attempt) => (attempt === 1 ? password : undefined));
  const trusted = certificatesIn(readFileSync(at('root.pem'), 'latin1'));
  return verifySignatures(file, { source, trusted, now: new Date(NOW), signal: new AbortController().signal });
}

export const words = async (bytes: Uint8Array) => (await verdicts(bytes)).map(({ verdict }) => verdict);

/** What pdfsig says of each signature. */
export function pdfsig(bytes: Uint8Array, ...args: string[]): string[] {
  writeFileSync(at('judged.pdf'), bytes);
  const { stdout } = spawnSync('pdfsig', ['-nocert', ...args, at('judged.pdf')], { encoding: 'utf8' });
  return [...stdout.matchAll(/Signature Validation: (.*)/g)].map(([, said = '']) => said);
}
