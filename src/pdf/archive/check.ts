// Looks for violations of PDF/A or PDF/UA, without a judge of all rules: finding nothing does not mean "valid".

import { claimsOf, type StandardClaim } from '../file/read/claims.ts';
import type { Pace } from '../file/read/pace.ts';
import type { Source } from '../file/read/source.ts';
import { PdfString } from '../syntax/values.ts';
import { accessibilityFindings } from './accessibility.ts';
import { findingsIn } from './archive.ts';
import type { BrokenRule, BundledParts } from './job.ts';

export interface Looked {
  readonly findings: readonly BrokenRule[];
  /** Rules that were checked, and all there are. */
  readonly rules: number;
  readonly of: number;
}

/** Clauses of ISO 19005-2 that are checked here, with those of ISO 19005-1 and -4 where the rule is the same. */
const CLAUSES: Readonly<Record<string, readonly [one: string | undefined, four: string | undefined]>> = {
  '6.1.3': ['6.1.3', '6.1.3'],
  '6.1.6': ['6.1.6', '6.1.5'],
  '6.1.7.1': ['6.1.7', '6.1.6.1'],
  '6.1.7.2': ['6.1.10', '6.1.6.2'],
  '6.1.10': [undefined, '6.1.9'],
  '6.2.2': ['6.2.10', '6.2.2'],
  '6.2.3': ['6.2.2', '6.2.3'],
  '6.2.4.2': ['6.2.3.2', '6.2.4.2'],
  '6.2.4.3': ['6.2.3.3', undefined],
  '6.2.4.4': [undefined, '6.2.4.4'],
  '6.2.5': ['6.2.8', '6.2.5'],
  '6.2.6': ['6.2.9', undefined],
  '6.2.8': ['6.2.4', '6.2.7.1'],
  '6.2.8.3': [undefined, '6.2.7.3'],
  '6.2.10': [undefined, '6.2.9'],
  '6.2.11.4.1': ['6.3.4', '6.2.10.4.1'],
  '6.2.11.5': ['6.3.6', '6.2.10.5'],
  '6.2.11.6': ['6.3.7', '6.2.10.6'],
  '6.2.11.8': [undefined, '6.2.10.9'],
  '6.3.1': ['6.5.2', undefined],
  '6.3.2': ['6.5.3', '6.3.2'],
  '6.3.3': [undefined, '6.3.3'],
  '6.4.1': ['6.6.2', undefined],
  '6.4.2': [undefined, '6.4.2'],
  '6.5.1': ['6.6.1', undefined],
  '6.5.2': ['6.6.2', undefined],
  '6.6.4': ['6.7.11', '6.7.3'],
  '6.8': [undefined, '6.9'],
  '6.10': [undefined, '6.11'],
  '6.11': [undefined, '6.12'],
};

/** Rules of which all failing files of veraPDF's corpus are found here, counted there; and how many each level has in veraPDF. */
const RULES: Readonly<Record<string, { readonly looked: number; readonly of: Readonly<Record<string, number>> }>> = {
  'PDF/A-1': { looked: 11, of: { a: 135, b: 129 } },
  'PDF/A-2': { looked: 30, of: { a: 153, b: 144, u: 146 } },
  'PDF/A-3': { looked: 30, of: { a: 155, b: 146, u: 148 } },
  'PDF/A-4': { looked: 22, of: { '': 109, e: 109, f: 109 } },
  'PDF/UA-1': { looked: 13, of: { '': 106 } },
  'PDF/UA-2': { looked: 0, of: { '': 1727 } },
};

export async function lookFor(wanted: StandardClaim, source: Source, parts: BundledParts, pace: Pace): Promise<Looked> {
  const { standard, part, level } = wanted;
  const { looked = 0, of = {} } = RULES[`${standard}-${part}`] ?? {};
  const findings = standard === 'PDF/A' ? await archiveFindings(wanted, source, parts, pace) : await accessFindings();
  return { findings, rules: looked, of: of[level] ?? 0 };

  async function accessFindings(): Promise<readonly BrokenRule[]> {
    const FONTS: Readonly<Record<string, string>> = { '6.2.11.4.1': '7.21.4.1', '6.2.11.7': '7.21.7' };
    const all = await findingsIn(source, { part: 2, level: 'U' }, parts, pace);
    const fonts = all.flatMap((rule) =>
      FONTS[rule.clause] === undefined ? [] : [{ ...rule, clause: FONTS[rule.clause] ?? '' }],
    );
    return [...claimFindings(wanted, source), ...accessibilityFindings(source), ...fonts];
  }
}

async function archiveFindings(
  wanted: StandardClaim,
  source: Source,
  parts: BundledParts,
  pace: Pace,
): Promise<readonly BrokenRule[]> {
  const { part, level } = wanted;
  const target = { part: part === '3' ? 3 : 2, level: /[au]/.test(level) && part !== '1' ? 'U' : 'B' } as const;
  const rules = [
    ...trailerFindings(source),
    ...claimFindings(wanted, source),
    ...(await findingsIn(source, target, parts, pace)),
  ];
  if (part !== '1' && part !== '4') return rules;
  return rules.flatMap((one) => {
    const clause = CLAUSES[one.clause]?.[part === '1' ? 0 : 1];
    return clause === undefined ? [] : [{ ...one, clause }];
  });
}

function trailerFindings({ file }: Source): BrokenRule[] {
  const rules: BrokenRule[] = [];
  const note = (what: string) => rules.push({ clause: '6.1.3', what, object: undefined, page: undefined });
  const ids = file.resolve(file.xref.trailer.get('ID'));
  if (!Array.isArray(ids) || !(ids[0] instanceof PdfString)) note('the file has no identifier');
  if (file.xref.trailer.has('Encrypt')) note('the file is encrypted');
  return rules;
}

function claimFindings({ standard, part, level }: StandardClaim, { file }: Source): BrokenRule[] {
  const claim = claimsOf(file).find((known) => known.standard === standard);
  // A higher level includes a lower one.
  const LEVELS = ['', 'b', 'u', 'a'];
  const isMet = claim?.part === part && (claim.level === level || LEVELS.indexOf(claim.level) > LEVELS.indexOf(level));
  const clause = standard === 'PDF/A' ? '6.6.4' : '5';
  const what = 'its metadata does not say that it is';
  return isMet ? [] : [{ clause, what, object: undefined, page: undefined }];
}
