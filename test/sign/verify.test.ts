// Verdicts on signed documents of pyHanko, and on what attackers make of them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RandomAccess } from '../../src/contract/base/ports.ts';
import { memorySource } from '../../src/pdf/file/read/memory-source.ts';
import { openSound } from '../../src/pdf/file/read/open-by-table.ts';
import { certificatesIn } from '../../src/pdf/sign/trust.ts';
import { type SignatureVerdict, verifySignatures } from '../../src/pdf/sign/verify.ts';

const FOLDER = join(import.meta.dirname, '../fixtures/signatures');
const trusted = certificatesIn(readFileSync(join(FOLDER, 'roots.pem'), 'latin1'));

async function verdicts(bytes: Uint8Array, now = '2026-11-23', roots = trusted): Promise<readonly SignatureVerdict[]> {
  const source: RandomAccess = memorySource(bytes, 'signed.pdf');
  const file = await openSound(source);
  const signal = new AbortController().signal;
  return verifySignatures(file, { source, trusted: roots, now: new Date(now), signal });
}

const read = (name: string): Buffer => readFileSync(join(FOLDER, `${name}.pdf`));
const words = (all: readonly SignatureVerdict[]): string[] =>
  all.map(({ field, verdict }) => `${field.slice(0, 9)} ${verdict}`);

describe('signatures by other programs', () => {
  it('that were stamped stay valid after the certificate expired', async () => {
    const all = await verdicts(read('pades-lta-dss-indirect-arrs-test-2'));
    expect(words(all)).toEqual(['Sig1 valid', 'Timestamp valid', 'Sig2 valid']);
    expect(all[0]).toMatchObject({ signer: 'Alice', revision: 3, revisions: 7, timestamp: { trusted: true } });
  });

  it('that were not stamped end with their certificate', async () => {
    const bytes = read('certified-with-indirect-refs-in-dir');
    const [late] = await verdicts(bytes);
    expect(late).toMatchObject({ verdict: 'untrusted', reasons: [expect.stringMatching(/had expired/)] });
    const [then] = await verdicts(bytes, '2021-01-01');
    expect(then).toMatchObject({ verdict: 'valid', certifies: 'no-changes', covers_whole_file: true });
  });

  it('of somebody nobody knows are intact and not trusted', async () => {
    const [one] = await verdicts(read('certified-with-indirect-refs-in-dir'), '2021-01-01', []);
    expect(one).toMatchObject({ verdict: 'untrusted', reasons: [expect.stringMatching(/not trusted here/)] });
  });

  it('allow another signature, and nothing in the catalog beside it', async () => {
    expect(words(await verdicts(read('form-update-override-appearance-stream'), '2021-06-01'))).toEqual([
      'Sig1 valid',
      'Sig2 valid',
    ]);
    for (const name of ['form-update-override-appearance-stream-sneaky', 'extensions-indirect-not-all-paths']) {
      const [first] = await verdicts(read(name), '2021-06-01');
      expect(first?.verdict).toBe('changed');
      expect(first?.reasons.join()).toMatch(/of the catalog/);
    }
  });
});

describe('attacks', () => {
  const name = 'certified-with-indirect-refs-in-dir';

  it('on any byte that is covered are seen', async () => {
    const bytes = read(name);
    const text = bytes.toString('latin1');
    const hole = { start: text.indexOf('/Contents <') + 10, end: text.indexOf('>', text.indexOf('/Contents <')) + 1 };
    for (let at = 20; at < bytes.length; at += 97) {
      if (at >= hole.start && at < hole.end) continue;
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      // A file that cannot be read any more is refused as damaged.
      const all = await verdicts(flipped, '2021-01-01').catch(() => []);
      expect(
        all.some(({ verdict }) => verdict === 'valid'),
        `byte ${at}`,
      ).toBe(false);
    }
  });

  /** Appends a revision by a classic table. */
  function appended(bytes: Buffer, objects: Readonly<Record<number, string>>, trailer: string): Buffer {
    const text = bytes.toString('latin1');
    const previous = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)?.[1];
    let body = '\n';
    const rows = Object.entries(objects).map(([num, value]) => {
      const at = bytes.length + body.length;
      body += `${num} 0 obj\n${value}\nendobj\n`;
      return `${num} 1\n${String(at).padStart(10, '0')} 00000 n \n`;
    });
    const start = bytes.length + body.length;
    body += `xref\n${rows.join('')}trailer\n<<${trailer}/Prev ${previous}>>\nstartxref\n${start}\n%%EOF\n`;
    return Buffer.concat([bytes, Buffer.from(body, 'latin1')]);
  }

  it('that replace a page, its contents, or the catalog are seen', async () => {
    const bytes = read(name);
    const text = bytes.toString('latin1');
    const trailer = text.slice(text.lastIndexOf('trailer'));
    const root = /\/Root (\d+) 0 R/.exec(trailer)?.[1] ?? '';
    const size = /\/Size (\d+)/.exec(trailer)?.[1] ?? '';
    const contents = /\/Contents (\d+) 0 R/.exec(text)?.[1] ?? '';
    const entries = `/Root ${root} 0 R/Size ${size}`;
    const drawn = '<</Length 30>>stream\n0 0 m 100 100 l S 0 0 m 9 9 l S\nendstream';
    const page = appended(bytes, { [Number(contents)]: drawn }, entries);
    const [first] = await verdicts(page, '2021-01-01');
    expect(first).toMatchObject({ verdict: 'changed', reasons: [expect.stringMatching(/page 1/)] });
    const catalogAt = text.lastIndexOf(`\n${root} 0 obj`);
    const catalog = text.slice(text.indexOf('<<', catalogAt), text.indexOf('endobj', catalogAt)).trim();
    const action = catalog.replace('<<', '<</OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>');
    const [second] = await verdicts(appended(bytes, { [Number(root)]: action }, entries), '2021-01-01');
    expect(second).toMatchObject({ verdict: 'changed', reasons: [expect.stringMatching(/OpenAction/)] });
  });

  it('that append bytes of no revision are seen', async () => {
    const [one] = await verdicts(Buffer.concat([read(name), Buffer.from('\n% hidden words\n')]), '2021-01-01');
    expect(one?.verdict).not.toBe('valid');
  });

  it('that leave out more than the signature are seen', async () => {
    const text = read('form-update-override-appearance-stream').toString('latin1');
    const range = /\/ByteRange\s*\[\s*0+\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/.exec(text);
    const [whole, first = '', second = '', rest = ''] = range ?? [];
    expect(whole).toBeDefined();
    const wider = `/ByteRange [0 ${Number(first) - 4} ${second} ${rest}]`.padEnd(whole?.length ?? 0);
    const [one] = await verdicts(Buffer.from(text.replace(whole ?? '', wider), 'latin1'), '2021-01-01');
    expect(one).toMatchObject({ verdict: 'broken', reasons: [expect.stringMatching(/another part of the file/)] });
  });
});
