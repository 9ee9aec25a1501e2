// The library in somebody's program: what it leaves alone, in threads and bundles, many calls at once and one after the other;
// and the package as judges of packages see it.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { build } from 'esbuild';
import { publint } from 'publint';
import { describe, expect, it } from 'vitest';
import { FIXTURES, project, ROOT, runScript } from './project.ts';

const here = project();
const lorem = join(FIXTURES, 'lorem-ipsum.pdf');
const TIMEOUT = 600_000;

describe('a program that calls it', () => {
  it('finds no handler, no output, no state, and nothing that keeps it alive', () => {
    const script = `
      const names = () => JSON.stringify([process.eventNames().map(String), process.exitCode, process.env, process.cwd()]);
      const before = names();
      const started = performance.now();
      const { merge, toImages, extractText } = await import('pdftool');
      const [alone] = [names()];
      const merged = await merge([${JSON.stringify(lorem)}, ${JSON.stringify(lorem)}]);
      for await (const { name } of toImages(merged.bytes, { pages: 1, dpi: 20 })) break;
      await extractText('nowhere.pdf').catch(() => {});
      console.log(JSON.stringify({ alone: alone === before, after: names() === before }));`;
    expect(runScript(here, 'quiet.mjs', script)).toEqual({ alone: true, after: true });
    // Only the program's own line was printed, and no temporary file is left.
    expect(readdirSync(here).filter((name) => name.startsWith('.pdftool'))).toEqual([]);
  });

  it('may call it from a thread', () => {
    const script = `
      import { Worker, isMainThread, parentPort } from 'node:worker_threads';
      import { merge, toImages } from 'pdftool';
      const file = ${JSON.stringify(lorem)};
      if (isMainThread) new Worker(new URL(import.meta.url)).on('message', (told) => console.log(JSON.stringify(told)));
      else {
        const { pages, bytes } = await merge([file, file]);
        const { value } = await toImages(bytes, { pages: 1, dpi: 20 }).next();
        parentPort.postMessage({ pages, picture: value.name });
      }`;
    expect(runScript(here, 'thread.mjs', script)).toEqual({ pages: 8, picture: 'page-001.png' });
  });

  it('is killed, and its children end with it', async () => {
    const script = `
      import { toImages } from 'pdftool';
      const file = ${JSON.stringify(join(FIXTURES, 'guide.pdf'))};
      for await (const { name } of toImages(file, { dpi: 600 })) void name;`;
    writeFileSync(join(here, 'killed.mjs'), script);
    const shell = `cd "${here}"; "${process.execPath}" killed.mjs & pid=$!; for i in $(seq 100); do sleep 0.2; pgrep -P $pid -f __draw > drawing && break; done; kill -9 $pid; sleep 2; for pid in $(cat drawing); do kill -0 $pid 2>/dev/null && ! grep -q 'State:.Z' /proc/$pid/status && echo alive; done; wc -l < drawing`;
    const printed = execFileSync('/bin/bash', ['-c', shell], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    expect(printed.trim()).toMatch(/^[1-9]\d*$/);
  });
});

describe('many calls', () => {
  it('at once are all answered, and right', { timeout: TIMEOUT }, () => {
    const script = `
      import { merge, info, toImages } from 'pdftool';
      const file = ${JSON.stringify(lorem)};
      const { signal } = new AbortController();
      const work = Array.from({ length: 100 }, async (_, at) => {
        if (at % 20 === 0) return (await toImages(file, { pages: 1, dpi: 20, signal }).next()).value.name;
        if (at % 2 === 0) return (await info(file, { signal })).page_count;
        return (await merge([file, file], { title: String(at), signal })).pages;
      });
      console.log(JSON.stringify(await Promise.all(work)));`;
    const pages = Array.from({ length: 100 }, (_, at) => (at % 20 === 0 ? 'page-001.png' : at % 2 === 0 ? 4 : 8));
    expect(runScript(here, 'parallel.mjs', script)).toEqual(pages);
  });

  it('one after the other hold no more memory, no file and no listener', { timeout: TIMEOUT }, () => {
    const script = `
      import { readdirSync } from 'node:fs';
      import { merge } from 'pdftool';
      const file = ${JSON.stringify(join(FIXTURES, 'rotated-mixed.pdf'))};
      const { signal } = new AbortController();
      const heap = [];
      const open = () => readdirSync('/proc/self/fd').length;
      let before;
      for (let call = 0; call < 1000; call += 1) {
        const { stream } = await merge([file, file], { signal, as: 'stream' });
        if (call % 2 === 0) await stream.cancel();
        else for await (const chunk of stream) void chunk;
        await merge([file, file], { signal });
        if (call === 200) before = open();
        if (call % 200 === 199) { gc(); heap.push(process.memoryUsage().heapUsed); }
      }
      console.log(JSON.stringify({ heap, files: open() - before }));`;
    const { heap, files } = runScript(here, 'growth.mjs', script, ['--expose-gc']) as { heap: number[]; files: number };
    expect(files).toBe(0);
    expect((heap.at(-1) ?? 0) - (heap[0] ?? 0)).toBeLessThan(1_000_000);
  });
});

describe('a bundle', () => {
  const entry = `
    import { merge, toImages } from 'pdftool';
    const file = ${JSON.stringify(lorem)};
    const { pages, bytes } = await merge([file, file]);
    const { value } = await toImages(bytes, { pages: 1, dpi: 20 }).next();
    console.log(JSON.stringify({ pages, picture: value.name }));`;
  const both = { pages: 8, picture: 'page-001.png' };

  it('by esbuild leaves pdftool outside, as the docs say', { timeout: TIMEOUT }, async () => {
    writeFileSync(join(here, 'entry.mjs'), entry);
    await build({
      entryPoints: [join(here, 'entry.mjs')],
      outfile: join(here, 'esbuilt.mjs'),
      bundle: true,
      format: 'esm',
      platform: 'node',
      external: ['pdftool'],
    });
    expect(runScript(here, 'run-esbuilt.mjs', `import './esbuilt.mjs';`)).toEqual(both);
  });

  it('that holds all of it finds its processes in the installed package', { timeout: TIMEOUT }, async () => {
    const common = entry.replace(
      /import (.*) from 'pdftool';([\s\S]*)/,
      (_, names, rest) => `const ${names} = require('pdftool'); (async () => {${rest}})();`,
    );
    writeFileSync(join(here, 'entry.cjs'), common);
    const external = [
      'pdfjs-dist',
      '@embedpdf/pdfium',
      'sharp',
      'libsql',
      'pg',
      'mediabunny',
      '@mediabunny/aac-encoder',
      'wasm-media-encoders',
      'h264-mp4-encoder',
    ];
    const outfile = join(here, 'whole.cjs');
    await build({
      entryPoints: [join(here, 'entry.cjs')],
      outfile,
      bundle: true,
      format: 'cjs',
      platform: 'node',
      external,
      logLevel: 'silent',
    });
    expect(runScript(here, 'run-whole.cjs', `require('./whole.cjs');`)).toEqual(both);
  });

  it('by vite for a server, with all of it inside, finds its processes too', { timeout: TIMEOUT }, async () => {
    const { build: viteBuild } = await import('vite');
    writeFileSync(join(here, 'entry.mjs'), entry);
    const rollupOptions = { input: join(here, 'entry.mjs'), output: { entryFileNames: 'vited.mjs' } };
    await viteBuild({
      root: here,
      logLevel: 'silent',
      build: { ssr: true, outDir: 'vite', rollupOptions, target: 'node20' },
    });
    expect(runScript(here, 'run-vited.mjs', `import './vite/vited.mjs';`)).toEqual(both);
  });
});

describe('the package', () => {
  const packed = join(here, 'packed');
  const pack = (folder: string) => {
    mkdirSync(folder, { recursive: true });
    execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT, stdio: 'ignore' });
    const [name = ''] = readdirSync(folder);
    return join(folder, name);
  };

  it('has nothing that publint would change', async () => {
    const { messages } = await publint({ pkgDir: ROOT, strict: true, pack: false });
    expect(messages).toEqual([]);
  });

  it('has types that are right for both kinds of module and every way to find them', { timeout: TIMEOUT }, async () => {
    const analysis = await checkPackage(createPackageFromTarballData(readFileSync(pack(packed))));
    expect(analysis.types && 'problems' in analysis && analysis.problems).toEqual([]);
  });

  it('is the same bytes each time', { timeout: TIMEOUT }, () => {
    const [first, second] = ['one', 'two'].map((name) => readFileSync(pack(join(here, name))));
    expect(existsSync(packed) && first?.equals(second ?? Buffer.alloc(0))).toBe(true);
  });
});
