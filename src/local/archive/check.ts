import { Failure } from '../../contract/base/failure.ts';
import type { Context } from '../../contract/base/ports.ts';
import { field, say } from '../../contract/base/wording.ts';
import type { checkStandards } from '../../contract/operations/edit/archive.ts';
import { lookFor } from '../../pdf/archive/check.ts';
import type { BrokenRule } from '../../pdf/archive/job.ts';
import type { Source } from '../../pdf/file/open.ts';
import { claimsOf, claimText, type StandardClaim } from '../../pdf/file/read/claims.ts';
import { Pace } from '../../pdf/file/read/pace.ts';
import { onDisk } from '../../pdf/file/read/random-access.ts';
import type { Handler } from '../frame/handler.ts';
import { withSource } from '../frame/with-source.ts';
import { bundledParts } from './archive.ts';
import { judged, veraPdf } from './vera-pdf.ts';

interface Checked {
  readonly standard: string;
  readonly judge: string;
  /** null: only part of the rules was checked, and no fault was found. */
  readonly conforms: boolean | null;
  readonly rules_looked_at: number;
  readonly rules: number;
  readonly findings: readonly { readonly rule: string; readonly what: string; page?: number; object?: number }[];
}

export const run: Handler<typeof checkStandards> = ({ file: input, for: named }, ctx) => {
  return withSource(input, ctx, async (source) => {
    const wanted = named === undefined ? claimsOf(source.file) : [standardNamed(named)];
    if (wanted.length === 0) {
      throw new Failure('unprocessable', `${input.name} claims to be neither PDF/A nor PDF/UA`, {
        hint: say`Say what it is to be: ${field('for', 'pdfa-2b')}.`,
      });
    }
    const path = veraPdf(ctx);
    const checked: Checked[] = [];
    for (const standard of wanted) {
      if (path !== undefined) checked.push(await byVeraPdf(path, standard, source, ctx));
      // For PDF/UA our own checks are added to veraPDF's: they name what a person has to mend.
      if (path === undefined || standard.standard === 'PDF/UA') checked.push(await byPdftool(standard, source, ctx));
    }
    const verdicts = checked.map(({ conforms }) => conforms);
    const conforms = verdicts.includes(false) ? false : verdicts.includes(null) ? null : true;
    const lines = checked.flatMap((claim) => linesOf(input.name, claim)).join('\n');
    return { kind: 'record', record: { ok: true, conforms, checked, lines } };
  });
};

function standardNamed(name: string): StandardClaim {
  const [, kind, part = '', level = ''] = /^pdf(ua|a)-(\d)(\w?)$/.exec(name) ?? [];
  return { standard: kind === 'ua' ? 'PDF/UA' : 'PDF/A', part, level };
}

async function byVeraPdf(path: string, standard: StandardClaim, { file }: Source, ctx: Context): Promise<Checked> {
  const { judge, conforms, findings, rules } = await judged(path, standard, onDisk(file.source), ctx);
  const records = findings.map(recordOf);
  return { standard: claimText(standard), judge, conforms, rules_looked_at: rules, rules, findings: records };
}

async function byPdftool(standard: StandardClaim, source: Source, ctx: Context): Promise<Checked> {
  const { findings, rules, of } = await lookFor(standard, source, await bundledParts(ctx), new Pace(ctx));
  return {
    standard: claimText(standard),
    judge: 'pdftool',
    conforms: findings.length > 0 ? false : null,
    rules_looked_at: rules,
    rules: of,
    findings: findings.map(recordOf),
  };
}

function recordOf({ clause, what, page, object }: BrokenRule): Checked['findings'][number] {
  return { rule: clause, what, ...(page === undefined ? {} : { page }), ...(object === undefined ? {} : { object }) };
}

/** A line per fault in the form of compiler messages, which CI shows beside the file, and one sentence as a summary. */
function linesOf(name: string, { standard, judge, conforms, rules_looked_at, rules, findings }: Checked): string[] {
  const by = judge === 'pdftool' ? `${rules_looked_at} of ${rules} rules looked at; install veraPDF for all` : judge;
  const outcome = { true: 'valid', false: `${findings.length} found`, null: 'nothing found' }[String(conforms)];
  const lines = findings.map(({ rule, what, page, object }) => {
    const place = page === undefined ? '' : ` page ${page}:`;
    return `${name}:${place} error: ${what} [${standard} ${rule}]${object === undefined ? '' : ` (object ${object})`}`;
  });
  return [...lines, `${name}: ${standard}: ${outcome} (${by})`];
}
