import { Button } from './controls.tsx';
import { Save } from './document-list.tsx';
import type { DoneStep } from './documents.ts';
import { CopyLine } from './operation-form.tsx';

interface Props {
  readonly steps: readonly DoneStep[];
  readonly onUndo: () => void;
}

/** The steps so far, with undo, as commands that repeat them. */
export function StepList({ steps, onUndo }: Props) {
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
