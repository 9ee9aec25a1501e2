// Words without tesseract on PATH: npm fetches the packages, and the engine in WebAssembly reads.
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { execa } from 'execa';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLEAN, folder, pdftool } from '../e2e/pdftool.ts';

const here = folder();
afterAll(() => here[Symbol.dispose]());
const LINE = 'The harbour was quiet when the first boats came in';
// How this machine reaches the registry: a machine behind a proxy names its authority in the environment alone.
const REACH =
  /^(npm_config_(cafile|ca|registry|proxy|https_proxy)|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|https?_proxy)$/i;
const reach = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) => (REACH.test(name) && value ? [[name, value]] : [])),
);
const hasNpm = spawnSync('npm', ['view', 'tesseract.js-core@7', 'version'], { timeout: 30_000 }).status === 0;
if (!hasNpm) console.warn('skipped: npm reaches no registry that has tesseract.js-core');

describe.skipIf(!hasNpm)('where PATH has no tesseract', { timeout: 300_000 }, () => {
  // Node alone: neither tesseract nor anything else of this machine.
  const env = { ...CLEAN, PATH: here.at('bin'), PDFTOOL_PACKAGES_DIR: here.at('packages') };
  beforeAll(async () => {
    mkdirSync(here.at('bin'));
    symlinkSync(process.execPath, here.at('bin/node'));
    const document = await PDFDocument.create();
    const font = await document.embedFont(StandardFonts.TimesRoman);
    const page = document.addPage([500, 120]);
    for (const y of [80, 50, 20]) page.drawText(LINE, { x: 30, y, size: 16, font });
    writeFileSync(here.at('text.pdf'), await document.save());
    await execa('pdftoppm', ['-r', '200', '-gray', '-png', '-singlefile', here.at('text.pdf'), here.at('scan')]);
    await pdftool(['images-to-pdf', 'scan.png', '-o', 'scan.pdf'], { cwd: here.path });
  });

  it('says what to install, and reads when npm has fetched it', async () => {
    const ocr = (...more: string[]) => pdftool(['ocr', 'scan.pdf', '-o', 'out.pdf', ...more], { cwd: here.path, env });
    const without = await ocr();
    expect([without.exitCode, without.stderr]).toEqual([24, expect.stringContaining('pdftool ocr languages add eng')]);
    const npm = { ...env, ...reach, PATH: `${here.at('bin')}:${dirname(process.execPath)}:/usr/bin:/bin` };
    const added = await pdftool(['ocr', 'languages', 'add', 'eng'], { cwd: here.path, env: npm });
    expect([added.exitCode, added.stderr]).toEqual([0, expect.anything()]);
    expect((await ocr('-f')).exitCode).toBe(0);
    const { stdout } = await execa('pdftotext', [here.at('out.pdf'), '-']);
    expect(stdout.match(new RegExp(LINE, 'g'))).toHaveLength(3);
    const text = await pdftool(['extract-text', 'scan.pdf', '--ocr', '--json'], { cwd: here.path, env });
    expect(JSON.parse(text.stdout).warnings).toEqual([expect.stringContaining('(tesseract.js-core, eng)')]);
    const missing = await ocr('-f', '--language', 'deu');
    expect([missing.exitCode, missing.stderr]).toEqual([24, expect.stringContaining('ocr languages add deu')]);
  });
});
