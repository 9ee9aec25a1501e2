// Follows jobs of the server to their result. The URL fragment names them, for reloads and other tabs.
import { useEffect, useState } from 'preact/hooks';
import { EXTENSIONS, JSON_TYPE, PDF } from '../contract/media.ts';
import { workflowStatus } from '../contract/operations/service/workflow.ts';
import { jobCancel, jobDownload, jobStatus } from '../contract/operations/speech.ts';
import { Button, Save } from './controls.tsx';
import { RequestError, type ServiceClient } from './service.ts';

interface Job {
  readonly status: string;
  /** From 0 to 100, where known. */
  readonly percent?: number;
  readonly trouble?: string;
  readonly result?: JobOutput;
}

interface JobOutput {
  readonly blob: Blob;
  readonly mediaType: string;
  /** The operation or workflow, such as `audiobook` or `redaction`. */
  readonly operation: string;
  /** When the server deletes it. */
  readonly until: string | undefined;
}

const SECONDS_BETWEEN = 2;
/** Codes of failures after which the next request may succeed. */
const PASSING: ReadonlySet<string> = new Set(['network', 'rate_limited', 'server']);

/** The jobs in the URL: `#jobs=a,b`. */
function jobsInAddress(): string[] {
  const given = new URLSearchParams(location.hash.slice(1)).get('jobs') ?? '';
  return given.split(',').filter((id) => /^[\w-]{1,200}$/.test(id));
}

/** The jobs of the page, which its URL names; another URL may be pasted into this tab. */
export function useJobs() {
  const [ids, setIds] = useState<readonly string[]>(jobsInAddress);
  useEffect(() => {
    const pasted = () => setIds(jobsInAddress());
    addEventListener('hashchange', pasted);
    return () => removeEventListener('hashchange', pasted);
  }, []);
  useEffect(
    () => history.replaceState(null, '', ids.length === 0 ? location.pathname : `#jobs=${ids.join(',')}`),
    [ids],
  );
  return [ids, setIds] as const;
}

interface Props {
  readonly service: ServiceClient;
  readonly onForget: (id: string) => void;
  /** Adds a PDF result to the documents. */
  readonly onDocument: (name: string, blob: Blob) => void;
  /** Opens the review of an inspection. */
  readonly onReview: (id: string) => void;
}

export function Jobs({ ids, ...props }: Props & { readonly ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <section aria-label="Jobs">
      <h2>Jobs</h2>
      <p class="about">
        The server works on them also while this page is closed; this page's address finds them again, here and in
        another tab.
      </p>
      <ul class="plain">
        {ids.map((id) => (
          <li key={id}>
            <OneJob id={id} {...props} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function OneJob({ id, service, onForget, onDocument, onReview }: Props & { readonly id: string }) {
  const [{ status, percent, trouble, result }, setJob] = useState<Job>({ status: 'asked for' });
  const fail = (error: Error) => setJob((old) => ({ ...old, status: 'not followed', trouble: error.message }));
  useEffect(() => {
    const stop = new AbortController();
    follow(id, service, setJob, stop.signal).catch((error: Error) => {
      if (!stop.signal.aborted) fail(error);
    });
    return () => stop.abort();
  }, [id, service.key]);
  const isOver = result !== undefined || trouble !== undefined;
  return (
    <div class="job">
      <p>
        <strong>{id}</strong>: {status}
        {percent !== undefined && `, ${percent} %`}
        {trouble !== undefined && <em> {trouble}</em>}
        {result?.until !== undefined && `, kept until ${new Date(result.until).toLocaleString()}`}
      </p>
      {!isOver && <progress max={100} value={percent} aria-label={`Progress of ${id}`} />}
      {result !== undefined && <Output id={id} {...result} onDocument={onDocument} onReview={onReview} />}
      {!isOver && <Button text={`Cancel ${id}`} onClick={() => service.json(pathOf(jobCancel, id), {}).catch(fail)} />}
      <Button text="Take off this page" label={`Take off this page: ${id}`} onClick={() => onForget(id)} />
    </div>
  );
}

type OutputProps = JobOutput & Pick<Props, 'onDocument' | 'onReview'> & { readonly id: string };

function Output({ id, blob, mediaType, operation, onDocument, onReview }: OutputProps) {
  const [address, setAddress] = useState('');
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  const name = `${operation}.${EXTENSIONS[mediaType]?.[0] ?? 'bin'}`;
  const Player = mediaType.startsWith('video/') ? 'video' : 'audio';
  return (
    <>
      {/^(audio|video)\//.test(mediaType) && address !== '' && (
        <Player controls src={address} aria-label={`Result of ${id}`} />
      )}
      {mediaType === PDF && <Button text="Go on with it" onClick={() => onDocument(name, blob)} />}
      {mediaType === JSON_TYPE && operation === 'redaction' && (
        <Button text="Look at what was found" onClick={() => onReview(id)} />
      )}
      <Save blob={blob} name={name} />
    </>
  );
}

const pathOf = ({ path }: { readonly path: string }, id: string) => path.replace(/:\w+/, encodeURIComponent(id));

/** The path of a job's record: of a workflow or of speech. */
async function addressOf(id: string, service: ServiceClient, signal: AbortSignal): Promise<string> {
  try {
    await service.json(pathOf(workflowStatus, id), undefined, { signal });
    return pathOf(workflowStatus, id);
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== 'not_found') throw error;
    return pathOf(jobStatus, id);
  }
}

/** Follows a job to its end. A connection that breaks is tried again: laptops sleep, and servers are restarted. */
async function follow(
  id: string,
  service: ServiceClient,
  tell: (job: Job) => void,
  signal: AbortSignal,
): Promise<void> {
  let address: string | undefined;
  for (;;) {
    try {
      address ??= await addressOf(id, service, signal);
      const job = await jobAt(address, id, service, signal);
      tell(job);
      if (job.result !== undefined || job.trouble !== undefined) return;
    } catch (error) {
      if (!(error instanceof RequestError) || !PASSING.has(error.code)) throw error;
      tell({ status: 'the server cannot be reached; trying again' });
    }
    await new Promise((resolve) => setTimeout(resolve, SECONDS_BETWEEN * 1000));
    signal.throwIfAborted();
  }
}

/** Asks the server for the state of a job, and downloads its result if it has succeeded. */
async function jobAt(address: string, id: string, service: ServiceClient, signal: AbortSignal): Promise<Job> {
  const record = await service.json(address, undefined, { signal });
  const status = String(record.status ?? 'running');
  const { percent } = (record.progress ?? {}) as { percent?: unknown };
  const known = { status, ...(typeof percent === 'number' ? { percent } : {}) };
  if (status === 'failed' || status === 'expired') {
    const why = String(record.error_message ?? record.error_code ?? 'no reason is told');
    return { ...known, trouble: `Nothing was charged: ${why}.` };
  }
  if (status !== 'succeeded') return known;
  if (record.result_url === undefined) return { ...known, trouble: 'Its result was kept for its time, and is gone.' };
  const isSpeech = record.operation !== undefined;
  const at = new URL(String(record.result_url));
  const from = isSpeech ? { path: pathOf(jobDownload, id) } : { path: `${at.pathname}${at.search}`, key: '' };
  const { blob, mediaType } = await service.call({ method: 'GET', ...from, signal });
  const until = typeof record.expires_at === 'string' ? record.expires_at : undefined;
  return { ...known, result: { blob, mediaType, operation: String(record.operation ?? record.workflow), until } };
}
