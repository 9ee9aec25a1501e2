// Results and steps, and an HTML result in its frame.
import { useEffect, useRef } from 'preact/hooks';
import { HTML } from '../contract/media.ts';
import { Button, CopyLine, Save } from './controls.tsx';
import type { DoneStep, ShownResult } from './documents.ts';

/** The most characters of a text that are shown; all can be saved. */
const SHOWN = 20_000;

interface Props {
  readonly results: readonly ShownResult[];
  /** Opens an HTML result. */
  readonly onShow: (title: string, page: Blob) => void;
  readonly onRemove: (id: number) => void;
}

export function Results({ results, onShow, onRemove }: Props) {
  if (results.length === 0) return null;
  return (
    <section aria-label="Results">
      <h2>Results</h2>
      {results.map(({ id, title, name, blob, text }) => (
        <article key={id} aria-label={title}>
          <h3>{title}</h3>
          <p>
            {blob.type === HTML && <Button text="Open it" onClick={() => onShow(title, blob)} />}
            <Save blob={blob} name={name} />
            <Button text="Remove" label={`Remove the result of ${title}`} onClick={() => onRemove(id)} />
          </p>
          {text !== undefined && (
            <textarea
              readOnly
              rows={12}
              dir="auto"
              aria-label={title}
              value={text.length > SHOWN ? `${text.slice(0, SHOWN)}\n…` : text}
            />
          )}
        </article>
      ))}
    </section>
  );
}

interface StepProps {
  readonly steps: readonly DoneStep[];
  readonly onUndo: () => void;
}

/** The steps so far, with undo, as commands that repeat them. */
export function StepList({ steps, onUndo }: StepProps) {
  if (steps.length === 0) return null;
  const entries = steps.map(({ entry }) => entry);
  return (
    <section aria-label="Steps">
      <h2>Steps</h2>
      <ol>
        {steps.map(({ title }, index) => (
          // Steps are added and taken off at the end alone: their place is their name.
          <li key={index}>{title}</li>
        ))}
      </ol>
      <p>
        <Button text="Undo the last step" onClick={onUndo} />
        {entries.every((entry) => entry !== undefined) && (
          <>
            <Save blob={new Blob([JSON.stringify({ steps: entries }, null, 2)])} name="steps.json" /> for{' '}
            <code>pdftool run steps.json FILES -o OUT.pdf</code>
          </>
        )}
      </p>
      <CopyLine title="All steps at a terminal" text={steps.map(({ line }) => line).join(' &&\n')} />
    </section>
  );
}

/** An HTML result. */
export interface Shown {
  readonly title: string;
  readonly html: string;
  /** Receives messages of the frame, such as the regions of a review. */
  readonly onMessage?: (message: unknown) => void;
}

/** Shows an HTML result, such as a comparison, in a sandboxed frame that can access neither this page nor its key. */
export function Viewer({ title, html, onMessage, onClose }: Shown & { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    const listen = ({ source, data }: MessageEvent<unknown>) => {
      const view = frame.current?.contentWindow;
      if (view == null || source !== view) return;
      // The frame has an opaque origin and gets only this HTML.
      if (data === 'ready') view.postMessage(html, '*');
      else onMessage?.(data);
    };
    addEventListener('message', listen);
    return () => removeEventListener('message', listen);
  }, [html]);
  return (
    <dialog ref={dialog} class="viewer" aria-label={title} onClose={onClose}>
      <p>
        <strong dir="auto">{title}</strong> <Button text="Close" onClick={() => dialog.current?.close()} />
      </p>
      <iframe ref={frame} src="/page/view" title={title} />
    </dialog>
  );
}
