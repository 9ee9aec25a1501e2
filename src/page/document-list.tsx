import { useEffect, useRef, useState } from 'preact/hooks';
import { type ServiceOperation, wordsOf } from '../contract/operation.ts';
import { pagesDrop, pagesTake } from '../contract/operations/pages/page-order.ts';
import { rotate } from '../contract/operations/pages/pages.ts';
import { Button, Save, SecretForm } from './controls.tsx';
import { type Document, hasPdfName } from './documents.ts';
import type { Typed } from './lines.ts';
import type { ServiceClient } from './service.ts';
import { Thumbnails } from './thumbnails.tsx';
import { sizeText } from './values.ts';

/** Shortcuts for marked pages: operations with their fields filled in. */
const WITH_MARKS: readonly { op: ServiceOperation; label: string; preset: Typed }[] = [
  { op: rotate, label: 'Turn right', preset: { angle: '90' } },
  { op: rotate, label: 'Turn left', preset: { angle: '-90' } },
  { op: pagesDrop, label: 'Leave out', preset: {} },
  { op: pagesTake, label: 'Keep only these', preset: {} },
];

interface Props {
  readonly documents: readonly Document[];
  readonly service: ServiceClient;
  readonly onAdd: (files: readonly File[]) => void;
  readonly onChange: (id: number, made: (old: Document) => Document) => void;
  /** As onChange, where marks or the page order change. */
  readonly onMark: (id: number, made: (old: Document) => Document) => void;
  readonly onRemove: (id: number) => void;
  readonly onReorder: (documents: readonly Document[]) => void;
  /** Opens an operation for one document alone. */
  readonly onOpen: (op: ServiceOperation, preset: Typed, id: number) => void;
  readonly onUnlock: (document: Document, password: string) => void;
}

export function Documents(props: Props) {
  const { documents, onAdd, onReorder } = props;
  const [isOver, setOver] = useState(false);
  const adding = useRef(onAdd);
  adding.current = onAdd;
  // On the whole page: a browser would leave it for a file that is dropped beside the list.
  useEffect(() => {
    const stop = new AbortController();
    const take = (event: Event, from: DataTransfer | null) => {
      setOver(false);
      const files = [...(from?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      adding.current(files);
    };
    const over = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      setOver(true);
    };
    const { signal } = stop;
    addEventListener('dragover', over, { signal });
    addEventListener('dragleave', ({ relatedTarget }) => relatedTarget === null && setOver(false), { signal });
    addEventListener('drop', (event) => take(event, event.dataTransfer), { signal });
    addEventListener('paste', (event) => take(event, event.clipboardData), { signal });
    return () => stop.abort();
  }, []);
  const move = (from: number, by: number) => {
    const next = [...documents];
    const [one] = next.splice(from, 1);
    if (one !== undefined) next.splice(from + by, 0, one);
    onReorder(next);
  };
  return (
    <section aria-label="Documents" class={isOver ? 'documents over' : 'documents'}>
      <h2>Documents</h2>
      <p>
        <label for="files">Drop files here, paste them, or choose</label>{' '}
        <input
          id="files"
          type="file"
          multiple
          onChange={({ currentTarget }) => {
            onAdd([...(currentTarget.files ?? [])]);
            currentTarget.value = '';
          }}
        />
      </p>
      {documents.map((one, index) => (
        <OneDocument
          key={one.id}
          {...props}
          document={one}
          {...(index > 0 ? { onUp: () => move(index, -1) } : {})}
          {...(index < documents.length - 1 ? { onDown: () => move(index, 1) } : {})}
        />
      ))}
    </section>
  );
}

interface OneProps extends Props {
  readonly document: Document;
  readonly onUp?: () => void;
  readonly onDown?: () => void;
}

function OneDocument({ document: one, service, onUp, onDown, onChange, onMark, onRemove, onOpen, onUnlock }: OneProps) {
  const { id, name, blob, pageCount, trouble, isLocked, isChosen, marked } = one;
  const [lastMark, setLastMark] = useState(1);
  const mark = (page: number, isRange: boolean) => {
    const pages = isRange
      ? Array.from({ length: Math.abs(page - lastMark) + 1 }, (_, index) => Math.min(page, lastMark) + index)
      : [page];
    setLastMark(page);
    onMark(id, (old) => {
      const next = new Set(old.marked);
      const isOn = isRange || !old.marked.has(page);
      for (const page of pages) isOn ? next.add(page) : next.delete(page);
      return { ...old, marked: next };
    });
  };
  const move = (page: number, to: number) =>
    onMark(id, (old) => {
      const order = [...(old.order ?? Array.from({ length: pageCount ?? 0 }, (_, index) => index + 1))];
      const from = order.indexOf(page);
      if (from === -1 || to < 0 || to > order.length) return old;
      order.splice(from, 1);
      order.splice(from < to ? to - 1 : to, 0, page);
      return { ...old, order };
    });
  return (
    <article aria-label={name}>
      <h3 dir="auto">{name}</h3>
      <p>
        <label>
          <input
            type="checkbox"
            checked={isChosen}
            onChange={() => onChange(id, (old) => ({ ...old, isChosen: !old.isChosen }))}
          />{' '}
          work on it
        </label>{' '}
        <span>
          {sizeText(blob.size)}
          {pageCount !== undefined && `, ${pageCount} ${pageCount === 1 ? 'page' : 'pages'}`}
        </span>{' '}
        {onUp !== undefined && <Button text="↑" label={`Move ${name} up`} onClick={onUp} />}
        {onDown !== undefined && <Button text="↓" label={`Move ${name} down`} onClick={onDown} />}
        <Save blob={blob} name={name} />
        <Button text="Remove" label={`Remove ${name}`} onClick={() => onRemove(id)} />
      </p>
      {isLocked === true && (
        <SecretForm
          label={`${name} is locked. Its password:`}
          text="Unlock"
          onSend={(password) => onUnlock(one, password)}
        />
      )}
      {trouble !== undefined && isLocked !== true && <p class="trouble">{trouble}</p>}
      {marked.size > 0 && <Marks id={id} marked={marked} onMark={onMark} onOpen={onOpen} />}
      {hasPdfName(one) && pageCount !== undefined && (
        <Thumbnails document={one} service={service} onMark={mark} onMove={move} />
      )}
    </article>
  );
}

/** Shortcuts for the marked pages. */
function Marks({ id, marked, onMark, onOpen }: Pick<OneProps, 'onMark' | 'onOpen'> & Pick<Document, 'id' | 'marked'>) {
  return (
    <p class="marks">
      {marked.size} marked:{' '}
      {WITH_MARKS.map(({ op, label, preset }) => (
        <Button key={label} text={label} title={wordsOf(op)} onClick={() => onOpen(op, preset, id)} />
      ))}
      <Button text="Unmark all" onClick={() => onMark(id, (old) => ({ ...old, marked: new Set() }))} />
    </p>
  );
}
