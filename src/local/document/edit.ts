import type { ByteSource, BytesResult, Context } from '../../contract/base/ports.ts';
import type { Copier } from '../../pdf/file/copy/copier.ts';
import { rewrite } from '../../pdf/file/copy/rewrite.ts';
import type { LostClaims } from '../../pdf/file/drop-claim.ts';
import type { Source } from '../../pdf/file/open.ts';
import type { Pace } from '../../pdf/file/read/pace.ts';
import { type MadePdf, type Making, writePdf } from '../frame/write-pdf.ts';

export interface Edit {
  readonly incremental?: boolean | undefined;
  /** Checks the document before anything is written. Throws where the edit is impossible. */
  readonly begin?: (source: Source) => void;
  /** The object number of the information dictionary in the output; by default that of the source. */
  readonly info?: (copier: Copier) => number;
  /** Writes new objects and registers changes of others. Pages are numbered already. */
  readonly prepare: (copier: Copier, source: Source, pace: Pace) => void | Promise<void>;
  /** Claims of the document (such as PDF/A) that the output cannot keep. */
  readonly loses?: (sources: readonly Source[]) => LostClaims;
  /** What the person should know of the change. */
  readonly warnings?: () => readonly string[];
}

/** Copies a document and changes anything but its pages. `what`: everything that the output depends on, for its /ID. */
export function editDocument(
  file: ByteSource,
  what: readonly unknown[],
  edit: Edit,
  ctx: Context,
): Promise<BytesResult> {
  const write = async ({ source, draft, pace, append, id, unchanged }: Making): Promise<MadePdf> => {
    edit.begin?.(source);
    const prepare = (copier: Copier) => edit.prepare(copier, source, pace);
    const other = { append, ...(edit.info && { info: edit.info }) };
    await rewrite(source, draft, id(JSON.stringify(what)), pace, unchanged('copy'), prepare, other);
    return { warnings: edit.warnings?.() };
  };
  return writePdf([file], 'edited.pdf', ctx, write, edit);
}
