// Runs veraPDF, where it is installed: it checks all rules of PDF/A and PDF/UA. The document goes to its standard
// input.
import { Failure } from '../../contract/base/failure.ts';
import type { Context, RandomAccess } from '../../contract/base/ports.ts';
import { parsedJson } from '../../contract/base/present.ts';
import type { BrokenRule } from '../../pdf/archive/job.ts';
import { claimText, type StandardClaim } from '../../pdf/file/read/claims.ts';
import { fill } from '../../pdf/file/read/random-access.ts';

const PATIENCE = 600_000;
const MOST_ANSWER = 64 << 20;

/** The parts of its report (`--format json`) that are used. */
interface Report {
  readonly report?: {
    readonly buildInformation?: {
      readonly releaseDetails?: readonly { readonly id?: string; readonly version?: string }[];
    };
    readonly jobs?: readonly {
      readonly validationResult?: Validation | readonly Validation[];
      readonly taskException?: { readonly exceptionMessage?: string };
    }[];
  };
}

interface Validation {
  readonly compliant?: boolean;
  readonly details?: {
    readonly passedRules?: number;
    readonly failedRules?: number;
    readonly ruleSummaries?: readonly {
      readonly clause?: string;
      readonly testNumber?: number;
      readonly description?: string;
      readonly checks?: readonly { readonly context?: string; readonly errorMessage?: string }[];
    }[];
  };
}

/** The path of veraPDF; undefined where it is not installed. */
export function veraPdf({ programs }: Pick<Context, 'programs'>): string | undefined {
  return programs?.setting('PDFTOOL_VERAPDF') ?? programs?.find('verapdf');
}

export async function judged(path: string, wanted: StandardClaim, file: RandomAccess, ctx: Context) {
  const input = new Uint8Array(file.size);
  fill(file, input, 0);
  const flavour = `${wanted.standard === 'PDF/UA' ? 'ua' : ''}${wanted.part}${wanted.level}`;
  const options = { signal: ctx.signal, patience: PATIENCE, most: MOST_ANSWER, input };
  // A program that does not run or does not end counts as one that gave no answer.
  const done = await ctx.programs
    ?.run(path, ['--format', 'json', '--flavour', flavour], options)
    .catch(() => undefined);
  const { report } = reportIn(done?.bytes) ?? {};
  const job = report?.jobs?.[0];
  const [result] = [job?.validationResult ?? []].flat() as readonly Validation[]; // an object, or since 1.26 a list
  if (typeof result?.compliant !== 'boolean') {
    const why = job?.taskException?.exceptionMessage ?? done?.output.trim().split('\n').at(-1) ?? '';
    const message = `veraPDF did not judge ${file.name} as ${claimText(wanted)}${why && `: ${why}`}`;
    throw new Failure('unprocessable', message, { hint: `It was run as ${path}; PDFTOOL_VERAPDF names another one.` });
  }
  const { passedRules = 0, failedRules = 0, ruleSummaries = [] } = result.details ?? {};
  const version = report?.buildInformation?.releaseDetails?.find(({ id }) => id === 'core')?.version;
  const findings = ruleSummaries.flatMap(({ clause = '', testNumber, description = '', checks = [] }) =>
    checks.map(({ context = '', errorMessage }): BrokenRule => {
      const page = /pages\[(\d+)\]/.exec(context)?.[1];
      const object = [...context.matchAll(/\((\d+) \d+ obj\b/g)].at(-1)?.[1];
      return {
        clause: `${clause}-${testNumber}`,
        what: errorMessage ?? description,
        page: page === undefined ? undefined : Number(page) + 1,
        object: object === undefined ? undefined : Number(object),
      };
    }),
  );
  const judge = `veraPDF${version === undefined ? '' : ` ${version}`}`;
  return { judge, conforms: result.compliant, findings, rules: passedRules + failedRules };
}

function reportIn(bytes: Uint8Array | undefined): Report | undefined {
  return parsedJson(Buffer.from(bytes ?? []).toString('utf8')) as Report | undefined; // read above entry by entry
}
