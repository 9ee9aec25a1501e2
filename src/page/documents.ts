// The documents on the page, the steps that made them, and other results.
import { useRef, useState } from 'preact/hooks';
import { EXTENSIONS, HTML, PDF, typeNamed } from '../contract/media.ts';
import { outputOf, type ServiceOperation, wordsOf } from '../contract/operation.ts';
import { info } from '../contract/operations/pages/pages.ts';
import { formatPages } from '../contract/page-range.ts';
import type { Typed } from './lines.ts';
import { type Answer, isKeyRefused, RequestError, type ServiceClient } from './service.ts';
import { unzip } from './zip.ts';

export interface Document {
  readonly id: number;
  readonly name: string;
  readonly blob: Blob;
  /** Set for a PDF when the server has counted its pages. */
  readonly pageCount?: number;
  /** Why its pages cannot be shown. */
  readonly trouble?: string;
  readonly isLocked?: boolean;
  readonly isChosen: boolean;
  readonly marked: ReadonlySet<number>;
  /** The page order after dragging thumbnails; undefined if unchanged. */
  readonly order?: readonly number[];
}

/** A step in words and as a command line; `before` and `after`: all documents when it began and when it was done. */
export interface DoneStep {
  readonly title: string;
  readonly line: string;
  /** The step in a file for `pdftool run`; undefined where it has a file or a password. */
  readonly entry: Readonly<Record<string, unknown>> | undefined;
  readonly before: readonly Document[];
  readonly after: readonly Document[];
}

/** A result that is no document to continue with. */
export interface ShownResult {
  readonly id: number;
  readonly title: string;
  readonly name: string;
  readonly blob: Blob;
  readonly text?: string;
}

let last = 0;
/** A number that is unique on the page. */
function newId(): number {
  last += 1;
  return last;
}

function newDocument(name: string, blob: Blob): Document {
  return { id: newId(), name, blob, isChosen: true, marked: new Set() };
}

export const hasPdfName = ({ name }: Pick<Document, 'name'>): boolean => typeNamed(name) === PDF;

/**
 * Asks the server how many pages a document has.
 * @returns the page count, or why it is not known; neither for what is no PDF
 * @throws RequestError where the key is refused: the next key may know the pages
 */
async function pageCountOf(
  { name, blob }: Pick<Document, 'name' | 'blob'>,
  service: ServiceClient,
): Promise<Pick<Document, 'pageCount' | 'trouble' | 'isLocked'>> {
  if (!hasPdfName({ name })) return {};
  try {
    const answer = await service.run(info, {}, [['file', blob, name]]);
    const { page_count } = JSON.parse(await answer.blob.text()) as { page_count?: unknown };
    return typeof page_count === 'number' ? { pageCount: page_count } : {};
  } catch (error) {
    if (!(error instanceof RequestError) || isKeyRefused(error)) throw error;
    return { trouble: error.message, isLocked: error.code === 'password' };
  }
}

/** The dragged page order of a document, or its marked pages, as a page range. */
export function pagesText({ marked, order }: Document): string {
  return formatPages(order ?? [...marked].sort((a, b) => a - b));
}

/** The output of an operation: documents to continue with, results, or the id of a job. */
export async function takeAnswer(
  op: ServiceOperation,
  typed: Typed,
  names: readonly string[],
  { blob, mediaType }: Answer,
): Promise<{ documents: Document[] } | { results: ShownResult[] } | { job: string }> {
  const chosen = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== ''));
  const { output } = outputOf(op, chosen);
  const stem = (names[0] ?? 'document').replace(/\.[^.]*$/, '');
  const title = `${wordsOf(op)}: ${names.join(', ')}`;
  if (mediaType === HTML)
    return { results: [{ id: newId(), title, name: `${stem}.html`, blob: new Blob([blob], { type: HTML }) }] };
  if (output.kind === 'record') {
    const record = JSON.parse(await blob.text()) as Record<string, unknown>;
    const { ok: _, credits_remaining: __, ...facts } = record;
    const inText = output.text === undefined ? undefined : record[output.text];
    const text = typeof inText === 'string' ? inText : JSON.stringify(facts, null, 2);
    const ending = typeof inText === 'string' ? 'txt' : 'json';
    return { results: [{ id: newId(), title, name: `${stem}.${ending}`, blob: new Blob([text]), text }] };
  }
  if (output.kind === 'job') return { job: String((JSON.parse(await blob.text()) as { job_id?: unknown }).job_id) };
  const base = 'fixed' in output.stem ? output.stem.fixed : `${stem}${output.stem.suffix}`;
  const name = `${base}.${EXTENSIONS[mediaType]?.[0] ?? 'bin'}`;
  if (output.kind === 'bytes' && mediaType === PDF) return { documents: [newDocument(name, blob)] };
  if (output.kind === 'parts' && output.partTypes.includes(PDF)) {
    const parts = await unzip(blob);
    return { documents: parts.map((part) => newDocument(`${stem}-${part.name}`, part.content)) };
  }
  const isText = /^text\/|json/.test(mediaType);
  return { results: [{ id: newId(), title, name, blob, ...(isText ? { text: await blob.text() } : {}) }] };
}

/** The documents and the steps that made them. The server counts the pages of those that are shown. */
export function useDocuments(service: ServiceClient, refused: (error: unknown) => void) {
  const [documents, render] = useState<readonly Document[]>([]);
  const [steps, setSteps] = useState<readonly DoneStep[]>([]);
  /** The newest list, for what began with an older one: documents are added and removed while a request runs. */
  const newest = useRef(documents);
  const counting = useRef(new Set<number>());
  const set = (next: readonly Document[]) => {
    newest.current = next;
    render(next);
  };
  const change = (id: number, made: (old: Document) => Document) =>
    set(newest.current.map((one) => (one.id === id ? made(one) : one)));
  const chooseAlone = (id: number) => set(newest.current.map((one) => ({ ...one, isChosen: one.id === id })));
  /** Asks the server for the page counts that are not known yet. */
  const countPages = () => {
    if (service.key === '') return;
    for (const { id, ...one } of newest.current) {
      if (one.pageCount !== undefined || one.trouble !== undefined || counting.current.has(id)) continue;
      counting.current.add(id);
      pageCountOf(one, service)
        .then((known) => change(id, (old) => ({ ...old, ...known })), refused)
        .finally(() => counting.current.delete(id));
    }
  };
  const show = (next: readonly Document[]) => {
    set(next);
    countPages();
  };
  const add = (files: readonly File[]) =>
    show([...newest.current, ...files.map((file) => newDocument(file.name, file))]);
  /** Puts documents in the place of the first of others; at the end, if the user has removed those meanwhile. */
  const replace = (
    others: readonly Document[],
    made: readonly Document[],
    step: Pick<DoneStep, 'title' | 'line' | 'entry'>,
  ) => {
    const before = newest.current;
    const ids = new Set(others.map(({ id }) => id));
    const first = before.findIndex(({ id }) => ids.has(id));
    const place = first === -1 ? before.length : first;
    const after = [...before.slice(0, place), ...made, ...before.slice(place).filter(({ id }) => !ids.has(id))];
    show(after);
    setSteps((all) => [...all, { ...step, before, after }]);
  };
  /** Restores the documents from before the last step; those that were added since stay. */
  const undo = ({ before, after }: DoneStep) => {
    const known = new Set([...before, ...after].map(({ id }) => id));
    show([...before, ...newest.current.filter(({ id }) => !known.has(id))]);
    setSteps(steps.slice(0, -1));
  };
  return { documents, newest, steps, set, change, chooseAlone, countPages, add, replace, undo };
}

/** A step for `pdftool run`; undefined with a password, which is never written to a file. */
export function entryOf(op: ServiceOperation, typed: Typed): Readonly<Record<string, unknown>> | undefined {
  const given = Object.entries(op.input).filter(([name]) => typed[name] !== undefined && typed[name] !== '');
  if (given.some(([, { kind }]) => kind === 'secret')) return undefined;
  // A flag is typed where it differs from its default.
  const values = given.map(([name, field]) => [name, field.kind === 'flag' ? field.default !== true : typed[name]]);
  return { operation: op.name, ...Object.fromEntries(values) };
}
