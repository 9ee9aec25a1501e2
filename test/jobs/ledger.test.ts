// The spend ledger: paid calls are written down before they are sent and when they are answered. Real sockets, real kills.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { CLEAN, folder, pdftool } from '../e2e/pdftool.ts';
import {
  ACCOUNT_PATH,
  type Act,
  accountWith,
  answer,
  cut,
  ERROR_RECORD,
  record,
  type ScriptedServer,
  startServer,
} from '../faults/scripted-server.ts';

const MERGE = 'POST /api/v1/merge';
const merged = answer(200, '%PDF-1.7 merged %%EOF', { 'content-type': 'application/pdf', 'x-credits-used': '1' });

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

async function setUp(script: Record<string, readonly Act[]>) {
  server = await startServer({ [ACCOUNT_PATH]: [accountWith(20)], ...script });
  const here = folder();
  mkdirSync(here.at('work'));
  for (const name of ['a.pdf', 'b.pdf']) writeFileSync(here.at(`work/${name}`), `%PDF-1.4 ${name}`);
  const env: Record<string, string> = {
    ...CLEAN,
    XDG_CONFIG_HOME: here.at('config'),
    PDFTOOL_STATE_DIR: here.at('state'),
    PDFTOOL_API_KEY: 'sk_test_0123456789abcdef',
    PDFTOOL_BASE_URL: server.url,
  };
  const run = (args: readonly string[]) => pdftool(args, { cwd: here.at('work'), env });
  const calls = async () => {
    const { stdout } = await run(['jobs', 'list', '--calls', '--json']);
    return (JSON.parse(stdout) as { jobs: Record<string, unknown>[] }).jobs;
  };
  return { here, run, calls };
}

describe('a paid call', () => {
  it('that is answered is in the ledger, with its files and what it cost; free calls are not', async () => {
    const { here, run, calls } = await setUp({
      [MERGE]: [merged],
      'POST /api/v1/pdf-info': [record({ ok: true, page_count: 1, credits_remaining: 1 })],
    });
    using _ = here;
    await run(['info', 'a.pdf']);
    expect((await run(['merge', 'a.pdf', 'b.pdf'])).exitCode).toBe(0);
    expect(await calls()).toMatchObject([
      {
        operation: 'merge',
        step: 'answered',
        charged: 'yes',
        credits: 1,
        files: [{ name: 'a.pdf', bytes: 14 }, { name: 'b.pdf' }],
      },
    ]);
    expect((await run(['jobs', 'list', '--json'])).stdout).toBe('{"ok":true,"jobs":[]}\n');
  });

  it('that is in doubt stays so, and the same call is warned of; another is not', async () => {
    const { here, run, calls } = await setUp({ [MERGE]: [cut, merged] });
    using _ = here;
    expect((await run(['merge', 'a.pdf', 'b.pdf'])).exitCode).toBe(21);
    expect(await calls()).toMatchObject([{ step: 'unknown', charged: 'unknown' }]);
    expect((await run(['merge', 'b.pdf', 'a.pdf', '-o', 'other.pdf'])).stderr).not.toContain('warning');
    const again = await run(['merge', 'a.pdf', 'b.pdf']);
    expect([again.exitCode, again.stderr]).toEqual([
      0,
      expect.stringMatching(/the same merge was sent at .* charged a second time/),
    ]);
  });

  it('that the service refused is told as such; one that never left is none', async () => {
    const { here, run, calls } = await setUp({ [MERGE]: [answer(402, ERROR_RECORD('no credits'))] });
    using _ = here;
    expect((await run(['merge', 'a.pdf', 'b.pdf'])).exitCode).toBe(5);
    expect(await calls()).toMatchObject([
      { step: 'refused', charged: 'no', message: expect.stringContaining('no credits') },
    ]);
    expect((await run(['merge', 'a.pdf', 'b.pdf', '--max-credits', '0'])).exitCode).toBe(5);
    await server?.close();
    expect((await run(['merge', 'b.pdf', 'a.pdf', '--timeout', '1s'])).exitCode).toBe(20);
    expect(await calls()).toHaveLength(1);
    expect((await run(['jobs', 'forget', '--ended', '-q'])).exitCode).toBe(0);
    expect(await calls()).toEqual([]);
  });

  it('made by hand is written down like any other, and a free one is not', async () => {
    const { here, run, calls } = await setUp({ [MERGE]: [merged, cut] });
    using _ = here;
    await run(['api', 'GET', '/api/v1/account']);
    const raw = ['api', 'POST', '/api/v1/merge', '-F', 'file=@a.pdf', '-o'];
    expect((await run([...raw, 'one.pdf'])).exitCode).toBe(0);
    expect((await run([...raw, 'two.pdf'])).exitCode).toBe(21);
    expect(await calls()).toMatchObject([
      { operation: 'POST /api/v1/merge', step: 'answered' },
      { operation: 'POST /api/v1/merge', step: 'unknown', charged: 'unknown' },
    ]);
  });

  it('is made all the same where no journal can be written, and a job is not', async () => {
    const { here, run } = await setUp({ [MERGE]: [merged] });
    using _ = here;
    writeFileSync(here.at('state'), 'a file where the folder should be');
    chmodSync(here.at('state'), 0o600);
    const done = await run(['merge', 'a.pdf', 'b.pdf']);
    expect([done.exitCode, done.stderr]).toEqual([0, expect.stringContaining('this paid call is not written down')]);
    const job = await run(['workflow', 'compress', 'a.pdf']);
    expect([job.exitCode, job.stderr]).toEqual([2, expect.stringContaining('PDFTOOL_STATE_DIR')]);
    expect(server?.seen.some(({ path }) => path.includes('workflow'))).toBe(false);
  });
});
