import * as v from 'valibot';
import { Failure } from './base/failure.ts';
import type { ByteSource, Context } from './base/ports.ts';
import type { Engine } from './engine.ts';
import type { Field } from './field.ts';
import type { AnyOperation } from './operation.ts';
import { formatPages, isFixed, type PageRange, resolveGroups, resolvePages, spansOf } from './page-range.ts';

/** A page range, and the name of the field or option that gave it: `--pages`, `page_range`. */
export interface PagesGiven {
  readonly flag: string;
  readonly range: PageRange;
}

/** A field as a surface read it: a value, the names of files, a page range, or what is wrong. */
export type ReadValue =
  | { readonly issue: string }
  | { readonly value: unknown }
  | { readonly names: readonly string[] }
  | { readonly range: PageRange };

export function takesPages(field: Field): boolean {
  return field.kind === 'pages' || field.kind === 'ranges' || (field.kind === 'text' && field.grammar === 'pages');
}

/** More pages than any file has: ranges that count from the front mean the same in every file. */
const ANY = Number.MAX_SAFE_INTEGER;

/**
 * The values of all page fields for one file. Pages are counted before anything is sent, where a range needs it (`r2`,
 * `7-`); a file that cannot be counted here and needs no counting is left to the engine.
 */
export async function resolvePageFields(
  op: AnyOperation,
  given: Readonly<Record<string, PagesGiven>>,
  source: ByteSource | undefined,
  engine: Engine['name'],
  ctx: Context,
  countPages: (source: ByteSource, ctx: Context) => Promise<number>,
): Promise<Record<string, unknown>> {
  const entries = Object.entries(given);
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
  return Object.fromEntries(entries.map(([field, pages]) => [field, fieldValue(op.input[field], pages, count, name)]));
}

function fieldValue(field: Field | undefined, { flag, range }: PagesGiven, count: number, name: string): unknown {
  if (field === undefined) throw new TypeError(`${flag} stands for no field`);
  // Where pages are selected or cut after, order does not count: each page once, rising.
  const rising = () => [...new Set(resolvePages(range, count, name))].sort((a, b) => a - b);
  const value =
    field.kind === 'ranges'
      ? resolveGroups(range, count, name).flatMap((pages) => spansUp(pages, flag))
      : field.kind === 'text'
        ? formatPages(rising())
        : rising();
  const checked = v.safeParse(field.schema(), value);
  if (checked.success) return checked.output;
  throw new Failure('usage', `${flag}: ${checked.issues.map(({ message }) => message).join('; ')}`);
}

function spansUp(pages: readonly number[], flag: string): readonly (readonly [number, number])[] {
  const down = pages.findIndex((page, index) => page < (pages[index - 1] ?? 0));
  if (down === -1) return spansOf(pages);
  const message = `${flag}: the pages of a file keep their order, and ${pages[down]} comes after ${pages[down - 1]}`;
  throw new Failure('usage', message, { hint: 'Write each range upwards, such as 3-7.' });
}
