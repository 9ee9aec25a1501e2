#!/usr/bin/env node
// 50 pages of a document on the page of serve, in a real Chromium: from the choice of the file until all pictures are decoded.
//   node test/bench/thumbnails.mjs [ROUNDS]
// The first document of a server, and those after it. Beside it, pdftoppm draws the same pages. Bar: one second.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { interleave, median } from './measure.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const BROWSER = process.env.CHROMIUM ?? '/usr/bin/chromium';
const BAR = 1000;
const rounds = Number(process.argv[2] ?? 5);
const folder = mkdtempSync(join(tmpdir(), 'bench-thumbnails-'));
const file = join(folder, 'fifty.pdf');
const firsts = [];
const nexts = [];
try {
  spawnSync('qpdf', [join(ROOT, 'test/fixtures/guide.pdf'), '--pages', '.', '1-50', '--', file]);
  const browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox'] });
  // The files of the browser are read from the disk for the first time.
  await inServer(browser, 'warm', [file]);
  for (let round = 0; round < rounds; round += 1) {
    const [first, ...others] = await inServer(browser, round, [file, file, file]);
    firsts.push(first);
    nexts.push(...others);
  }
  await browser.close();
  const peer = interleave(
    { pdftoppm: (out) => ['pdftoppm', '-scale-to', '200', file, `${out}/p`] },
    { runs: 5, folder },
  );
  say('the first document', firsts, peer.pdftoppm);
  say('those after it', nexts, peer.pdftoppm);
  const ms = median(firsts.map((each) => each.ms));
  process.exitCode = ms <= BAR ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function say(what, found, peer) {
  const [wall, cpu] = ['ms', 'cpu'].map((unit) => median(found.map((each) => each[unit])));
  const of = (own, other) => `${(own / median(other)).toFixed(1)} of pdftoppm`;
  process.stdout.write(`50 thumbnails, ${what}: ${wall.toFixed(0)} ms (${of(wall, peer.ms)}; bar ${BAR} ms), `);
  process.stdout.write(`${cpu.toFixed(0)} ms of processor time of serve (${of(cpu, peer.cpu)})\n`);
}

/** Shows documents one after the other, each in a tab of its own. */
async function inServer(browser, round, files) {
  const data = join(folder, `data-${round}`);
  const args = [join(ROOT, 'bin/pdftool.js'), 'serve', '--port', '0', '--data', data, '--key-file', `${data}.key`];
  const served = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const url = await new Promise((found, fail) => {
      served.once('exit', (code) => fail(new Error(`serve ended with ${code}`)));
      let said = '';
      served.stdout.on('data', (chunk) => {
        said += chunk;
        const [address] = /http:\/\/[\d.:]+/.exec(said) ?? [];
        if (address !== undefined) found(address);
      });
    });
    const found = [];
    for (const name of files) {
      const page = await browser.newPage();
      await page.goto(url);
      await page.fill('.key input[type=password]', readFileSync(`${data}.key`, 'utf8').trim());
      await page.click('text=Use this key');
      await page.waitForSelector('text=credits left');
      // A person takes at least so long to choose a file.
      await page.waitForTimeout(2000);
      await page.evaluate(watch);
      const before = cpuOf(served.pid);
      await page.setInputFiles('#files', name);
      const ms = await page.evaluate('shown');
      await page.waitForTimeout(200);
      found.push({ ms, cpu: cpuOf(served.pid) - before });
      await page.close();
    }
    return found;
  } finally {
    served.kill();
    rmSync(data, { recursive: true, force: true });
  }
}

/** In the page: `shown` settles with the milliseconds from the choice of files to the last of 50 decoded pictures. */
function watch() {
  globalThis.shown = new Promise((done) => {
    document.getElementById('files').addEventListener('change', () => {
      const began = performance.now();
      const look = () => {
        const pictures = [...document.querySelectorAll('.page img')].filter(
          (each) => each.complete && each.naturalWidth,
        );
        if (pictures.length === 50) done(performance.now() - began);
        else requestAnimationFrame(look);
      };
      look();
    });
  });
}

/** Milliseconds of processor time of a process and all below it, those that have ended too. */
function cpuOf(root) {
  const times = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      const stat = statOf(name);
      const [, parent, ...rest] = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      return { id: Number(name), parent, ticks: rest.slice(9, 13).reduce((sum, each) => sum + each, 0) };
    });
  const family = [root];
  for (const id of family) family.push(...times.filter(({ parent }) => parent === id).map((one) => one.id));
  return times.filter(({ id }) => family.includes(id)).reduce((sum, { ticks }) => sum + ticks * 10, 0);
}

/** Nothing where the process has ended. */
function statOf(id) {
  try {
    return readFileSync(`/proc/${id}/stat`, 'latin1');
  } catch {
    return '';
  }
}
