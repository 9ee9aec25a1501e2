// The journal on a real disk: torn lines, names taken at once, claims of the dead, modes; and 20 processes that begin jobs.
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { Values } from '../../src/contract/base/ports.ts';
import { type EntryFacts, openJournal } from '../../src/flow/journal.ts';
import { LineFiles } from '../../src/runtime/files/stores/line-files.ts';
import { makePdf } from '../e2e/make-pdf.ts';
import { folder } from '../e2e/pdftool.ts';
import { type JobService, startJobService } from './service.ts';
import { bench } from './workbench.ts';

const PRINT = '0123456789abcdef';
const FACTS: EntryFacts = {
  kind: 'speech',
  operation: 'audiobook',
  service: 'https://x',
  profile: 'default',
  files: [],
  fields: {},
};

function open(path: string) {
  const files = new LineFiles({ path, ours: true });
  return { files, journal: openJournal(files, Date, () => crypto.randomUUID()) };
}

describe('an entry', () => {
  it('is folded from its lines, and a torn last line is ignored, ended, and spoils nothing', () => {
    using here = folder();
    const { files, journal } = open(here.path);
    const entry = journal.begin(PRINT, FACTS);
    journal.add(entry, { step: 'accepted', job_id: 'j1' });
    const [name = ''] = readdirSync(files.folder);
    appendFileSync(`${files.folder}/${name}`, '{"at":1,"step":"deli');
    expect(journal.read(entry)).toMatchObject({ step: 'accepted', job_id: 'j1' });
    expect(journal.add(entry, { status: 'running' })).toMatchObject({ step: 'accepted', status: 'running' });
    expect(
      readFileSync(`${files.folder}/${name}`, 'utf8')
        .split('\n')
        .filter((line) => line.includes('running')),
    ).toHaveLength(1);
  });

  it('without a first line is none, and its name is not taken again', () => {
    using here = folder();
    const { files, journal } = open(here.path);
    const first = journal.begin(PRINT, FACTS);
    writeFileSync(`${files.folder}/${first.name}.jsonl`, '{"kind":"spee');
    expect(journal.list('speech')).toEqual([]);
    expect(journal.begin(PRINT, FACTS).name).toBe('speech-0123456789-2');
  });

  it('is begun under the number after the newest, without trying those that are taken', () => {
    using here = folder();
    const files = new LineFiles({ path: here.path, ours: true });
    const tried: string[] = [];
    const store = new Proxy(files, {
      get(target, key: keyof LineFiles) {
        const value = target[key];
        if (typeof value !== 'function') return value;
        return (...args: [string, Values]) => {
          if (key === 'create') tried.push(args[0]);
          return Reflect.apply(value, target, args);
        };
      },
    });
    const journal = openJournal(store, Date, () => crypto.randomUUID());
    const names = [1, 2, 3, 4].map(() => journal.begin(PRINT, FACTS).name);
    expect(names).toEqual([1, 2, 3, 4].map((number) => `speech-0123456789-${number}`));
    expect(tried).toEqual(names);
  });

  it('lies in a private folder, in a private file', () => {
    using here = folder();
    const { files, journal } = open(here.at('state'));
    const { name } = journal.begin(PRINT, FACTS);
    expect(statSync(files.folder).mode & 0o777).toBe(0o700);
    expect(statSync(`${files.folder}/${name}.jsonl`).mode & 0o777).toBe(0o600);
    expect(readdirSync(files.folder)).toEqual([`${name}.jsonl`]);
  });

  it('that was forgotten stays forgotten, whoever still writes to it', () => {
    using here = folder();
    const { journal } = open(here.path);
    const entry = journal.begin(PRINT, FACTS);
    expect(journal.forget(entry)).toBe(true);
    journal.add(entry, { status: 'running' });
    expect(journal.list('speech')).toEqual([]);
  });

  it('is looked up by its id, the beginning of it, or the service id; never by what may mean two', () => {
    using here = folder();
    const { journal } = open(here.path);
    const entry = journal.add(journal.begin(PRINT, FACTS), { job_id: 'job-7' });
    journal.begin(`01${PRINT}`, FACTS);
    for (const id of [entry.id, '012', 'job-7']) expect(journal.lookUp(id)?.name).toBe(entry.name);
    expect(journal.lookUp('nope')).toBeUndefined();
    expect(() => journal.lookUp('01')).toThrow(/01 may mean 0123456789-1 or 0101234567-1/);
  });
});

describe('a claim', () => {
  it('is one at a time, ends with its release, and not with a process that was killed', () => {
    using here = folder();
    const { files, journal } = open(here.path);
    const entry = journal.begin(PRINT, FACTS);
    const first = journal.claim(entry);
    expect(journal.claim(entry)).toEqual({ heldBy: process.pid });
    if ('release' in first) first.release();
    const second = journal.claim(entry);
    expect('release' in second).toBe(true);
    if ('release' in second) second.release();
    // A process that is gone, one of the last boot with the number of a living one, one of another machine.
    const claim = (more: object) => files.append(entry.name, { claim: 'x', ...files.me(), ...more });
    claim({ pid: 2 ** 22 + 1 });
    claim({ since: 1 });
    // This very process began later than that one said it did.
    claim({ since: Date.now() - process.uptime() * 1000 - 20_000 });
    const third = journal.claim(entry);
    expect('release' in third).toBe(true);
    if ('release' in third) third.release();
    claim({ host: 'elsewhere' });
    expect(journal.claim(entry)).toEqual({ heldBy: process.pid });
  });
});

describe('many processes', () => {
  let service: JobService | undefined;
  afterEach(() => service?.close());

  it('20 that begin jobs at once: 20 jobs listed, none lost', { timeout: 120_000 }, async () => {
    service = await startJobService();
    using ports = bench(service);
    makePdf(ports.here.at('work/a.pdf'));
    const runs = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        ports.run([
          'workflow',
          'submit',
          'anything',
          'a.pdf',
          '--option',
          `n=${index}`,
          '--detach',
          '-q',
          '-o',
          `${index}.pdf`,
        ]),
      ),
    );
    expect(runs.map(({ exitCode }) => exitCode)).toEqual(runs.map(() => 0));
    const ids = runs.map(({ stdout }) => stdout.trim());
    expect(new Set(ids).size).toBe(20);
    expect((await ports.jobs()).map((job) => job.job_id).sort()).toEqual(ids.sort());
    const lines = (await ports.run(['jobs', 'list'])).stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(20);
  });

  it('the same command several times at once makes one job', { timeout: 60_000 }, async () => {
    service = await startJobService({ slow: 5 });
    using ports = bench(service);
    makePdf(ports.here.at('work/a.pdf'), { pages: 4, imageBytes: 500_000 });
    const command = ['workflow', 'submit', 'anything', 'a.pdf', '--detach', '-q'];
    const runs = await Promise.all([1, 2, 3, 4].map(() => ports.run(command)));
    const [job, ...others] = [...service.jobs.values()];
    expect([others.length, job?.finalized]).toEqual([0, 1]);
    // Those that came while one was uploading say so; those that came later found its job.
    for (const { exitCode, stderr } of runs) {
      if (exitCode !== 0)
        expect([exitCode, stderr]).toEqual([6, expect.stringMatching(/another pdftool \(process \d+\) is uploading/)]);
    }
    expect(runs.some(({ exitCode }) => exitCode === 0)).toBe(true);
  });
});
