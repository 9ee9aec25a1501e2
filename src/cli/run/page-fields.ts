import * as v from 'valibot';
import type { Engine } from '../../contract/engine.ts';
import { Failure } from '../../contract/failure.ts';
import type { Field } from '../../contract/field.ts';
import type { AnyOperation } from '../../contract/operation.ts';
import { info } from '../../contract/operations/pages.ts';
import {
  formatPages,
  isFixed,
  type PageRange,
  parsePageRange,
  resolveGroups,
  resolvePages,
  spansOf,
} from '../../contract/page-range.ts';
import type { ByteSource, Context } from '../../contract/ports.ts';

/** A range of the line, and the flag it stands behind. */
export interface PagesGiven {
  readonly flag: string;
  readonly range: PageRange;
}

/** Whether a field's text on the command line is a page range. */
export function takesPages(field: Field): boolean {
  return field.kind === 'pages' || field.kind === 'ranges' || (field.kind === 'text' && field.grammar === 'pages');
}

/** The range, or what is wrong with the text. */
export function readPages(text: string): { range: PageRange } | { issue: string } {
  try {
    return { range: parsePageRange(text) };
  } catch (error) {
    // The hint is part of the text, because other flags may be wrong too and all share one hint.
    if (error instanceof Failure) return { issue: [error.message, error.hint].filter((line) => line).join('\n') };
    throw error;
  }
}

/** More pages than any file: words from the front mean the same in every file. */
const ANY = Number.MAX_SAFE_INTEGER;

/**
 * The values of all page fields for one file. Its pages are counted where a word needs it, and before anything is sent;
 * a file that cannot be counted here and needs no counting is left to the engine.
 */
export async function resolvePageFields(
  op: AnyOperation,
  asked: Readonly<Record<string, PagesGiven>>,
  source: ByteSource | undefined,
  engine: Engine['name'],
  ctx: Context,
): Promise<Record<string, unknown>> {
  const entries = Object.entries(asked);
  const name = source?.name ?? 'the document';
  const fixed = entries.every(([, { range }]) => isFixed(range));
  let count = ANY;
  if (source !== undefined && entries.length > 0 && !(fixed && engine === 'local')) {
    try {
      count = await countPages(source, fixed ? { ...ctx, password: async () => undefined } : ctx);
    } catch (error) {
      if (!(error instanceof Failure) || ctx.signal.aborted || !fixed) throw error;
    }
  }
  return Object.fromEntries(
    entries.map(([field, { flag, range }]) => [field, fieldValue(op.input[field], flag, range, count, name)]),
  );
}

/** Pages of a PDF. Throws where it cannot be read. */
export async function countPages(source: ByteSource, ctx: Context): Promise<number> {
  const { createLocalEngine } = await import('../../local/engine.ts');
  const { record } = await createLocalEngine().call(info, { file: source }, ctx);
  return Number(record.page_count);
}

function fieldValue(field: Field | undefined, flag: string, range: PageRange, count: number, name: string): unknown {
  if (field === undefined) throw new TypeError(`${flag} stands for no field`);
  const value =
    field.kind === 'ranges' ? resolveGroups(range, count, name).flatMap(spansUp) : rising(range, count, name);
  const checked = v.safeParse(field.schema, field.kind === 'text' ? formatPages(value as number[]) : value); // see rising
  if (checked.success) return checked.output;
  throw new Failure('usage', `${flag}: ${checked.issues.map(({ message }) => message).join('; ')}`);

  function spansUp(pages: readonly number[]): readonly (readonly [number, number])[] {
    const down = pages.findIndex((page, index) => page < (pages[index - 1] ?? 0));
    if (down === -1) return spansOf(pages);
    throw new Failure(
      'usage',
      `${flag}: the pages of a file keep their order, and ${pages[down]} comes after ${pages[down - 1]}`,
      {
        hint: 'Write each range upwards, such as 3-7.',
      },
    );
  }
}

/** Each page once, upwards: where pages are chosen or cut after, their order says nothing. */
function rising(range: PageRange, count: number, name: string): number[] {
  return [...new Set(resolvePages(range, count, name))].sort((a, b) => a - b);
}
