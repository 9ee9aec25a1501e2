import { basename } from 'node:path';
import { type Failure, failureRecord } from '../../contract/base/failure.ts';
import type { Clock, Progress } from '../../contract/base/ports.ts';
import { present } from '../../contract/base/present.ts';
import { asCommandLine } from '../../contract/spelling.ts';
import type { JobState } from '../../flow/job-state.ts';
import type { JournalEntry } from '../../flow/journal.ts';
import type { JobEvent } from '../../flow/watch-job.ts';
import type { WrittenFile } from '../../runtime/rows/place-result.ts';
import type { JobBar } from '../../runtime/terminal/job-bars.ts';
import { printableLine } from '../../runtime/terminal/printable.ts';
import type { Streams } from '../../runtime/terminal/streams.ts';
import { formatDuration, formatSize } from '../../runtime/terminal/units.ts';
import type { Messages } from '../line/messages.ts';

export interface JobView {
  event(event: JobEvent): void;
  progress(entry: JournalEntry, event: Progress): void;
  done(entry: JournalEntry, file: WrittenFile | undefined, state: JobState): void;
  failed(entry: JournalEntry, failure: Failure): void;
  close(): void;
}

interface ViewOptions {
  readonly streams: Streams;
  readonly messages: Messages;
  readonly clock: Clock;
  readonly mode: 'draw' | 'lines' | 'none';
  readonly json: boolean;
}

export async function createJobView({ streams, messages, clock, mode, json }: ViewOptions): Promise<JobView> {
  const { createJobBars } = mode === 'draw' ? await import('../../runtime/terminal/job-bars.ts') : {};
  const bars = createJobBars?.(streams.columns(), clock.now, (text) => streams.err(text));
  const drawn = new Map<string, JobBar>();
  const barOf = (entry: JournalEntry) => {
    const bar = drawn.get(entry.id) ?? bars?.add(jobName(entry), entry.begun);
    if (bar !== undefined) drawn.set(entry.id, bar);
    return bar;
  };
  const say = (text: string) => {
    if (bars !== undefined) bars.line(text);
    else if (mode === 'lines') streams.err(`${printableLine(text)}\n`);
  };
  const emit = (event: string, entry: JournalEntry, more: object) => {
    const { id, job_id, operation, begun } = entry;
    if (json) streams.json({ event, ...present({ id, job_id, operation }), elapsed_ms: clock.now() - begun, ...more });
  };
  const end = (entry: JournalEntry) => {
    drawn.get(entry.id)?.end();
    drawn.delete(entry.id);
  };
  const phases = new Map<string, string>();
  const failures: Failure[] = [];
  return {
    event(event) {
      const { entry } = event;
      if (event.kind === 'state') {
        const { status, percent, record } = event.state;
        barOf(entry)?.show(words(event.state), percent);
        if (!event.changed) return;
        emit('state', entry, { status, ...(percent === undefined ? {} : { percent }), record });
        if (bars === undefined) say(`${jobName(entry)}: ${words(event.state)}`);
        return;
      }
      const why = event.kind === 'lost' ? event.why : undefined;
      emit(event.kind, entry, why === undefined ? {} : { message: why });
      barOf(entry)?.show(event.kind === 'lost' ? 'no connection' : 'connected');
      const now = why === undefined ? 'the service answers again' : `${why}; the job goes on, still trying`;
      say(`${jobName(entry)}: ${now}`);
    },
    progress(entry, { phase, done, total }) {
      const percent = total === undefined || total === 0 ? undefined : Math.floor((100 * done) / total);
      barOf(entry)?.show(percent === undefined ? phase : `${phase} ${percent}%`, percent);
      if (phases.get(entry.id) === phase) return;
      phases.set(entry.id, phase);
      emit('progress', entry, { phase, done, ...(total === undefined ? {} : { total }) });
      if (bars === undefined)
        say(`${jobName(entry)}: ${phase}${total === undefined ? '' : ` of ${formatSize(total)}`}`);
    },
    done(entry, file, state) {
      end(entry);
      const took = formatDuration(clock.now() - entry.begun);
      const what = file === undefined ? state.status : `${file.path}, ${formatSize(file.bytes)}`;
      say(`${jobName(entry)}: ${what}, after ${took}`);
      emit('done', entry, { ok: true, status: state.status, ...(file === undefined ? {} : { output: file }) });
      if (json || file === undefined) return;
      streams.out(`${streams.outIsTerminal ? printableLine(file.path) : file.path}\n`);
    },
    failed(entry, failure) {
      end(entry);
      emit('failed', entry, failureRecord(failure, asCommandLine));
      // Failures are printed after the bars, not between them.
      if (bars === undefined) messages.fail(failure, undefined, json);
      else failures.push(failure);
    },
    close() {
      bars?.close();
      for (const failure of failures.splice(0)) messages.fail(failure, undefined, json);
    },
  };
}

export function jobName({ files, id }: JournalEntry): string {
  const [first] = files;
  return first === undefined ? id : basename(first.name);
}

function words({ status, percent }: JobState): string {
  return percent === undefined ? status : `${status} ${percent}%`;
}
