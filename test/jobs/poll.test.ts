// How often a job is asked for, and what is understood of its record: a real server, a clock whose seconds are milliseconds.
import { afterEach, describe, expect, it } from 'vitest';
import type { JobPorts } from '../../src/flow/job-ports.ts';
import { isBeforeQueue, jobIdOf, phaseOf, readState, workflowIdsOf } from '../../src/flow/job-state.ts';
import { openJournal } from '../../src/flow/journal.ts';
import { type JobEvent, watchJob } from '../../src/flow/watch-job.ts';
import { createRemoteEngine } from '../../src/remote/engine.ts';
import { LineFiles } from '../../src/runtime/files/stores/line-files.ts';
import { folder } from '../e2e/pdftool.ts';
import { createContext, failureOf, settingsFor } from '../faults/context.ts';
import { type Act, answer, ERROR_RECORD, record, type ScriptedServer, startServer } from '../faults/scripted-server.ts';

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

async function setUp(path: string, acts: readonly Act[], fraction = 0.5) {
  server = await startServer({ 'GET /api/v1/jobs/j1': acts });
  const journal = openJournal(new LineFiles({ path, ours: true }), Date, () => crypto.randomUUID());
  const settings = settingsFor(server.url);
  const ports: JobPorts = {
    engine: createRemoteEngine({ ...settings, entropy: { ...settings.entropy, fraction: () => 0 } }),
    transfers: { fetch: () => Promise.reject(new Error('no')), upload: () => Promise.reject(new Error('no')) },
    journal,
    service: server.url,
    profile: 'default',
    fraction: () => fraction,
    token: () => crypto.randomUUID(),
    digest: (text) => text,
  };
  const facts = {
    kind: 'speech',
    operation: 'audiobook',
    service: server.url,
    profile: 'default',
    files: [],
    fields: {},
  } as const;
  const entry = journal.add(journal.begin('abcdef0123', { ...facts, files: [], fields: {} }), {
    step: 'accepted',
    job_id: 'j1',
  });
  return { ports, entry };
}

describe('polls', () => {
  const running = Array.from({ length: 9 }, () => record({ status: 'running' }));

  it.each([
    [0.5, 1],
    [0, 0.8],
    [1, 1.2],
  ])('start at a second and grow to ten; with a jitter of %d they are %d of that', async (fraction, share) => {
    using here = folder();
    const { ports, entry } = await setUp(here.path, [...running, record({ status: 'done' })], fraction);
    const ctx = createContext();
    await watchJob(ports, entry, false, () => {}, ctx);
    const expected = [1000, 1000, 1500, 2250, 3375, 5062.5, 7593.75, 10_000, 10_000, 10_000];
    expect(ctx.sleeps.map((each) => Math.round(each / share))).toEqual(expected.map(Math.round));
    expect(server?.seen).toHaveLength(10);
  });

  it('wait as long as Retry-After says, at most ten minutes', async () => {
    using here = folder();
    const wish = (seconds: string) => record({ status: 'queued' }, { 'retry-after': seconds });
    const { ports, entry } = await setUp(here.path, [wish('7'), wish('900'), record({ status: 'done' })]);
    const ctx = createContext();
    await watchJob(ports, entry, true, () => {}, ctx);
    expect(ctx.sleeps).toEqual([7_000, 600_000]);
  });

  it('outlast what may pass, and say it once: five tries each, then a pause', async () => {
    using here = folder();
    const down = Array.from({ length: 10 }, () => answer(503, ERROR_RECORD('busy')));
    const { ports, entry } = await setUp(here.path, [
      record({ status: 'queued' }),
      ...down,
      record({ status: 'done' }),
    ]);
    const events: JobEvent[] = [];
    const { state } = await watchJob(ports, entry, true, (event) => void events.push(event), createContext());
    expect(state.phase).toBe('succeeded');
    expect(events.map(({ kind }) => kind)).toEqual(['state', 'lost', 'back', 'state']);
  });

  it('end where the service says no: 401, and 404, which is written down', async () => {
    using here = folder();
    const { ports, entry } = await setUp(here.path, [
      answer(401, ERROR_RECORD('no')),
      answer(404, ERROR_RECORD('gone')),
    ]);
    const watching = () => failureOf(watchJob(ports, entry, true, () => {}, createContext()));
    expect((await watching()).code).toBe('unauthenticated');
    expect((await watching()).code).toBe('not_found');
    expect(ports.journal.read(entry)?.step).toBe('gone');
    expect(server?.seen).toHaveLength(2);
  });

  it('end at once when they are stopped', async () => {
    using here = folder();
    const { ports, entry } = await setUp(here.path, [record({ status: 'running' }, { 'retry-after': '500' })]);
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('stopped')), 50);
    await expect(watchJob(ports, entry, true, () => {}, createContext(stop.signal))).rejects.toThrow(/stopped|abort/);
  });
});

describe('a record', () => {
  it.each([
    ['queued', 'queued'],
    ['PENDING', 'queued'],
    ['processing', 'running'],
    ['In Progress', 'running'],
    ['reticulating splines', 'running'],
    ['completed', 'succeeded'],
    ['done', 'succeeded'],
    ['error', 'failed'],
    ['cancelled', 'failed'],
  ])('%s means %s', (word, phase) => expect(phaseOf(word)).toBe(phase));

  it.each([
    [{ job_id: 'a', jobId: 'b', id: 'c' }, 'a'],
    [{ jobId: 'b', id: 'c' }, 'b'],
    [{ id: 7 }, '7'],
    [{ job: { id: 'inner' } }, 'inner'],
    [{ status_url: 'https://x/api/v1/jobs/last?x=1' }, 'last'],
    [{}, undefined],
  ])('%j has the id %s', (given, id) => expect(jobIdOf(given)).toBe(id));

  it.each([
    [{ progress: 0.25 }, 25],
    [{ progress: 25 }, 25],
    [{ progress: { percent: 30 } }, 30],
    [{ percentage: 12.4 }, 12],
    [{ progress: 'much' }, undefined],
    [{ progress: 1 }, 1],
    [{ percent: -3 }, undefined],
  ])('%j is at %s per cent', (given, percent) =>
    expect(readState({ status: 'running', ...given }).percent).toBe(percent),
  );

  it('of an upload: ids and address by any of their names', () => {
    expect(workflowIdsOf({ jobId: 'j', uploadId: 'u', upload: { session_uri: 's' } })).toEqual({
      job_id: 'j',
      upload_id: 'u',
      session_uri: 's',
    });
    expect(workflowIdsOf({ id: 'j', upload: { id: 'u', url: 's' } })).toEqual({
      job_id: 'j',
      upload_id: 'u',
      session_uri: 's',
    });
    expect(workflowIdsOf({ id: 'u', session_uri: 's' })).toEqual({ upload_id: 'u', session_uri: 's' });
    expect(['awaiting_upload', 'Pending Upload', 'created', 'uploaded'].map(isBeforeQueue)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['queued', 'pending', 'running', 'succeeded', 'odd'].map(isBeforeQueue)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
