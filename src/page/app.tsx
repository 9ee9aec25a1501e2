import { useMemo, useRef, useState } from 'preact/hooks';
import { pageField, type ServiceOperation, wordsOf } from '../contract/operation.ts';
import { decrypt } from '../contract/operations/edit/protection.ts';
import { pagesOrder } from '../contract/operations/pages/page-order.ts';
import { KeyForm, useAccount } from './account.tsx';
import { Admin } from './admin.tsx';
import { Button, Trouble } from './controls.tsx';
import { Documents } from './document-list.tsx';
import { type Document, entryOf, pagesText, type ShownResult, takeAnswer, useDocuments } from './documents.ts';
import { Jobs, useJobs } from './jobs.tsx';
import { pagesField, type Typed } from './lines.ts';
import { type Asked, OperationForm } from './operation-form.tsx';
import { OperationList } from './operation-list.tsx';
import { reviewOf, searchOf, startRedaction } from './redaction.ts';
import { Results, type Shown, StepList, Viewer } from './results.tsx';
import { excludes, fileFields, REDACT, whyNot } from './rows.ts';
import { ServiceClient } from './service.ts';

interface Busy {
  readonly title: string;
  /** Whether it is the only request of its run. */
  readonly isAlone: boolean;
  /** Progress of the upload, from 0 to 1; 1: the server works. */
  readonly part: number;
  readonly stop: AbortController;
}

/** The open operation, and what is typed into its form. */
function useOperation(newest: { readonly current: readonly Document[] }) {
  const [op, setOp] = useState<ServiceOperation>();
  const [typed, setTyped] = useState<Typed>({});
  const opener = useRef<HTMLElement | null>(null);
  /** Fills in the marked pages of the chosen documents. */
  const open = (next: ServiceOperation, preset: Typed = {}) => {
    if (document.activeElement instanceof HTMLElement) opener.current = document.activeElement;
    const field = pagesField(next);
    const chosen = newest.current.filter((one) => one.isChosen);
    const pages = chosen.map(pagesText).find((text) => text !== '');
    setTyped({ ...(field !== undefined && pages !== undefined ? { [field]: pages } : {}), ...preset });
    setOp(next);
  };
  const close = () => {
    setOp(undefined);
    opener.current?.focus();
  };
  return { op, typed, setTyped, open, close };
}

export function App() {
  const service = useMemo(() => new ServiceClient(), []);
  const { refused, setTrouble, ...account } = useAccount(service);
  const { documents, newest, ...list } = useDocuments(service, refused);
  const { op, typed, setTyped, open: openForm, close } = useOperation(newest);
  const [results, setResults] = useState<readonly ShownResult[]>([]);
  const [jobs, setJobs] = useJobs();
  const [busy, setBusy] = useState<Busy>();
  const [status, setStatus] = useState('');
  const [shown, setShown] = useState<Shown>();
  const chosen = documents.filter(({ isChosen }) => isChosen);
  const names = chosen.map(({ name }) => name);

  const open = (next: ServiceOperation, preset?: Typed) => {
    openForm(next, preset);
    setTrouble('');
  };
  const add = (files: readonly File[]) => {
    list.add(files);
    setStatus(`${files.length} ${files.length === 1 ? 'document' : 'documents'} added.`);
  };
  /** Changes a document's marks or order, and fills in the page range of the open operation. */
  const mark = (id: number, made: (old: Document) => Document) => {
    list.change(id, made);
    const changed = newest.current.find((one) => one.id === id);
    if (changed === undefined) return;
    if (changed.order !== undefined && op?.name !== pagesOrder.name) {
      list.chooseAlone(id);
      open(pagesOrder);
      setStatus('Run the operation to keep the new order.');
      return;
    }
    const field = op && pagesField(op);
    if (field !== undefined) setTyped({ ...typed, [field]: pagesText(changed) });
  };

  /** Runs an operation on the documents of one request. */
  const send = async (row: ServiceOperation, round: readonly Document[], asked: Asked, busy: Omit<Busy, 'part'>) => {
    const { typed, values, beside, line } = asked;
    const progress = (part: number) => setBusy({ ...busy, part });
    const { signal } = busy.stop;
    progress(0);
    const [one] = round;
    if (row === REDACT && one !== undefined) {
      const id = await startRedaction(service, one, searchOf(values), progress, signal);
      setJobs((all) => [...all, id]);
      return;
    }
    const [main = 'file'] = fileFields(row);
    const files = [
      ...round.map(({ blob, name }) => [main, blob, name] as const),
      ...beside.map(({ field, file }) => [field, file, file.name] as const),
    ];
    const page = pageField(row);
    const sent = page === undefined || excludes(row, page, values) ? values : { ...values, [page]: `${page}.html` };
    const answer = await service.run(row, sent, files, { signal, progress });
    if (answer.creditsLeft !== undefined) account.setCredits(answer.creditsLeft);
    const of = round.map(({ name }) => name);
    const output = await takeAnswer(row, typed, of, answer);
    if ('job' in output) setJobs((all) => [...all, output.job]);
    else if ('results' in output) setResults((all) => [...output.results, ...all]);
    else {
      const entry = busy.isAlone && beside.length === 0 ? entryOf(row, typed) : undefined;
      list.replace(round, output.documents, { title: `${wordsOf(row)} ${of.join(', ')}`, line, entry });
    }
  };
  const run = async (row: ServiceOperation, sources: readonly Document[], asked: Asked) => {
    const isMany = row.input[fileFields(row)[0] ?? '']?.kind === 'files';
    const rounds = isMany ? [sources] : sources.map((one) => [one]);
    const isAlone = rounds.length === 1;
    const stop = new AbortController();
    const title = wordsOf(row);
    setTrouble('');
    try {
      for (const [index, round] of rounds.entries()) {
        const shown = isAlone ? title : `${title} ${index + 1} of ${rounds.length}`;
        await send(row, round, asked, { title: shown, isAlone, stop });
      }
      setStatus(`${title}: done.`);
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
    const apply = async (message: unknown) => {
      const { sourceSha256, regions } = message as Record<string, unknown>; // of the page that the server made
      setShown(undefined);
      const id = await startRedaction(service, one, { mode: 'apply', reviewed: true, sourceSha256, regions });
      setJobs((all) => [...all, id]);
      setStatus('Removing what is in the ticked boxes.');
    };
    try {
      const html = await reviewOf(service, job, one);
      setShown({ title: `Review of ${one.name}`, html, onMessage: (message) => apply(message).catch(refused) });
    } catch (error) {
      refused(error);
    }
  };
  const undo = () => {
    const step = list.steps.at(-1);
    if (step === undefined) return;
    list.undo(step);
    setStatus(`Undone: ${step.title}.`);
  };

  return (
    <>
      <header>
        <h1>pdftool</h1>
        <p class="about">Files go to this server alone, and only when something is run or shown.</p>
        <KeyForm
          isOpen={account.needsKey}
          credits={account.credits}
          onKey={async (key, isRemembered) => {
            service.useKey(key, isRemembered);
            if (await account.askCredits()) list.countPages();
          }}
          onOpen={() => account.setNeedsKey(true)}
        />
      </header>
      <main>
        <div class="work">
          <p role="status" aria-live="polite" class="told">
            {busy === undefined ? status : `${busy.title}: ${busy.part < 1 ? 'sending' : 'the server works'}…`}
          </p>
          <Trouble text={account.trouble} />
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
            onChange={list.change}
            onMark={mark}
            onRemove={(id) => list.set(newest.current.filter((one) => one.id !== id))}
            onReorder={list.set}
            onOpen={(row, preset, id) => {
              list.chooseAlone(id);
              open(row, preset);
            }}
            onUnlock={(one, password) => {
              const line = `pdftool decrypt ${one.name} --password-file password.txt`;
              run(decrypt, [one], { typed: { password }, values: { password }, beside: [], line });
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
          <StepList steps={list.steps} onUndo={undo} />
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
              onRun={(asked) => run(op, chosen, asked)}
              onClose={close}
            />
          )}
          <OperationList op={op} onOpen={open} />
        </div>
        {account.hasAdmin && <Admin service={service} />}
        {shown !== undefined && <Viewer {...shown} onClose={() => setShown(undefined)} />}
      </main>
    </>
  );
}
