import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Failure } from '../contract/failure.ts';
import { outputOf, pageField, type ServiceOperation, wordsOf } from '../contract/operation.ts';
import { Admin } from './admin.tsx';
import { Button, Trouble } from './controls.tsx';
import { Documents } from './document-list.tsx';
import {
  type Document,
  type DoneStep,
  entryOf,
  newDocument,
  pageCountOf,
  pagesText,
  replaced,
  type ShownResult,
  takeAnswer,
  undone,
} from './documents.ts';
import { Jobs, jobsInAddress, nameJobs } from './jobs.tsx';
import { KeyForm } from './key-form.tsx';
import { pagesField, type Typed } from './lines.ts';
import { type Beside, OperationForm } from './operation-form.tsx';
import { reviewOf, searchOf, startRedaction } from './redaction.ts';
import { Results } from './results.tsx';
import { excludes, fileFields, groupedRows, PAGE_ROWS, priceOf, REDACT, whyNot } from './rows.ts';
import { isKeyRefused, RequestError, ServiceClient } from './service.ts';
import { StepList } from './steps.tsx';
import { Viewer } from './viewer.tsx';

const INFO = PAGE_ROWS.find(({ name }) => name === 'info');

/** The HTML result in the viewer. */
interface Shown {
  readonly title: string;
  readonly html: string;
  readonly onMessage?: (message: unknown) => void;
}

interface Busy {
  readonly title: string;
  /** Progress of the upload, from 0 to 1; 1: the server works. */
  readonly part: number;
  readonly stop: AbortController;
}

export function App() {
  const service = useMemo(() => new ServiceClient(), []);
  const [documents, showDocuments] = useState<readonly Document[]>([]);
  /** The newest list, for what began with an older one: documents are added and removed while a request runs. */
  const newest = useRef(documents);
  const counting = useRef(new Set<number>());
  const [steps, setSteps] = useState<readonly DoneStep[]>([]);
  const [results, setResults] = useState<readonly ShownResult[]>([]);
  const [jobs, setJobs] = useState<readonly string[]>(jobsInAddress);
  const [op, setOp] = useState<ServiceOperation>();
  const [typed, setTyped] = useState<Typed>({});
  const [search, setSearch] = useState('');
  const [credits, setCredits] = useState<number>();
  const [busy, setBusy] = useState<Busy>();
  const [status, setStatus] = useState('');
  const [trouble, setTrouble] = useState('');
  const [needsKey, setNeedsKey] = useState(false);
  const [hasAdmin, setAdmin] = useState(false);
  const [shown, setShown] = useState<Shown>();
  const opener = useRef<HTMLElement | null>(null);

  const refused = (error: unknown) => {
    if (!(error instanceof RequestError || error instanceof Failure)) throw error;
    setTrouble(error.message);
    if (isKeyRefused(error)) setNeedsKey(true);
  };
  const askCredits = async () => {
    try {
      const account = await service.json('/api/v1/account');
      setCredits(Number(account.credits_remaining));
      setNeedsKey(false);
      setTrouble('');
      return true;
    } catch (error) {
      refused(error);
      return false;
    }
  };
  useEffect(() => {
    const begin = async () => {
      const about = await service.json('/page/about');
      setAdmin(about.admin === true);
      if (service.key === '' && typeof about.key === 'string') service.key = about.key;
      if (service.key === '') setNeedsKey(true);
      else await askCredits();
    };
    begin().catch(refused);
    // Jobs in an address that was pasted into this tab.
    const pasted = () => setJobs(jobsInAddress());
    addEventListener('hashchange', pasted);
    return () => removeEventListener('hashchange', pasted);
  }, []);
  useEffect(() => nameJobs(jobs), [jobs]);

  const setDocuments = (made: (all: readonly Document[]) => readonly Document[]) => {
    newest.current = made(newest.current);
    showDocuments(newest.current);
  };
  const change = (id: number, made: (old: Document) => Document) =>
    setDocuments((all) => all.map((one) => (one.id === id ? made(one) : one)));
  /** Asks the server for the page counts that are not known yet. */
  const countPages = () => {
    if (INFO === undefined || service.key === '') return;
    for (const { id, ...one } of newest.current) {
      if (one.pageCount !== undefined || one.trouble !== undefined || counting.current.has(id)) continue;
      counting.current.add(id);
      pageCountOf(one, service, INFO)
        .then((known) => change(id, (old) => ({ ...old, ...known })), refused)
        .finally(() => counting.current.delete(id));
    }
  };
  /** Shows documents at once, and their pages once the server has counted them. */
  const show = (made: (all: readonly Document[]) => readonly Document[]) => {
    setDocuments(made);
    countPages();
  };
  const add = (files: readonly File[]) => {
    show((all) => [...all, ...files.map((file) => newDocument(file.name, file))]);
    setStatus(`${files.length} ${files.length === 1 ? 'document' : 'documents'} added.`);
  };
  const useKey = async (key: string, isRemembered: boolean) => {
    service.useKey(key, isRemembered);
    if (await askCredits()) countPages();
  };

  const open = (next: ServiceOperation, preset: Typed = {}, source: readonly Document[] = documents) => {
    if (document.activeElement instanceof HTMLElement) opener.current = document.activeElement;
    const field = pagesField(next);
    const pages = source
      .filter((one) => one.isChosen)
      .map(pagesText)
      .find((text) => text !== '');
    setTyped({ ...(field !== undefined && pages !== undefined ? { [field]: pages } : {}), ...preset });
    setOp(next);
    setTrouble('');
  };
  const close = () => {
    setOp(undefined);
    opener.current?.focus();
  };
  /** Changes a document's marks or order, and fills in the page range of the open operation. */
  const mark = (id: number, made: (old: Document) => Document) => {
    const next = documents.map((one) => (one.id === id ? made(one) : one));
    setDocuments(() => next);
    const changed = next.find((one) => one.id === id);
    if (changed === undefined) return;
    const order = PAGE_ROWS.find(({ name }) => name === 'pages-order');
    if (changed.order !== undefined && op?.name !== 'pages-order' && order !== undefined) {
      const alone = next.map((one) => ({ ...one, isChosen: one.id === id }));
      setDocuments(() => alone);
      open(order, {}, alone);
      setStatus('Run the operation to keep the new order.');
      return;
    }
    const field = op && pagesField(op);
    if (field !== undefined) setTyped({ ...typed, [field]: pagesText(changed) });
  };

  const groups = groupedRows(search);
  const chosen = documents.filter(({ isChosen }) => isChosen);
  const names = chosen.map(({ name }) => name);

  const run = async (
    row: ServiceOperation,
    sources: readonly Document[],
    values: Readonly<Record<string, string>>,
    beside: readonly Beside[],
    line: string,
  ) => {
    const [main = 'file'] = fileFields(row);
    const isMany = row.input[main]?.kind === 'files';
    const rounds = isMany ? [sources] : sources.map((one) => [one]);
    const stop = new AbortController();
    setTrouble('');
    try {
      for (const [index, round] of rounds.entries()) {
        const shown = `${wordsOf(row)}${rounds.length > 1 ? ` ${index + 1} of ${rounds.length}` : ''}`;
        const progress = (part: number) => setBusy({ title: shown, part, stop });
        progress(0);
        const [one] = round;
        if (row === REDACT && one !== undefined) {
          const id = await startRedaction(service, one, searchOf(values), progress, stop.signal);
          setJobs((all) => [...all, id]);
          continue;
        }
        const files = [
          ...round.map((one) => [main, one.blob, one.name] as const),
          ...beside.map(({ field, file }) => [field, file, file.name] as const),
        ];
        const page = pageField(row);
        const sent = page === undefined || excludes(row, page, values) ? values : { ...values, [page]: `${page}.html` };
        const answer = await service.run(row, sent, files, { signal: stop.signal, progress });
        if (answer.creditsLeft !== undefined) setCredits(answer.creditsLeft);
        if (outputOf(row, values).output.kind === 'job') {
          const { job_id } = JSON.parse(await answer.blob.text()) as { job_id?: unknown };
          setJobs((all) => [...all, String(job_id)]);
          continue;
        }
        const output = await takeAnswer(
          row,
          typed,
          round.map(({ name }) => name),
          answer,
        );
        if ('results' in output) {
          setResults((all) => [...output.results, ...all]);
          continue;
        }
        const before = newest.current;
        show((all) => replaced(all, round, output.documents));
        const after = newest.current;
        const title = `${wordsOf(row)} ${round.map(({ name }) => name).join(', ')}`;
        const entry = rounds.length === 1 && beside.length === 0 ? entryOf(row, typed) : undefined;
        setSteps((all) => [...all, { title, line, before, after, entry }]);
      }
      setStatus(`${wordsOf(row)}: done.`);
      close();
    } catch (error) {
      refused(error);
    } finally {
      setBusy(undefined);
    }
  };
  /** Shows the regions of an inspection, and removes the ticked ones on confirmation. */
  const review = async (job: string) => {
    const [one, other] = chosen;
    if (one === undefined || other !== undefined) {
      setTrouble('Tick “work on it” at the one document that was searched; add it again where it is not here.');
      return;
    }
    const stop = new AbortController();
    try {
      const html = await reviewOf(service, job, one);
      const apply = async (message: unknown) => {
        const { sourceSha256, regions } = message as Record<string, unknown>; // of the page that the server made
        setShown(undefined);
        const options = { mode: 'apply', reviewed: true, sourceSha256, regions };
        const id = await startRedaction(service, one, options, () => {}, stop.signal);
        setJobs((all) => [...all, id]);
        setStatus('Removing what is in the ticked boxes.');
      };
      setShown({ title: `Review of ${one.name}`, html, onMessage: (message) => apply(message).catch(refused) });
    } catch (error) {
      refused(error);
    }
  };
  const undo = () => {
    const step = steps.at(-1);
    if (step === undefined) return;
    show((all) => undone(all, step));
    setSteps(steps.slice(0, -1));
    setStatus(`Undone: ${step.title}.`);
  };

  return (
    <>
      <header>
        <h1>pdftool</h1>
        <p class="about">Files go to this server alone, and only when something is run or shown.</p>
        <KeyForm isOpen={needsKey} credits={credits} onKey={useKey} onOpen={() => setNeedsKey(true)} />
      </header>
      <main>
        <div class="work">
          <p role="status" aria-live="polite" class="told">
            {busy === undefined ? status : `${busy.title}: ${busy.part < 1 ? 'sending' : 'the server works'}…`}
          </p>
          <Trouble text={trouble} />
          {busy !== undefined && (
            <p>
              <progress max={1} value={busy.part < 1 ? busy.part : undefined} aria-label={busy.title} />
              <Button text="Stop" onClick={() => busy.stop.abort()} />
            </p>
          )}
          <Documents
            documents={documents}
            service={service}
            onAdd={add}
            onChange={change}
            onMark={mark}
            onRemove={(id) => setDocuments((all) => all.filter((one) => one.id !== id))}
            onReorder={(next) => setDocuments(() => next)}
            onOpen={(row, preset, id) => {
              const next = documents.map((one) => ({ ...one, isChosen: one.id === id }));
              setDocuments(() => next);
              open(row, preset, next);
            }}
            onUnlock={(one, password) => {
              const decrypt = PAGE_ROWS.find(({ name }) => name === 'decrypt');
              const line = `pdftool decrypt ${one.name} --password-file password.txt`;
              if (decrypt !== undefined) run(decrypt, [one], { password }, [], line);
            }}
          />
          <Results
            results={results}
            onShow={async (title, page) => setShown({ title, html: await page.text() })}
            onRemove={(id) => setResults(results.filter((one) => one.id !== id))}
          />
          <Jobs
            ids={jobs}
            service={service}
            onForget={(id) => setJobs(jobs.filter((one) => one !== id))}
            onDocument={(name, blob) => add([new File([blob], name)])}
            onReview={review}
          />
          <StepList steps={steps} onUndo={undo} />
        </div>
        <div class="choice">
          {op !== undefined && (
            <OperationForm
              op={op}
              names={names}
              pageCount={chosen[0]?.pageCount}
              typed={typed}
              onType={setTyped}
              why={whyNot(op, names)}
              isBusy={busy !== undefined}
              onRun={(values, beside, line) => run(op, chosen, values, beside, line)}
              onClose={close}
            />
          )}
          <nav aria-label="Operations">
            <h2>What to do</h2>
            <label for="search">Search</label>
            <input
              id="search"
              type="search"
              value={search}
              onInput={({ currentTarget }) => setSearch(currentTarget.value)}
              onKeyDown={({ key }) => {
                const [first] = groups.flatMap(({ rows }) => rows);
                if (key === 'Enter' && search !== '' && first !== undefined) open(first);
              }}
            />
            <p role="status">{groups.length === 0 && 'Nothing is found by these words.'}</p>
            {groups.map(({ title, rows }) => (
              <section key={title} aria-label={title}>
                <h3>{title}</h3>
                <ul class="operations">
                  {rows.map((row) => (
                    <li key={row.name}>
                      <button type="button" onClick={() => open(row)} aria-current={row === op}>
                        <strong>{wordsOf(row)}</strong> {row.summary}
                        <span class="price">{priceOf(row)}</span>
                      </button>
                    </li>
                  ))}
                </ul>
              </section>
            ))}
          </nav>
        </div>
        {hasAdmin && <Admin service={service} />}
        {shown !== undefined && <Viewer {...shown} onClose={() => setShown(undefined)} />}
      </main>
    </>
  );
}
