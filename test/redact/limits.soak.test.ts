// The bounds of the redaction workflow in serve: 100 pages, and documents of nearly 256 MiB.
import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folder, pdftool } from '../e2e/pdftool.ts';
import { killServers, remote, type Served, serve } from '../serve/program.ts';

const MIB = 1024 * 1024;
const here = folder();
afterAll(() => {
  killServers();
  here[Symbol.dispose]();
});
let served: Served;
beforeAll(async () => {
  // Without tesseract: it would look for words in 100 pictures of noise, for minutes; scans.long.test.ts has it.
  served = await serve(here, [], { PATH: '/nonexistent' });
});

/** Pages of one line and a picture of noise, so many samples a side. */
function write(name: string, pages: number, side: number): void {
  const file = openSync(here.at(name), 'w');
  const offsets: number[] = [];
  let length = 0;
  const put = (part: string | Uint8Array) => {
    length += writeSync(file, Buffer.from(part as string, 'latin1'));
  };
  const object = (...parts: (string | Uint8Array)[]) => {
    offsets.push(length);
    for (const part of [`${offsets.length} 0 obj\n`, ...parts, '\nendobj\n']) put(part);
  };
  const samples = Buffer.alloc(side * side);
  let seed = 1;
  put('%PDF-1.4\n');
  object('<</Type/Catalog/Pages 2 0 R>>');
  const kids = Array.from({ length: pages }, (_, i) => `${4 + 3 * i} 0 R`).join(' ');
  object(`<</Type/Pages/Count ${pages}/MediaBox[0 0 612 792]/Kids[${kids}]>>`);
  object('<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>');
  for (let i = 0; i < pages; i++) {
    for (let k = 0; k < samples.length; k++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
      samples[k] = seed >>> 24;
    }
    const content = `q 500 0 0 600 50 50 cm /I Do Q BT /F 12 Tf 72 720 Td (Page ${i + 1} names Quorlax here) Tj ET`;
    object(
      `<</Type/Page/Parent 2 0 R/Contents ${5 + 3 * i} 0 R/Resources<</Font<</F 3 0 R>>/XObject<</I ${6 + 3 * i} 0 R>>>>>>`,
    );
    object(`<</Length ${content.length}>>stream\n${content}\nendstream`);
    object(
      `<</Type/XObject/Subtype/Image/Width ${side}/Height ${side}/BitsPerComponent 8/ColorSpace/DeviceGray/Length ${samples.length}>>stream\n`,
      samples,
      '\nendstream',
    );
  }
  const start = length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = offsets.length + 1;
  put(`xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`);
  closeSync(file);
}

interface Job {
  readonly jobId: string;
  readonly uploadId: string;
  readonly status: string;
  readonly upload?: { readonly session_uri: string };
  readonly credits_charged: number;
  readonly error_message?: string;
}

const send = async (path: string, method: string, body?: object) => {
  const headers = { Authorization: `Bearer ${served.key}`, 'Content-Type': 'application/json' };
  const answer = await fetch(served.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: answer.status, job: (await answer.json()) as Job };
};
const inspection = (inputBytes: number) => ({
  workflow: 'redaction',
  inputBytes,
  options: { mode: 'inspect', find: ['Quorlax'] },
  maxCredits: 1,
});

describe('a redaction job', { timeout: 600_000 }, () => {
  it.each([
    [100, 'succeeded', 1],
    [101, 'failed', 0],
  ])('of %i pages has %s', async (pages, status, charged) => {
    write('pages.pdf', pages, 4);
    const bytes = readFileSync(here.at('pages.pdf'));
    // Without the client, which would not send them.
    const { job } = await send('/api/v1/workflow-jobs', 'POST', inspection(bytes.length));
    await fetch(String(job.upload?.session_uri), { method: 'PUT', body: bytes });
    await send(`/api/v1/workflow-jobs/${job.uploadId}`, 'POST');
    const state = () => send(`/api/v1/workflow-jobs/${job.jobId}`, 'GET').then((answer) => answer.job);
    await expect.poll(async () => (await state()).status, { timeout: 60_000 }).toBe(status);
    const ended = await state();
    expect(ended.credits_charged).toBe(charged);
    if (status === 'failed') expect(ended.error_message).toMatch(/at most 100 pages, found 101|101 pages/);
  });

  it('of one byte more than 256 MiB is refused before anything is sent', async () => {
    expect((await send('/api/v1/workflow-jobs', 'POST', inspection(256 * MIB + 1))).status).toBe(413);
  });

  it('of 100 pages and nearly 256 MiB is inspected and applied', async () => {
    write('large.pdf', 100, 1637);
    expect(statSync(here.at('large.pdf')).size / MIB).toBeGreaterThan(255);
    const env = remote(served, served.key);
    const run = (...args: string[]) => pdftool(args, { cwd: here.path, env });
    const inspected = await run('redact', 'inspect', 'large.pdf', '--find', 'Quorlax', '-o', 'regions.json');
    expect([inspected.exitCode, inspected.stderr]).toEqual([0, expect.anything()]);
    const { regions } = JSON.parse(readFileSync(here.at('regions.json'), 'utf8')) as { regions: object[] };
    expect(regions).toHaveLength(100);
    const applied = await run(
      ...['redact', 'apply', 'large.pdf', '--regions', 'regions.json', '--reviewed', '-o', 'out.pdf'],
    );
    expect([applied.exitCode, applied.stderr]).toEqual([0, expect.anything()]);
    const { stdout } = await execa('pdftotext', [here.at('out.pdf'), '-']);
    expect(stdout.match(/Page \d+ names/g)).toHaveLength(100);
    expect(stdout).not.toContain('Quorlax');
  });
});
