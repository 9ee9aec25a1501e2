// redact: findings are regions in a file, a person looks at them, and only then are they applied. Nothing is applied by itself.
import { join } from 'node:path';
import { Failure } from '../../../contract/failure.ts';
import { type AnyOperation, outputOf } from '../../../contract/operation.ts';
import { redactApply, redactCheck, redactInspect, redactReview } from '../../../contract/operations/redaction.ts';
import { WORKFLOWS } from '../../../contract/operations/workflow.ts';
import type { RandomAccess, Result } from '../../../contract/ports.ts';
import { sha256 } from '../../../runtime/files/hash.ts';
import { openInputs } from '../../../runtime/files/inputs.ts';
import { Workspace } from '../../../runtime/folders/workspace.ts';
import { readSettings } from '../../../runtime/settings/settings.ts';
import { proofTools } from '../../children/other-eyes.ts';
import { chooseEngine } from '../../engines.ts';
import { checkReviewed, readFindings, textFrom } from '../../jobs/findings.ts';
import { openOwnJobPorts } from '../../jobs/ports.ts';
import { readPlan } from '../../run/plan.ts';
import { type FileRun, runOnce } from '../../run/run.ts';
import { showPlan } from '../../run/show-plan.ts';
import type { OwnCall } from '../call.ts';
import { nameIn, readOptions, stemOf } from '../workflow/run.ts';
import { runWorkflow } from '../workflow/submit.ts';

type Options = Readonly<Record<string, unknown>>;

export async function run(call: OwnCall): Promise<number> {
  const { subcommand, flags } = call;
  const onlyHere = subcommand === 'review' || subcommand === 'check';
  if (onlyHere && flags.remote)
    throw new Failure('unavailable', `redact ${subcommand} runs on this machine alone`, {
      hint: 'Leave --remote out.',
    });
  const choice = chooseEngine(readSettings(onlyHere ? { ...flags, local: true } : flags));
  if (choice.name === 'remote') return runThere(call);
  if (choice.note !== undefined) call.messages.note(choice.note);
  return runHere(call);
}

/** What is looked for, as options of the job. */
function wanted({ options }: OwnCall): Options {
  const { find, regex, kinds, ocr } = options;
  return {
    ...(find === undefined ? {} : { find }),
    ...(regex === undefined ? {} : { regex }),
    ...(ocr === true ? { ocr } : {}),
    ...(typeof kinds === 'string' ? { kinds: kinds.split(',').map((kind) => kind.trim()) } : {}),
  };
}

/** How the regions are applied, as options of the job. */
function style({ options }: OwnCall): Options {
  const { label, fill, strict, raster } = options;
  return {
    ...(label === undefined ? {} : { label }),
    ...(fill === undefined ? {} : { fill }),
    ...(strict === true ? { strict } : {}),
    ...(raster === true ? { raster } : {}),
  };
}

function regionsFile({ subcommand, options }: OwnCall): string {
  if (typeof options.regions === 'string') return options.regions;
  throw new Failure('usage', `redact ${subcommand} needs --regions, the file that redact inspect wrote`, {
    hint: 'Make it with: pdftool redact inspect FILE',
  });
}

async function runHere(call: OwnCall): Promise<number> {
  const { subcommand } = call;
  switch (subcommand) {
    case 'inspect': {
      const options = { ...wanted(call), ...readOptions(call.options.option) };
      if (options.find === undefined && options.regex === undefined && options.kinds === undefined)
        throw new Failure('usage', 'redact inspect needs something to look for', {
          hint: 'Give --find TEXT, --regex RE or --kinds email,phone,card,iban,ssn.',
        });
      return runOne(call, redactInspect, { options }, 'regions.json');
    }
    case 'review': {
      const { sourceSha256, regions } = await findings(call);
      const format = call.options.html === true ? 'html' : 'pdf';
      return runOne(call, redactReview, { options: { sourceSha256, regions }, format });
    }
    case 'check': {
      const { find, label } = call.options;
      const regions = call.options.regions === undefined ? {} : { regions: (await findings(call)).regions };
      const options = {
        ...(find === undefined ? {} : { find }),
        ...(label === undefined ? {} : { label }),
        ...regions,
      };
      return runOne(call, redactCheck, { options }, undefined, readable);
    }
    default: {
      const { sourceSha256, regions, reviewed } = await findings(call);
      const said = reviewed || call.options.reviewed === true;
      const options = { ...readOptions(call.options.option), ...style(call), reviewed: said, sourceSha256, regions };
      return runOne(call, redactApply, { options });
    }
  }
}

function readable(result: Result): string | undefined {
  if (result.kind !== 'record' || result.record.readable !== true) return undefined;
  return 'something can still be read or seen: look at the leaks in the record';
}

/** The file that --regions names. */
async function findings(call: OwnCall): Promise<ReturnType<typeof readFindings>> {
  const name = regionsFile(call);
  const workspace = new Workspace();
  try {
    const { sources } = await openInputs([name], [], workspace, call.signal);
    const [list] = sources;
    if (list === undefined) throw new TypeError('one name gives one source');
    return readFindings(name, await textFrom(list, call.signal));
  } finally {
    workspace.close();
  }
}

async function runOne(
  call: OwnCall,
  op: AnyOperation,
  values: Options,
  output?: string,
  unmet?: FileRun['unmet'],
): Promise<number> {
  const { args, options, flags, clock, signal } = call;
  const settings = readSettings({ ...flags, local: true, remote: false });
  const { createLocalEngine } = await import('../../../local/engine.ts');
  const named =
    output === undefined || flags.output !== undefined ? {} : { output: join(settings.outputDir ?? '', output) };
  const read = readPlan(op, args.slice(0, 1), options, { ...flags, ...named }, settings.outputDir);
  const plan = { ...read, values, output: outputOf(op, values).output };
  const it: FileRun = {
    ...call,
    plan,
    engine: createLocalEngine(),
    batch: false,
    proof: proofTools(clock, signal),
    ...(unmet === undefined ? {} : { unmet }),
  };
  return flags.plan ? showPlan(it, settings.maxCredits) : runOnce(it);
}

/** On the service: a job of the workflow, charged one credit. */
async function runThere(call: OwnCall): Promise<number> {
  const { subcommand, args, options, signal } = call;
  const [file = ''] = args;
  const { ports, settings } = await openOwnJobPorts(call);
  const workspace = new Workspace();
  const common = { kind: 'redaction', name: nameIn(settings, 'redaction'), file } as const;
  try {
    if (subcommand === 'inspect') {
      const wish = { mode: 'inspect', ...wanted(call), ...readOptions(options.option) };
      return await runWorkflow(call, ports, settings, workspace, {
        ...common,
        operation: 'redact inspect',
        options: wish,
        output: 'regions.json',
      });
    }
    const name = regionsFile(call);
    const { sources } = await openInputs([file, name], [], workspace, signal);
    const [source, list] = sources as [RandomAccess, RandomAccess]; // two names give two sources
    const { sourceSha256, regions } = checkReviewed(
      name,
      await textFrom(list, signal),
      await sha256(source, signal),
      WORKFLOWS.redaction.regions,
      options.reviewed === true,
    );
    const wish = {
      ...readOptions(options.option),
      ...style(call),
      mode: 'apply',
      reviewed: true,
      sourceSha256,
      regions,
    };
    return await runWorkflow(call, ports, settings, workspace, {
      ...common,
      operation: 'redact apply',
      source,
      options: wish,
      output: `${stemOf(file)}-redacted.pdf`,
    });
  } finally {
    workspace.close();
  }
}
