// Jobs of the server: followed to their result, and found again after a reload by the fragment of the address.
import { useEffect, useState } from 'preact/hooks';
import { jobDownload, jobStatus } from '../contract/operations/speech.ts';
import { Refused, type Service } from './service.ts';

export interface Job {
  readonly id: string;
  readonly status: string;
  /** From 0 to 100, where it is known. */
  readonly percent?: number;
  readonly trouble?: string;
  readonly result?: { readonly blob: Blob; readonly mediaType: string };
}

const SECONDS_BETWEEN = 2;

/** The jobs that the address names: `#jobs=a,b`. */
export function jobsInAddress(): string[] {
  const given = new URLSearchParams(location.hash.slice(1)).get('jobs') ?? '';
  return given.split(',').filter((id) => /^[\w-]{1,200}$/.test(id));
}

export function nameJobs(ids: readonly string[]): void {
  history.replaceState(null, '', ids.length === 0 ? location.pathname : `#jobs=${ids.join(',')}`);
}

export function Jobs({ ids, service, onForget }: JobsProps) {
  if (ids.length === 0) return null;
  return (
    <section aria-label="Jobs">
      <h2>Jobs</h2>
      <p class="about">
        The server works on them also while this page is closed; this page's address finds them again.
      </p>
      <ul class="plain">
        {ids.map((id) => (
          <li key={id}>
            <OneJob id={id} service={service} onForget={() => onForget(id)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface JobsProps {
  readonly ids: readonly string[];
  readonly service: Service;
  readonly onForget: (id: string) => void;
}

function OneJob({ id, service, onForget }: { id: string; service: Service; onForget: () => void }) {
  const [job, setJob] = useState<Job>({ id, status: 'asked for' });
  useEffect(() => {
    const stop = new AbortController();
    follow(id, service, setJob, stop.signal).catch((error: Error) => {
      if (!stop.signal.aborted) setJob((old) => ({ ...old, status: 'unknown', trouble: error.message }));
    });
    return () => stop.abort();
  }, [id, service.key]);
  const { status, percent, trouble, result } = job;
  return (
    <div class="job">
      <p>
        <strong>{id}</strong>: {status}
        {percent !== undefined && `, ${percent} %`}
        {trouble !== undefined && <em> {trouble}</em>}
      </p>
      {percent !== undefined && result === undefined && (
        <progress max={100} value={percent} aria-label={`Progress of ${id}`} />
      )}
      {result !== undefined && <Media id={id} {...result} />}
      <button type="button" onClick={onForget}>
        {result === undefined && trouble === undefined ? 'Stop watching' : 'Remove from this page'}
      </button>
    </div>
  );
}

function Media({ id, blob, mediaType }: { id: string; blob: Blob; mediaType: string }) {
  const [address, setAddress] = useState('');
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  if (address === '') return null;
  const ending = mediaType.split('/')[1] ?? 'bin';
  const Player = mediaType.startsWith('video/') ? 'video' : 'audio';
  return (
    <>
      <Player controls src={address} aria-label={`Result of ${id}`} />
      <a href={address} download={`${id}.${ending === 'mpeg' ? 'mp3' : ending}`}>
        Save
      </a>
    </>
  );
}

const pathOf = ({ path }: { readonly path: string }, id: string) => path.replace(':id', encodeURIComponent(id));

async function follow(id: string, service: Service, tell: (job: Job) => void, signal: AbortSignal): Promise<void> {
  for (;;) {
    const record = await service.json(pathOf(jobStatus, id), signal);
    const status = String(record.status ?? 'running');
    const { percent } = (record.progress ?? {}) as { percent?: unknown };
    const known = { id, status, ...(typeof percent === 'number' ? { percent } : {}) };
    if (status === 'failed')
      throw new Refused('job_failed', `The job failed: ${record.error_message ?? 'no reason is told'}.`);
    if (status === 'succeeded') {
      const { blob, mediaType } = await service.call({ method: 'GET', path: pathOf(jobDownload, id), signal });
      tell({ ...known, result: { blob, mediaType } });
      return;
    }
    tell(known);
    await new Promise((resolve) => setTimeout(resolve, SECONDS_BETWEEN * 1000));
    signal.throwIfAborted();
  }
}
