import { Failure, type FailureCode } from '../contract/base/failure.ts';
import type { Context, RandomAccess } from '../contract/base/ports.ts';
import { say, setting, type Wording } from '../contract/base/wording.ts';
import { PDF, startsAs, ZIP } from '../contract/media.ts';
import { WORKFLOWS, type WorkflowKind } from '../contract/operations/service/workflow.ts';
import { check, checkMost, foundIn, headOf, type LimitCheck, type Probe } from './check.ts';

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
  const subject = `${name}: ${source.name}`;
  const bound = (what: string, limit: string, kept: boolean, code: FailureCode, hint?: Wording) => {
    const message = `${subject}: expected ${limit} ${what}, found ${credits}`;
    const failure = kept ? undefined : new Failure(code, message, { kind: 'limit', hint });
    checks.push(check(what, limit, String(credits), failure));
  };
  if (budget !== undefined) {
    const hint = say`Allow it with ${setting('max-credits', credits)}.`;
    bound('credits', `at most ${budget}`, credits <= budget, 'over_max_credits', hint);
  }
  if (kind === undefined) return checks;
  const workflow = WORKFLOWS[kind];
  const { input, inputBytes, maxCredits } = workflow;
  const [min, max] = maxCredits;
  const expected = min === max ? `exactly ${min}` : `${min} to ${max}`;
  bound('credits reserved', expected, credits >= min && credits <= max, 'usage');
  const head = headOf(source) ?? '';
  const words = { [PDF]: 'a PDF file', [ZIP]: 'a ZIP file' }[input];
  const found = startsAs(head, input) ? words : foundIn(head);
  const wrong = new Failure('refused', `${subject}: expected ${words}, found ${found}`, {
    kind: input === PDF ? 'not-pdf' : undefined,
  });
  checks.push(check(source.name, words, found, found === words ? undefined : wrong));
  checks.push(checkMost({ subject, what: 'bytes', limit: inputBytes, found: source.size }));
  if (!('pages' in workflow) || checks.some(({ failure }) => failure !== undefined)) return checks;
  const pages = await probe.countPages(source, ctx);
  return [...checks, checkMost({ subject, what: 'pages', limit: workflow.pages, found: pages })];
}
