import { HTML } from '../contract/media.ts';
import { Button } from './controls.tsx';
import { Save } from './document-list.tsx';
import type { ShownResult } from './documents.ts';

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
