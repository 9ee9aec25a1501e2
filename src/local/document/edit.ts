import { PDF } from '../../contract/media.ts';
import type { ByteSource, BytesResult, Context } from '../../contract/ports.ts';
import { fingerprint } from '../../pdf/copy/assemble.ts';
import type { Copier } from '../../pdf/copy/copier.ts';
import { rewrite } from '../../pdf/copy/rewrite.ts';
import { Pace } from '../../pdf/pace.ts';
import { signatureWarning } from '../../pdf/read/signature.ts';
import { type Source, withSources } from '../../pdf/read/source.ts';
import { checked } from '../../pdf/write/check.ts';

/** A change of what a document has besides its pages. */
export interface Edit {
  /** Looks at the document before anything is written, and throws where it cannot be done. */
  readonly begin?: (source: Source) => void;
  /** The number of the document information in the output; left out, it is that of the source. */
  readonly info?: (copier: Copier) => number;
  /** Writes new objects, and says what changes in others. Pages have their numbers already. */
  readonly prepare: (copier: Copier, source: Source, pace: Pace) => void | Promise<void>;
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
  return withSources([file], ctx, async (sources, temp) => {
    const [source] = sources as [Source];
    edit.begin?.(source);
    const total = source.tree.pages.length;
    const draft = temp.create('edited.pdf');
    const pace = new Pace(ctx);
    let done = 0;
    await rewrite(
      source,
      draft,
      fingerprint(sources, JSON.stringify(what)),
      pace,
      () => {
        ctx.progress({ phase: 'copy', done: done++, total, unit: 'pages' });
        return new Map();
      },
      (copier) => edit.prepare(copier, source, pace),
      edit.info === undefined ? {} : { info: edit.info },
    );
    const body = await checked(draft.finish(), total);
    const warnings = [...(edit.warnings?.() ?? []), ...signatureWarning(source.file)];
    return { kind: 'bytes', mediaType: PDF, body, pages: total, warnings };
  });
}
