// The picture of the web page in README.md and docs/serving.md: a real server in a real browser, at most 100 KB.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import sharp from 'sharp';

const OUT = 'docs/page.png';
const BROWSER = process.env.CHROMIUM ?? '/usr/bin/chromium';
const folder = mkdtempSync(join(tmpdir(), 'pdftool-picture-'));
const served = spawn(
  process.execPath,
  [
    resolve('bin/pdftool.js'),
    'serve',
    '--port',
    '0',
    '--data',
    join(folder, 'data'),
    '--key-file',
    join(folder, 'key'),
  ],
  { env: { PATH: process.env.PATH, HOME: folder }, stdio: ['ignore', 'pipe', 'ignore'] },
);
try {
  const url = await new Promise((found) => {
    let said = '';
    served.stdout.on('data', (chunk) => {
      said += chunk;
      const [address] = /http:\/\/[\d.:]+/.exec(said) ?? [];
      if (address !== undefined) found(address);
    });
  });
  const browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox'] });
  const page = await browser.newPage({ viewport: { width: 1000, height: 1000 }, colorScheme: 'light' });
  page.setDefaultTimeout(300_000);
  await page.goto(url);
  await page.fill('.key input[type=password]', readFileSync(join(folder, 'key'), 'utf8').trim());
  await page.click('text=Use this key');
  await page.setInputFiles('#files', 'test/fixtures/lorem-ipsum.pdf');
  await page.waitForSelector('.page img');
  await page.click('[aria-label="Page 2"]');
  await page.click('text=Turn right');
  await page.evaluate('scrollTo(0, 0)');
  const picture = await page.screenshot();
  await browser.close();
  const small = await sharp(picture).png({ palette: true, colours: 64, effort: 10 }).toBuffer();
  if (small.length > 100 * 1024) throw new Error(`the picture has ${small.length} bytes`);
  writeFileSync(OUT, small);
} finally {
  served.kill();
  rmSync(folder, { recursive: true, force: true });
}
