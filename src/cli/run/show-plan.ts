import { FAILURES } from '../../contract/failure.ts';
import { wordsOf } from '../../contract/operation.ts';
import type { Plan } from '../../flow/plan.ts';
import { isFolder } from '../../runtime/files/folder.ts';
import type { InputIdentity } from '../../runtime/files/target.ts';
import { Workspace } from '../../runtime/folders/workspace.ts';
import { printableText } from '../../runtime/terminal/printable.ts';
import { count, formatSize } from '../../runtime/terminal/units.ts';
import { speechMeans } from '../speech-means.ts';
import { chooseDestination } from './destination.ts';
import { openFiles, type Run, readInput } from './inputs.ts';

/**
 * `--plan`: what a run would read, write, send and be charged. It looks at inputs and output as a run would, and fails as it
 * would; broken limits of the service are listed. Returns the exit code.
 */
export async function showPlan(run: Run, maxCredits?: number): Promise<number> {
  const { engine, streams, signal, clock } = run;
  const { op, flags } = run.plan;
  const workspace = new Workspace();
  try {
    const opened = await openFiles(run, workspace);
    const { identities } = opened;
    const sources = [...opened.sources, ...Object.values(opened.others)];
    const output = outputOf(run, identities);
    const [{ planOf }, { localProbe }] = await Promise.all([import('../../flow/plan.ts'), import('../remote.ts')]);
    const means = engine.name === 'local' && op.group === 'speech' ? await speechMeans(false) : {};
    const temp = workspace.temp({ name: op.name });
    const ctx = { ...means, signal, clock, temp, progress: () => {}, detail: () => {} };
    const input = await readInput(run, opened, ctx);
    const { ok, ...plan } = await planOf(engine.name, op, input, ctx, localProbe, maxCredits);
    const inputs = sources.map(({ name, size }) => ({ name, bytes: size }));
    if (flags.json) streams.out(`${JSON.stringify({ ok, plan: { ...plan, inputs, output } })}\n`);
    else {
      const { request, checks, speech, price } = plan;
      const lines = [
        `Command  ${wordsOf(op)}`,
        `Engine   ${engine.name}`,
        ...inputs.map(({ name, bytes }) => `Reads    ${name} (${formatSize(bytes ?? 0)})`),
        `Writes   ${output}`,
        `Sends    ${request === undefined ? 'nothing' : `${request.method} ${request.path}`}`,
        ...checks.map(
          (check) => `Checks   ${check.what}: ${check.limit}; ${check.found}${check.ok ? '' : ' (refused)'}`,
        ),
        ...(speech === undefined ? [] : [`Speaks   ${spoken(speech)}`]),
        `Charges  ${price.at_most ? 'up to ' : ''}${count(price.credits, 'credit')} (${price.why})`,
      ];
      streams.out(`${lines.map(printableText).join('\n')}\n`);
    }
    return ok ? 0 : FAILURES.refused.exit;
  } finally {
    workspace.close();
  }
}

/** Where the output goes. A folder that a batch makes is not there yet. */
function outputOf({ plan, streams }: Run, identities: readonly InputIdentity[]): string {
  const { outDir, files } = plan;
  if (outDir !== undefined && (files.length > 1 || !isFolder(outDir)))
    return `${count(files.length, 'output')} in ${outDir}`;
  const destination = chooseDestination(plan, identities, streams);
  return destination.kind === 'stdout' ? 'standard output' : destination.name;
}

function spoken({ pages, characters, minutes, chapters }: NonNullable<Plan['speech']>): string {
  const facts = [
    minutes === undefined ? undefined : `about ${count(minutes, 'minute')}`,
    characters === undefined ? undefined : count(characters, 'character'),
    chapters === undefined ? undefined : count(chapters, 'chapter'),
    count(pages, 'page'),
  ];
  return facts.filter((fact) => fact !== undefined).join(', ');
}
