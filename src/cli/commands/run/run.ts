import { dirname, isAbsolute, join } from 'node:path';
import { atEnd } from '../../../contract/base/closing.ts';
import { Failure } from '../../../contract/base/failure.ts';
import { EXTENSIONS } from '../../../contract/media.ts';
import { type AnyOperation, outputOf, wordsOf } from '../../../contract/operation.ts';
import { workflowName } from '../../../contract/operations/service/workflow.ts';
import { assertJobSteps, makesSeveral, priceOfSteps, stepPrice } from '../../../contract/operations/steps.ts';
import { readText } from '../../../runtime/files/inputs/inputs.ts';
import { Scratch } from '../../../runtime/files/outputs/scratch.ts';
import { withWorkspace } from '../../../runtime/files/outputs/workspace.ts';
import { listFiles } from '../../../runtime/files/system/folder.ts';
import { readSettings } from '../../../runtime/settings/settings.ts';
import { parseJson } from '../../../wire/json.ts';
import { chooseEngine } from '../../engines/engines.ts';
import { openOwnJobPorts } from '../../jobs/ports.ts';
import type { OwnCall } from '../../line/call.ts';
import { outputStem } from '../workflow/run.ts';
import { postWorkflow } from '../workflow/submit.ts';
import { readSteps, type StepLine } from './steps.ts';

/** Runs each step as a command line of its own; files between two steps are always removed at the end. */
export async function run(call: OwnCall): Promise<number> {
  const { args, flags, signal, messages, runLine } = call;
  const [name = '', ...files] = args;
  const besides = (path: string) => (isAbsolute(path) ? path : join(dirname(name), path));
  const text = await readText(name, signal);
  const steps = readSteps(text, name, besides);
  if (call.options.asJob === true) return runAsJob(call, steps, parseJson(text, name), files);
  const last = outputOf(steps.at(-1)?.op as AnyOperation, {}).output; // a list has a step
  if (flags.output === undefined && last.kind !== 'record') {
    throw new Failure('usage', 'the output of the last step needs a name', { hint: 'Give one with -o.' });
  }
  const isRemote = chooseEngine(readSettings(flags)).name === 'remote';
  const prices = steps.map(({ op }) => (isRemote ? stepPrice(op) : 0));
  const total = prices.reduce<number>((sum, price = 0) => sum + price, 0);
  if (flags.maxCredits !== undefined && total > flags.maxCredits) {
    const message = `the ${steps.length} steps cost ${total} credits; --max-credits is ${flags.maxCredits}; nothing was sent`;
    throw new Failure('over_max_credits', message, { hint: `Allow it with --max-credits ${total}.` });
  }
  if (flags.plan) return showPlan(call, steps, prices, total);
  // A step priced by the minute may use what the others leave of the limit. There is at most one: no step takes sound.
  const most = flags.maxCredits === undefined ? [] : [`--max-credits=${flags.maxCredits - total}`];
  const scratch = new Scratch();
  using _ = atEnd(() => scratch.remove());
  let inputs: readonly string[] = files;
  for (const [index, step] of steps.entries()) {
    const isLast = index === steps.length - 1;
    const between = scratch.path(`step-${index + 1}${makesSeveral(step.op) ? '' : '.pdf'}`);
    const output = isLast ? flags.output : between;
    const bound = prices[index] === undefined ? most : [];
    const words = [
      ...lineOf(step, inputs),
      ...flagsOf(call),
      ...bound,
      ...(output === undefined ? [] : ['-o', output]),
    ];
    const code = await runLine(isLast && flags.force ? [...words, '--force'] : words, !isLast);
    if (code !== 0) {
      messages.note(`step ${index + 1} of ${steps.length} (${wordsOf(step.op)}) ended with ${code}`);
      return code;
    }
    inputs = makesSeveral(step.op) ? (listFiles(between) ?? []).map((file) => join(between, file)).sort() : [between];
  }
  return 0;
}

/** Sends the whole list to the service: one upload, one job, one result. */
async function runAsJob(
  call: OwnCall,
  steps: readonly StepLine[],
  list: unknown,
  [file = '', ...others]: readonly string[],
): Promise<number> {
  if (others.length > 0) throw new Failure('usage', `a job works on one file, found ${others.length + 1}`);
  const { output } = outputOf(steps.at(-1)?.op as AnyOperation, {}); // a list has a step
  assertJobSteps(steps, call.args[0] ?? '');
  const { ports, settings } = await openOwnJobPorts(call);
  return withWorkspace(async (workspace) => {
    return postWorkflow(call, ports, settings, workspace, {
      operation: 'run',
      kind: 'steps',
      name: workflowName(settings.workflowNames, 'steps'),
      file,
      options: list as Record<string, unknown>, // readSteps has read it
      credits: Math.max(1, priceOfSteps(steps)),
      output: `${outputStem(file)}-output.${EXTENSIONS[output.mediaType]?.[0] ?? 'bin'}`,
    });
  });
}

function lineOf({ op, options }: StepLine, inputs: readonly string[]): string[] {
  // Words with dashes are options; the value of a trailing field stands behind the files.
  const isOption = (word: string) => word.startsWith('--');
  return [
    ...wordsOf(op).split(' '),
    ...options.filter(isOption),
    ...inputs,
    ...options.filter((word) => !isOption(word)),
  ];
}

/** The global options that apply to each step. */
function flagsOf({ flags }: OwnCall): string[] {
  return [
    ...(flags.local ? ['--local'] : []),
    ...(flags.remote ? ['--remote'] : []),
    ...(flags.json ? ['--json'] : []),
    ...(flags.quiet ? ['--quiet'] : []),
    ...(flags.verbose ? ['--verbose'] : []),
    ...(flags.debug ? ['--debug'] : []),
    ...(flags.progress ? [] : ['--no-progress']),
    ...(flags.profile === undefined ? [] : [`--profile=${flags.profile}`]),
    ...(flags.caCert === undefined ? [] : [`--ca-cert=${flags.caCert}`]),
    ...(flags.timeout === undefined ? [] : [`--timeout=${flags.timeout}ms`]),
  ];
}

function showPlan(
  { streams, flags }: OwnCall,
  steps: readonly StepLine[],
  prices: readonly (number | undefined)[],
  total: number,
): number {
  const isOpen = prices.includes(undefined);
  if (flags.json) {
    const listed = steps.map(({ op, options }, index) => ({
      operation: op.name,
      options,
      credits: prices[index] ?? null,
    }));
    streams.json({ ok: true, plan: true, steps: listed, credits: total, ...(isOpen ? { at_least: true } : {}) });
    return 0;
  }
  const lines = steps.map(({ op, options }, index) => {
    return `${index + 1}. ${[wordsOf(op), ...options].join(' ')}: ${prices[index] ?? 'by the minute,'} credits`;
  });
  streams.out(
    [...lines, `All steps: ${total} credits${isOpen ? ' and what is spoken' : ''}. Nothing was done.`, ''].join('\n'),
  );
  return 0;
}
