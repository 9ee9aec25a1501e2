import type { ByteSource, BytesResult, Context } from '../../contract/ports.ts';
import type { Copier } from '../../pdf/file/copy/copier.ts';
import { rewrite } from '../../pdf/file/copy/rewrite.ts';
import type { LostClaims } from '../../pdf/file/drop-claim.ts';
import type { Source } from '../../pdf/file/open.ts';
import type { Pace } from '../../pdf/file/read/pace.ts';
import { type MadePdf, type Making, writePdf } from '../frame/write-pdf.ts';

export interface Edit {
  readonly incremental?: boolean | undefined;
  /** Looks at the document before anything is written, and throws where it cannot be done. */
  readonly begin?: (source: Source) => void;
  /** The number of the document information in the output; left out, it is that of the source. */
  readonly info?: (copier: Copier) => number;
  /** Writes new objects, and says what changes in others. Pages have their numbers already. */
  readonly prepare: (copier: Copier, source: Source, pace: Pace) => void | Promise<void>;
  /** Claims of the document that the output cannot make. */
  readonly loses?: (sources: readonly Source[]) => LostClaims;
  /** What the person should know of the change. */
  readonly warnings?: () => readonly string[];
}

/** Copies a document with a change of what it has besides its pages. `what`: all that the output depends on, for /ID. */
export function editDocument(
  file: ByteSource,
  what: readonly unknown[],
  edit: Edit,
  ctx: Context,
): Promise<BytesResult> {
  const write = async ({ source, draft, pace, append, id, step }: Making): Promise<MadePdf> => {
    edit.begin?.(source);
    await rewrite(
      source,
      draft,
      id(JSON.stringify(what)),
      pace,
      () => {
        step('copy');
        return new Map();
      },
      (copier) => edit.prepare(copier, source, pace),
      { append, ...(edit.info && { info: edit.info }) },
    );
    return { warnings: edit.warnings?.() };
  };
  return writePdf([file], 'edited.pdf', ctx, write, edit);
}
