// Every place of a PDF that can hold a secret, judged by qpdf, poppler, mupdf and the bytes themselves.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pdftool } from '../e2e/pdftool.ts';
import { hidingPlaces, holds, REGION, SECRET } from './hiding-places.ts';

const { bytes, places } = hidingPlaces();
const folder = mkdtempSync(join(tmpdir(), 'hiding-'));
const source = join(folder, 'source.pdf');
const output = join(folder, 'output.pdf');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** All that other programs find in a file: its objects with every stream undone, its text, its bytes. */
async function evidence(path: string): Promise<Buffer> {
  const options = { encoding: 'buffer', reject: false, maxBuffer: 1 << 28 } as const;
  const programs = [
    execa('qpdf', ['--qdf', '--object-streams=disable', '--decode-level=all', path, '-'], options),
    execa('pdftotext', [path, '-'], options),
    execa('pdftotext', ['-layout', path, '-'], options),
    execa('mutool', ['draw', '-q', '-F', 'txt', path], options),
    execa('mutool', ['draw', '-q', '-F', 'stext', path], options),
    execa('pdfinfo', ['-meta', '-custom', '-dests', '-url', path], options),
  ];
  const said = await Promise.all(programs);
  return Buffer.concat([readFileSync(path), ...said.map(({ stdout }) => Buffer.from(stdout ?? []))]);
}

describe('a secret in every place of a PDF', () => {
  let before: Buffer;
  let after: Buffer;
  let told: { exitCode?: number | undefined; stderr: string };
  beforeAll(async () => {
    writeFileSync(source, bytes);
    const sourceSha256 = createHash('sha256').update(bytes).digest('hex');
    const regions = join(folder, 'regions.json');
    writeFileSync(regions, JSON.stringify({ reviewed: true, sourceSha256, regions: [REGION] }));
    told = await pdftool(['redact', 'apply', source, '--local', '--regions', regions, '-o', output]);
    // An earlier revision is the file up to its end.
    const earlier = join(folder, 'earlier.pdf');
    writeFileSync(earlier, bytes.subarray(0, bytes.indexOf('%%EOF') + 6));
    before = Buffer.concat([await evidence(source), await evidence(earlier)]);
    after = await evidence(output);
  }, 120_000);

  it('is redacted', () => {
    expect(told.stderr).not.toMatch(/error/);
    expect(told.exitCode).toBe(0);
  });

  it('has at least the 31 places that are known', () => expect(places.length).toBeGreaterThanOrEqual(31));

  it.each(places)('$name: there before, and gone', ({ mark }) => {
    // What the checker cannot find where it is, it would not find where it should not be.
    expect(holds(before, mark)).toBe(true);
    expect(holds(after, mark)).toBe(false);
  });

  it('is nowhere as a word', () => expect(holds(after, SECRET)).toBe(false));

  it('leaves what was not marked', async () => {
    const { stdout } = await execa('pdftotext', [output, '-']);
    expect(stdout).toContain('This line stays.');
  });

  it('is one revision with a new identifier, and qpdf finds nothing wrong', async () => {
    const file = readFileSync(output, 'latin1');
    expect(file.match(/%%EOF/g)).toHaveLength(1);
    expect(file).not.toContain('/Prev');
    await execa('qpdf', ['--check', output]);
  });

  it('is black where the region is', async () => {
    const { stdout } = await execa('pdftoppm', ['-r', '72', '-gray', '-cropbox', output], { encoding: 'buffer' });
    const image = Buffer.from(stdout);
    const [, width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(image.subarray(0, 40).toString('latin1')) ?? [];
    const start = image.length - Number(width) * Number(height);
    for (let y = Math.ceil(REGION.y * 700) + 2; y < (REGION.y + REGION.h) * 700 - 2; y++)
      for (let x = REGION.x * 500 + 2; x < (REGION.x + REGION.w) * 500 - 2; x++)
        expect(image[start + Math.floor(y) * Number(width) + Math.floor(x)]).toBeLessThan(8);
  });
});
