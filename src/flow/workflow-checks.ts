import { Failure, type FailureCode } from '../contract/failure.ts';
import { PDF, startsAs, ZIP } from '../contract/media.ts';
import { WORKFLOWS, type WorkflowKind } from '../contract/operations/service/workflow.ts';
import type { Context, RandomAccess } from '../contract/ports.ts';
import { say, setting, type Wording } from '../contract/wording.ts';
import type { LimitCheck, Probe } from './check.ts';
import { foundIn, headOf } from './check.ts';

/** Checks a workflow job before anything is sent. `budget`: the most to spend. Unknown workflows have no known limits. */
export async function checkWorkflow(
  name: string,
  kind: WorkflowKind | undefined,
  source: RandomAccess,
  credits: number,
  budget: number | undefined,
  ctx: Context,
  probe: Probe,
): Promise<LimitCheck[]> {
  const checks: LimitCheck[] = [];
  const bound = (what: string, limit: string, found: string, kept: boolean, code: FailureCode, hint?: Wording) => {
    const message = `${name}: ${source.name}: expected ${limit} ${what}, found ${found}`;
    const failure = kept ? {} : { failure: new Failure(code, message, { kind: 'limit', hint }) };
    checks.push({ what, limit, found, ...failure });
  };
  if (budget !== undefined) {
    const hint = say`Allow it with ${setting('max-credits', credits)}.`;
    bound('credits', `at most ${budget}`, String(credits), credits <= budget, 'over_max_credits', hint);
  }
  if (kind === undefined) return checks;
  const workflow = WORKFLOWS[kind];
  const { input, inputBytes, maxCredits } = workflow;
  const [min, max] = maxCredits;
  const expected = min === max ? `exactly ${min}` : `${min} to ${max}`;
  bound('credits reserved', expected, String(credits), credits >= min && credits <= max, 'usage');
  const head = headOf(source) ?? '';
  const words = { [PDF]: 'a PDF file', [ZIP]: 'a ZIP file' }[input];
  const fits = startsAs(head, input);
  const wrong = new Failure('refused', `${name}: ${source.name}: expected ${words}, found ${foundIn(head)}`, {
    ...(input === PDF ? { kind: 'not-pdf' as const } : {}),
  });
  checks.push({
    what: source.name,
    limit: words,
    found: fits ? words : foundIn(head),
    ...(fits ? {} : { failure: wrong }),
  });
  bound('bytes', `at most ${inputBytes}`, String(source.size), source.size <= inputBytes, 'too_large');
  if (!('pages' in workflow) || checks.some(({ failure }) => failure !== undefined)) return checks;
  const pages = await probe.countPages(source, ctx);
  const count = pages === undefined ? 'not known here; the service counts them' : String(pages);
  bound('pages', `at most ${workflow.pages}`, count, pages === undefined || pages <= workflow.pages, 'too_large');
  return checks;
}
