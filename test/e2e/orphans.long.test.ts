// Children of the built program end when it is killed, whatever they do. Here they are stopped (SIGSTOP), so that none of
// them can see by itself that its parent is gone; the drawing one runs in an endless loop of WebAssembly beside that.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';

import { REGION } from '../redact/hiding-places.ts';
import { serve } from '../serve/program.ts';
import { makePdf } from './make-pdf.ts';
import { CLEAN, type Folder, folder, PROGRAM } from './pdftool.ts';
import { isRunning, readProcess } from './processes.ts';

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** A program that answers what it is asked before its work, and then never ends. */
const SLEEPER = `#!/bin/sh
case "$*" in
  *--version*) echo 'program 5.3.0' ;;
  *--list-langs*) printf 'List of available languages (1):\\neng\\n' ;;
  *) sleep 297 ;;
esac
`;

const FIXTURES = resolve(import.meta.dirname, '../fixtures');

describe.runIf(process.platform === 'linux')('a parent that is killed leaves no child', () => {
  it.each([
    ['that draws', ['to-images', 'guide.pdf', '--dpi', '300', '-o', 'out'], '__draw'],
    ['that decodes pictures', ['compress', 'scan.pdf', '-o', 'out.pdf'], '__codec'],
    ['that judges', ['redact', 'apply', 'guide.pdf', '--regions', 'regions.json', '-o', 'out.pdf'], '__judge'],
    ['that counts pages', ['info', 'damaged.pdf'], '__read'],
    ['that recognises words', ['ocr', 'scan.pdf', '--redo', '-o', 'out.pdf'], 'sleep 297'],
    ['that speaks', ['audiobook', 'guide.pdf', '--voice-id', 'piper:en_US-test', '-o', 'out.mp3'], 'sleep 297'],
    ['that works on a file of several', ['compress', 'guide.pdf', 'b.pdf', '-j', '2', '--out-dir', 'out'], '__worker'],
    ['that works for serve', ['serve', '--port', '0', '--data', 'data'], 'work'],
  ])('%s', async (_, args, words) => {
    using here = inputs();
    const parent = start(args, here);
    const child = await descendant(parent, words);
    process.kill(child, 'SIGSTOP');
    await sleep(100);
    parent.kill('SIGKILL');
    await expect.poll(() => isRunning(child), { timeout: 5_000 }).toBe(false);
  });

  it('that is kept by a worker of serve, to draw the next document', async () => {
    using here = inputs();
    const { child: parent, url, key } = await serve(here);
    const body = new FormData();
    for (const [name, value] of Object.entries({ pages: '1', width: '100' })) body.append(name, value);
    body.append('file', new Blob([new Uint8Array(readFileSync(here.at('guide.pdf')))]), 'guide.pdf');
    const headers = { Authorization: `Bearer ${key}` };
    expect((await fetch(`${url}/page/thumbnails`, { method: 'POST', headers, body })).status).toBe(200);
    const child = await descendant(parent, '__draw');
    process.kill(child, 'SIGSTOP');
    await sleep(100);
    parent.kill('SIGKILL');
    await expect.poll(() => isRunning(child), { timeout: 5_000 }).toBe(false);
  });

  it('in an endless loop', async () => {
    using here = inputs();
    const parent = start(['to-images', 'endless.pdf', '-o', 'out'], here);
    const child = await descendant(parent, '__draw');
    await sleep(1_500);
    parent.kill('SIGKILL');
    await expect.poll(() => isRunning(child), { timeout: 5_000 }).toBe(false);
  });
});

function inputs(): Folder {
  const here = folder();
  for (const program of ['tesseract', 'piper']) {
    mkdirSync(here.at('bin'), { recursive: true });
    writeFileSync(here.at(`bin/${program}`), SLEEPER);
    chmodSync(here.at(`bin/${program}`), 0o755);
  }
  const guide = readFileSync(join(FIXTURES, 'guide.pdf'));
  writeFileSync(
    here.at('scan.pdf'),
    readFileSync(join(FIXTURES, 'documents/pypdf--Seige_of_Vicksburg_Sample_OCR.pdf')),
  );
  writeFileSync(here.at('guide.pdf'), guide);
  writeFileSync(here.at('damaged.pdf'), guide.subarray(0, guide.length - 600));
  makePdf(here.at('b.pdf'));
  const sourceSha256 = createHash('sha256').update(guide).digest('hex');
  writeFileSync(here.at('regions.json'), JSON.stringify({ reviewed: true, sourceSha256, regions: [REGION] }));
  writeFileSync(here.at('endless.pdf'), endlessPdf());
  return here;
}

function start(args: readonly string[], here: Folder): ChildProcess {
  const env = { ...CLEAN, PATH: `${here.at('bin')}:${CLEAN.PATH}`, PDFTOOL_PIPER_MODEL: here.at('en_US-test.onnx') };
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: here.path, env, stdio: 'ignore' });
  started.push(child);
  return child;
}

/** The first process below another whose command line holds these words. */
async function descendant(parent: ChildProcess, words: string): Promise<number> {
  for (;;) {
    const below = new Set([parent.pid]);
    for (const { pid, ppid, command } of processes()) {
      if (!below.has(ppid)) continue;
      below.add(pid);
      if (command.includes(words)) return pid;
    }
    if (parent.exitCode !== null) throw new Error(`it ended (${parent.exitCode}) without ${words}`);
    await sleep(10);
  }
}

function processes(): { pid: number; ppid: number; command: string }[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).flatMap((pid) => {
    const stat = readProcess(pid, 'stat');
    const ppid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    return stat === '' ? [] : [{ pid, ppid, command: readProcess(pid, 'cmdline').replaceAll('\0', ' ') }];
  });
}

/** A tiling pattern with a step of 0.0001 points: PDFium draws for hours. */
function endlessPdf(): Buffer {
  const tile = '0 0 1 rg 0 0 1 1 re f';
  const page = '/Pattern cs /P scn 0 0 600 800 re f';
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Pattern<</P 5 0 R>>>>>>',
    `<</Length ${page.length}>>stream\n${page}\nendstream`,
    `<</Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 10 10]/XStep 0.0001/YStep 0.0001/Resources<<>>/Length ${tile.length}>>stream\n${tile}\nendstream`,
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 6\n0000000000 65535 f \n${offsets.join('')}trailer<</Size 6/Root 1 0 R>>\n`;
  return Buffer.from(`${text}${table}startxref\n${text.length}\n%%EOF\n`, 'latin1');
}
