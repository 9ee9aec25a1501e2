// Holds that every case gives the same on three rigs: this machine, the program against serve, and HTTP typed by hand.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Folder, folder } from '../../e2e/pdftool.ts';
import { describedBy } from '../../serve/described.ts';
import { type Rig as Server, startRig } from '../../serve/rig.ts';
import { CASES, type Case, type Expected } from './cases.ts';
import { makeInputs, type Outcome, programRig, type Rig, rawRig } from './rigs.ts';

let inputs: Folder;
let server: Server;
beforeAll(async () => {
  inputs = makeInputs();
  server = await startRig({ settings: { workers: 2 } });
});
afterAll(async () => {
  inputs[Symbol.dispose]();
  await server.close();
});

type Place = 'local' | 'remote' | 'raw';

const rigs: Readonly<Record<Place, () => Rig>> = {
  local: () => programRig('--local'),
  remote: () => programRig('--remote', { PDFTOOL_BASE_URL: server.url, PDFTOOL_API_KEY: server.key }),
  raw: () => rawRig(server.url, server.key),
};

describe.each(['local', 'remote', 'raw'] as const)('%s', (place) => {
  it.each(CASES.map((each) => [`${each.args.join(' ')} ${each.inputs.join(' ')}`, each] as const))(
    '%s',
    async (_, each) => {
      const before = await server.credits();
      const outcome = await rigs[place]()(each, inputs);
      judge(each.expected, outcome, place);
      const isFree = place === 'local' || 'fails' in each.expected || FREE.test(each.raw.path);
      expect(before - (await server.credits())).toBe(isFree ? 0 : 1);
      if (place === 'raw') await heads(each, outcome, before);
    },
  );
});

it('leaves no file of a request behind, and no credit set aside', async () => {
  const { readdirSync } = await import('node:fs');
  expect(readdirSync(server.server.service.folders.requests)).toEqual([]);
  expect(await server.server.service.store.audit()).toMatchObject({ reserved: 0, mismatches: [] });
});

function judge(expected: Expected, { code, output, said }: Outcome, place: Place): void {
  if ('fails' in expected) {
    const { local, remote, status, says } = expected.fails;
    expect({ code, said }).toEqual({ code: { local, remote, raw: status }[place], said: expect.stringMatching(says) });
    if (place === 'raw') expect(JSON.parse(said)).toMatchObject({ ok: false, _meta: { credits_charged: 0 } });
    return;
  }
  expect({ code, said }).toMatchObject({ code: 0 });
  if ('pdf' in expected) judgePdf(expected.pdf, output);
  else if ('zip' in expected) expect(namesIn(output)).toEqual(expected.zip);
  else if ('record' in expected) expect(JSON.parse(output.toString('utf8'))).toMatchObject(expected.record);
  else {
    const raw = output.toString('utf8');
    const isRecord = place === 'raw' && raw.startsWith('{"ok":true');
    expect(isRecord ? String(JSON.parse(raw).text) : raw).toMatch(expected.text);
  }
}

function judgePdf({ pages, rotation, below }: Extract<Expected, { pdf: object }>['pdf'], bytes: Buffer): void {
  using here = folder();
  writeFileSync(here.at('out.pdf'), bytes);
  execFileSync('qpdf', ['--check', here.at('out.pdf')], { stdio: 'ignore' });
  const info = execFileSync('pdfinfo', [here.at('out.pdf')], { encoding: 'utf8' });
  expect(info).toMatch(new RegExp(`^Pages: +${pages}$`, 'm'));
  if (rotation !== undefined && rotation > 0) expect(info).toMatch(new RegExp(`^Page rot: +${rotation}$`, 'm'));
  if (below !== undefined) expect(bytes.length).toBeLessThan(below);
}

/** As unzip reads it; each entry's sum is checked. */
function namesIn(bytes: Buffer): string[] {
  using here = folder();
  writeFileSync(here.at('out.zip'), bytes);
  execFileSync('unzip', ['-tqq', here.at('out.zip')]);
  return execFileSync('unzip', ['-Z1', here.at('out.zip')], { encoding: 'utf8' })
    .trim()
    .split('\n');
}

const FREE = /\/(pdf-info|attach-list|bookmarks-show)$/;
const MEASURED = /\/(compress|merge-compress|images-to-pdf-compress)$/;

/** The headers of SERVICE.md, and the answer as the server's own description has it. */
async function heads(
  { raw, inputs: names }: Case,
  { code, output, headers = {} }: Outcome,
  before: number,
): Promise<void> {
  const answer = new Response(new Uint8Array(output), { status: code === 0 ? 200 : code, headers: headersOf(headers) });
  const document = (await (await server.send('/openapi.json')).json()) as Record<string, unknown>;
  expect(await describedBy(document).issues('POST', raw.path, answer)).toEqual([]);
  if (code !== 0) return;
  const cost = FREE.test(raw.path) ? 0 : 1;
  expect(headers).toMatchObject({ 'x-credits-used': String(cost), 'x-credits-remaining': String(before - cost) });
  if (!MEASURED.test(raw.path)) return;
  const target = raw.fields?.target_bytes;
  expect(headers['x-original-bytes']).toBe(String(names.reduce((sum, name) => sum + sizeOf(name), 0)));
  expect(headers['x-output-bytes']).toBe(String(output.length));
  expect(headers['x-compression-mode']).toBe('best_effort_repack');
  expect(headers['x-target-bytes']).toBe(target);
  expect(headers['x-target-reached']).toBe(target === undefined ? undefined : String(output.length <= Number(target)));
}

function sizeOf(name: string): number {
  return Number(execFileSync('stat', ['-c', '%s', inputs.at(name)], { encoding: 'utf8' }));
}

function headersOf(headers: Readonly<Record<string, string | undefined>>): Headers {
  const all = new Headers();
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) all.set(name, value);
  return all;
}
