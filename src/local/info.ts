import type { info } from '../contract/operations/pages/pages.ts';
import { signatureFields } from '../pdf/file/read/form-fields.ts';
import { askedPages } from '../pdf/page/page-names.ts';
import { PAPER } from '../pdf/page/paper.ts';
import { factsOf } from '../pdf/structure/inspect/facts.ts';
import { INFO_KEYS } from '../pdf/structure/metadata.ts';
import { isoDate } from '../pdf/syntax/dates.ts';
import { textOf } from '../pdf/syntax/text-strings.ts';
import type { Handler } from './frame/handler.ts';
import { withSource } from './frame/with-source.ts';

const FIELDS = ['title', 'author', 'subject', 'keywords', 'producer', 'creator'] as const;

export const run: Handler<typeof info> = ({ file: input, pages }, ctx) => {
  return withSource(input, ctx, async (source) => {
    const { file, tree } = source;
    const entries = file.dict(file.xref.trailer.get('Info'));
    const fields = FIELDS.map((field) => [field, textOf(file.resolve(entries?.get(INFO_KEYS[field])))]);
    const record = { ok: true, page_count: tree.pages.length, ...Object.fromEntries(fields) };
    const some = pages && askedPages(file.name, tree.pages.length, pages);
    const facts = factsOf(
      source,
      some?.flatMap((number) => tree.pages[number - 1] ?? []),
    );
    const dates = Object.entries(DATES).flatMap(([name, key]) => {
      const date = isoDate(textOf(file.resolve(entries?.get(key))));
      return date === undefined ? [] : [[name, date] as const];
    });
    const signed = signatureFields(file).some(({ dict }) => dict.has('V'));
    const verdict = signed
      ? { signature_verdicts: await (await import('./protection/verify.ts')).verdictLine(input, ctx) }
      : {};
    const details = { ...facts, ...verdict, ...paperOf(facts.page_sizes as Sizes), ...Object.fromEntries(dates) }; // made by pageSizes
    return { kind: 'record', record: { ...record, details } };
  });
};

const DATES = { created: 'CreationDate', modified: 'ModDate' };

type Sizes = Readonly<Record<string, string>>;

/** Programs round to whole points or millimetres. */
const TOLERANCE = 3;

/** The paper size of the pages, if it is a common one. `sizes`: page counts by sizes such as `595.28 x 841.89 pt`. */
function paperOf(sizes: Sizes): { paper?: Record<string, string> } {
  const papers = Object.entries(sizes).flatMap(([size, pages]) => {
    const sides = /^([\d.]+) x ([\d.]+) pt$/.exec(size)?.slice(1).map(Number) ?? [];
    const [short = 0, long = 0] = sides.toSorted((a, b) => a - b);
    const [name] =
      Object.entries(PAPER).find(([, upright]) => {
        const [width = 0, height = 0] = upright.map((side) => Number(side.toFixed(2)));
        return Math.abs(width - short) <= TOLERANCE && Math.abs(height - long) <= TOLERANCE;
      }) ?? [];
    return name === undefined ? [] : [[`${name}${sides[0] === short ? '' : ' landscape'}`, pages] as const];
  });
  // Sizes that differ only by rounding count as one paper.
  const all = new Map<string, string>();
  for (const [name, pages] of papers)
    all.set(name, [all.get(name), pages].filter((page) => page !== undefined).join(', '));
  return all.size === 0 ? {} : { paper: Object.fromEntries(all) };
}
