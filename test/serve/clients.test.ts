// Clients that two generators make from openapi.json: they compile, and they work against a server.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Rig, startRig } from './rig.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** Inside the project, so that the packages are found that generated code imports. */
const HERE = join(ROOT, 'node_modules/.cache', `pdftool-clients-${process.pid}`);
const LOREM = new Blob([new Uint8Array(readFileSync(join(ROOT, 'test/fixtures/lorem-ipsum.pdf')))]);

/** What both clients are asked to do. */
interface Asked {
  account(): Promise<number>;
  pages(file: Blob): Promise<number>;
  /** Bytes of the answer. */
  rotate(file: Blob, angle: 90): Promise<number>;
  /** The status that a job is in when it was made, and the same polled. */
  job(bytes: number): Promise<[string | undefined, string | undefined]>;
  refused(): Promise<[status: number, error: string]>;
}

const WITH_OPENAPI_FETCH = `
import createClient from 'openapi-fetch';
import type { paths } from './types.ts';
export function connect(baseUrl: string, key: string) {
  const api = createClient<paths>({ baseUrl, headers: { 'X-API-Key': key } });
  const form = (body: Record<string, unknown>) => {
    const made = new FormData();
    for (const [name, value] of Object.entries(body)) made.append(name, value as Blob | string);
    return made;
  };
  const file = (blob: Blob) => blob as unknown as string; // this generator has no type for files
  return {
    async account() { return (await api.GET('/api/v1/account')).data?.credits_remaining ?? -1; },
    async pages(blob: Blob) {
      const { data } = await api.POST('/api/v1/pdf-info', { body: { file: file(blob) }, bodySerializer: form });
      return data?.page_count ?? -1;
    },
    async rotate(blob: Blob, angle: 90) {
      const body = { file: file(blob), angle };
      const { data } = await api.POST('/api/v1/rotate', { body, bodySerializer: form, parseAs: 'arrayBuffer' });
      return (data as ArrayBuffer | undefined)?.byteLength ?? -1;
    },
    async job(inputBytes: number) {
      const body = { workflow: 'compress', inputBytes, maxCredits: 1 };
      const { data: made } = await api.POST('/api/v1/workflow-jobs', { body });
      const path = { id: made?.jobId ?? '' };
      const { data: polled } = await api.GET('/api/v1/workflow-jobs/{id}', { params: { path } });
      return [made?.status, polled?.status] as [string | undefined, string | undefined];
    },
    async refused() {
      const { error, response } = await api.POST('/api/v1/rotate', { body: {} as never, bodySerializer: form });
      return [response.status, error?.error ?? ''] as [number, string];
    },
  };
}`;

const WITH_OAZAPFTS = `
import * as api from './api.ts';
export function connect(baseUrl: string, key: string) {
  Object.assign(api.defaults, { baseUrl, headers: { 'X-API-Key': key } });
  const data = async <T>(answer: Promise<{ status: number; data: unknown }>, status: number) => {
    const it = await answer;
    if (it.status !== status) throw new Error(JSON.stringify(it));
    return it.data as T;
  };
  return {
    account: async () => (await data<api.Account>(api.account(), 200)).credits_remaining,
    pages: async (file: Blob) => (await data<api.PdfInfo>(api.info({ file }), 200)).page_count,
    // The generator takes whatever is not JSON for text.
    rotate: async (file: Blob, angle: 90) => (await data<string>(api.rotate({ file, angle }), 200)).length,
    async job(inputBytes: number) {
      const made = await data<api.WorkflowJob>(api.workflowCreate({ workflow: 'compress', inputBytes, maxCredits: 1 }), 200);
      const polled = await data<api.WorkflowJob>(api.workflowStatus(made.jobId ?? ''), 200);
      return [made.status, polled.status] as [string | undefined, string | undefined];
    },
    async refused() {
      const { status, data } = await api.rotate({ file: new Blob(['x']), angle: 45 as never });
      return [status, (data as { error: string }).error] as [number, string];
    },
  };
}`;

const CLIENTS = { 'openapi-fetch.ts': WITH_OPENAPI_FETCH, 'oazapfts.ts': WITH_OAZAPFTS };

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
  mkdirSync(HERE, { recursive: true });
  const document = await (await rig.send('/openapi.json')).text();
  writeFileSync(join(HERE, 'openapi.json'), document);
  const generate = (program: string, args: string[]) =>
    execa(process.execPath, [join(ROOT, 'node_modules', program), ...args], { cwd: HERE });
  await generate('openapi-typescript/bin/cli.js', ['openapi.json', '-o', 'types.ts']);
  await generate('oazapfts/dist/cli.js', ['openapi.json', 'api.ts']);
  for (const [name, text] of Object.entries(CLIENTS)) writeFileSync(join(HERE, name), text);
});
afterAll(async () => {
  await rig.close();
  rmSync(HERE, { recursive: true, force: true });
});

it('compile', async () => {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    skipLibCheck: true,
    types: [],
  };
  writeFileSync(join(HERE, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const run = await execa(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', HERE], {
    reject: false,
  });
  expect([run.exitCode, run.stdout]).toEqual([0, '']);
});

it.each(Object.keys(CLIENTS))('%s works against a server', async (name) => {
  const outfile = join(HERE, name.replace('.ts', '.mjs'));
  await build({ entryPoints: [join(HERE, name)], outfile, bundle: true, format: 'esm', platform: 'node' });
  const { connect } = (await import(pathToFileURL(outfile).href)) as { connect(url: string, key: string): Asked };
  const client = connect(rig.url, rig.key);
  const before = await client.account();
  expect(before).toBe(await rig.credits());
  expect(await client.pages(LOREM)).toBe(4);
  expect(await client.rotate(LOREM, 90)).toBeGreaterThan(1_000);
  expect(await client.job(100)).toEqual(['awaiting_upload', 'awaiting_upload']);
  expect(await client.refused()).toEqual([400, expect.stringMatching(/angle/)]);
  expect(await client.account()).toBe(before - 2);
});
