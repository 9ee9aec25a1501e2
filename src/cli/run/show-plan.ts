import { FAILURES } from '../../contract/base/failure.ts';
import { wordsOf } from '../../contract/operation.ts';
import type { Plan } from '../../flow/plan.ts';
import type { InputIdentity } from '../../runtime/files/outputs/target.ts';
import { withWorkspace } from '../../runtime/files/outputs/workspace.ts';
import { isFolder } from '../../runtime/files/system/folder.ts';
import { openRow } from '../../runtime/rows/run-row.ts';
import { printableLine } from '../../runtime/terminal/printable.ts';
import { count, formatSize } from '../../runtime/terminal/units.ts';
import { speechMeans } from '../children/means.ts';
import { chooseDestination } from '../files/destination.ts';
import { type Run, rowRunOf } from '../files/inputs.ts';

/**
 * `--plan`: prints what a run would read, write, send and be charged. Inputs and output are checked as in a run;
 * exceeded limits of the service are listed. Returns the exit code.
 */
export async function showPlan(run: Run, maxCredits?: number): Promise<number> {
  const { engine, streams, signal, clock } = run;
  const { op, flags } = run.plan;
  return withWorkspace(async (workspace) => {
    const [{ planOf }, { localProbe }] = await Promise.all([
      import('../../flow/plan.ts'),
      import('../engines/local.ts'),
    ]);
    const means = engine.name === 'local' && op.group === 'speech' ? await speechMeans(false) : {};
    let output = '';
    const { opened, input, ctx } = await openRow({
      ...rowRunOf(run, workspace),
      placement({ identities }) {
        output = outputOf(run, identities);
        return undefined;
      },
      context: (temp) => ({ ...means, signal, clock, temp, progress: () => {}, detail: () => {} }),
    });
    const { ok, ...plan } = await planOf(engine.name, op, input, ctx, localProbe, maxCredits);
    const inputs = opened.sources.map(({ name, size }) => ({ name, bytes: size }));
    if (flags.json) streams.json({ ok, plan: { ...plan, inputs, output } });
    else {
      const { request, checks, speech, ends_signatures: ended, price } = plan;
      const lines = [
        `Command  ${wordsOf(op)}`,
        `Engine   ${engine.name}`,
        ...inputs.map(({ name, bytes }) => `Reads    ${name} (${formatSize(bytes)})`),
        `Writes   ${output}`,
        `Sends    ${request === undefined ? 'nothing' : `${request.method} ${request.path}`}`,
        ...checks.map(
          (check) => `Checks   ${check.what}: ${check.limit}; ${check.found}${check.ok ? '' : ' (refused)'}`,
        ),
        ...(speech === undefined ? [] : [`Speaks   ${spoken(speech)}`]),
        ...(ended === undefined ? [] : [`Ends     the signatures of ${ended.join(', ')}`]),
        `Charges  ${price.at_most ? 'up to ' : ''}${count(price.credits, 'credit')} (${price.why})`,
      ];
      streams.out(`${lines.map(printableLine).join('\n')}\n`);
    }
    return ok ? 0 : FAILURES.refused.exit;
  });
}

/** Where the output goes. The folder of a batch may not exist yet. */
function outputOf({ plan, streams }: Run, identities: readonly InputIdentity[]): string {
  const { outDir, files } = plan;
  if (outDir !== undefined && (files.length > 1 || !isFolder(outDir)))
    return `${count(files.length, 'output')} in ${outDir}`;
  const destination = chooseDestination(plan, identities, streams);
  return destination.kind === 'stdout' ? 'standard output' : destination.name;
}

function spoken({ pages, characters, minutes, chapters, voice, language, other_voices }: NonNullable<Plan['speech']>) {
  const facts = [
    minutes === undefined ? undefined : `about ${count(minutes, 'minute')}`,
    characters === undefined ? undefined : count(characters, 'character'),
    chapters === undefined ? undefined : count(chapters, 'chapter'),
    count(pages, 'page'),
    voice === undefined ? undefined : `by ${[`${voice} (${language})`, ...(other_voices ?? [])].join(' and ')}`,
  ];
  return facts.filter((fact) => fact !== undefined).join(', ');
}
