// A client that goes away ends the drawing of its pages: PDFium would fill a tiling of 0.0001 points for hours.
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { PDFS } from '../hostile/pdfs.ts';
import { killServers, serve } from '../serve/program.ts';
import { until } from '../serve/rig.ts';
import { folder, pdftool } from './pdftool.ts';
import { isRunning, readProcess } from './processes.ts';

const here = folder();
afterAll(() => {
  killServers();
  here[Symbol.dispose]();
});

describe.runIf(process.platform === 'linux')('a request that is cut', { timeout: 120_000 }, () => {
  it('ends the process that draws for it, and the next request is served', async () => {
    const served = await serve(here);
    const tiles = PDFS['tiles of 0.0001']?.() ?? Buffer.alloc(0);
    const body = new FormData();
    body.set('file', new Blob([new Uint8Array(tiles)], { type: 'application/pdf' }), 'tiles.pdf');
    const client = new AbortController();
    const headers = { Authorization: `Bearer ${served.key}` };
    const sent = fetch(`${served.url}/api/v1/pdf-to-images`, { method: 'POST', headers, body, signal: client.signal });
    const outcome = sent.then(
      ({ status }) => status,
      (error: Error) => error.name,
    );
    const pid = await until(() => drawingBelow(served.child.pid ?? 0));
    await sleep(2_000);
    expect(isRunning(pid)).toBe(true);
    client.abort();
    expect(await outcome).toBe('AbortError');
    await expect.poll(() => isRunning(pid), { timeout: 5_000 }).toBe(false);
    expect(drawingBelow(served.child.pid ?? 0)).toBeUndefined();
    const env = { PDFTOOL_BASE_URL: served.url, PDFTOOL_API_KEY: String(served.key) };
    expect((await pdftool(['account', '--json'], { cwd: here.path, env })).exitCode).toBe(0);
  });
});

/** The first `__draw` process below another. */
function drawingBelow(parent: number): number | undefined {
  const below = new Set([parent]);
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  for (const pid of pids.map(Number).sort((a, b) => a - b)) {
    const stat = readProcess(pid, 'stat');
    if (!below.has(Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))) continue;
    below.add(pid);
    if (readProcess(pid, 'cmdline').includes('__draw') && isRunning(pid)) return pid;
  }
  return undefined;
}
