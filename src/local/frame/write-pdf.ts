import { PDF } from '../../contract/media.ts';
import type { ByteSource, BytesResult, Context, Draft, Temp } from '../../contract/ports.ts';
import { documentId } from '../../pdf/file/copy/assemble.ts';
import type { Append } from '../../pdf/file/copy/rewrite.ts';
import { type Source, type WorkOptions, withSources } from '../../pdf/file/open.ts';
import { Pace } from '../../pdf/file/read/pace.ts';
import { checked } from '../../pdf/file/write/check.ts';
import { updateWarnings } from './appended.ts';

/** A PDF that is being made of one document, perhaps with the help of others. */
export interface Making {
  readonly source: Source;
  /** The document and the others, in the order of the inputs. */
  readonly sources: readonly Source[];
  /** How many pages the document has. */
  readonly total: number;
  readonly draft: Draft;
  /** For intermediate drafts. */
  readonly temp: Temp;
  readonly pace: Pace;
  /** Where the change is to be appended to the file as it is. */
  readonly append: Append | undefined;
  /** The output's /ID, in hexadecimal. `what`: all that the output depends on besides the sources. */
  id(what: string): string;
  /** Reports that work on the next page begins. */
  step(phase: string): void;
}

export interface MadePdf {
  /** Pages of the output; left out, as many as the document has. */
  readonly pages?: number;
  readonly details?: BytesResult['details'];
  readonly warnings?: readonly string[] | undefined;
  readonly password?: string;
}

/** Opens the inputs, has `write` fill the draft `name`, and checks the number of its pages. */
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
    const made = await write({ source, sources, total, draft, temp, pace: new Pace(ctx), append, id, step });
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
