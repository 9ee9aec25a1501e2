import type { ByteSource, BytesResult, Context, Draft, Temp } from '../../contract/base/ports.ts';
import { PDF } from '../../contract/media.ts';
import { documentId } from '../../pdf/file/copy/assemble.ts';
import type { Append, PageChange } from '../../pdf/file/copy/rewrite.ts';
import { type Source, type WorkOptions, withSources } from '../../pdf/file/open.ts';
import { Pace } from '../../pdf/file/read/pace.ts';
import { checked } from '../../pdf/file/write/check.ts';
import { updateWarnings } from './appended.ts';

/** An output PDF in the making: made from one document, perhaps with others. */
export interface Making {
  readonly source: Source;
  /** The sources in the order of the inputs; the first is the document. */
  readonly sources: readonly Source[];
  /** The number of pages of the document. */
  readonly total: number;
  readonly draft: Draft;
  /** Creates intermediate drafts. */
  readonly temp: Temp;
  readonly pace: Pace;
  /** Set where the change is appended as an incremental update. */
  readonly append: Append | undefined;
  /** The /ID of the output, in hexadecimal. `what`: everything besides the sources that the output depends on. */
  id(what: string): string;
  /** Reports that work on the next page begins. */
  step(phase: string): void;
  /** For pages that stay as they are: reports each. */
  unchanged(phase: string): PageChange;
}

export interface MadePdf {
  /** The number of pages of the output; by default that of the document. */
  readonly pages?: number;
  readonly details?: BytesResult['details'];
  readonly warnings?: readonly string[] | undefined;
  readonly password?: string;
}

/** Opens the inputs, lets `write` fill the draft `name`, and checks its page count. */
export function writePdf(
  inputs: readonly ByteSource[],
  name: string,
  ctx: Context,
  write: (making: Making) => Promise<MadePdf>,
  options: WorkOptions = {},
): Promise<BytesResult> {
  const append = options.incremental === true ? { random: ctx.random } : undefined;
  const work = async (sources: readonly Source[], temp: Temp): Promise<BytesResult> => {
    const [source] = sources as [Source, ...Source[]]; // as many as inputs
    const total = source.tree.pages.length;
    const draft = temp.create(name);
    let done = 0;
    const id = (what: string): string => documentId(sources, what);
    const step = (phase: string): void => ctx.progress({ phase, done: done++, total, unit: 'pages' });
    const unchanged = (phase: string) => () => {
      step(phase);
      return new Map();
    };
    const pace = new Pace(ctx);
    const made = await write({ source, sources, total, draft, temp, pace, append, id, step, unchanged });
    const { pages = total, details, warnings = [], password = append && source.file.password } = made;
    const body = await checked(draft.finish(), pages, password);
    const told = append === undefined ? [] : await updateWarnings(source, body);
    return {
      kind: 'bytes',
      mediaType: PDF,
      body,
      pages,
      ...(details && { details }),
      warnings: [...warnings, ...told],
    };
  };
  return withSources(inputs, ctx, work, options);
}
