import { dirname, isAbsolute, join } from 'node:path';
import { Failure } from '../../../contract/failure.ts';
import { PDF } from '../../../contract/media.ts';
import { type AnyOperation, isOffered, type Output, outputOf, wordsOf } from '../../../contract/operation.ts';
import { listFiles } from '../../../runtime/files/folder.ts';
import { readText } from '../../../runtime/files/inputs.ts';
import { Scratch } from '../../../runtime/files/scratch.ts';
import { readSettings } from '../../../runtime/settings/settings.ts';
import { chooseEngine } from '../../engines/engines.ts';
import type { OwnCall } from '../../line/call.ts';
import { readSteps, type Step } from './steps.ts';

/** Runs each step as a line of its own; what lies between two steps is removed at the end, however that comes. */
export async function run(call: OwnCall): Promise<number> {
  const { args, flags, signal, messages, runLine } = call;
  const [name = '', ...files] = args;
  const besides = (path: string) => (isAbsolute(path) ? path : join(dirname(name), path));
  const steps = readSteps(await readText(name, signal), name, besides);
  for (const [index, { op }] of steps.slice(0, -1).entries()) assertGoesOn(op, steps[index + 1]?.op, index + 1);
  const last = outputOf(steps.at(-1)?.op as AnyOperation, {}).output; // a list has a step
  if (flags.output === undefined && last.kind !== 'record') {
    throw new Failure('usage', 'the output of the last step needs a name', { hint: 'Give one with -o.' });
  }
  const isRemote = chooseEngine(readSettings(flags)).name === 'remote';
  const prices = steps.map(({ op }) => (isRemote && isOffered(op) && 'credits' in op.cost ? op.cost.credits : 0));
  const total = prices.reduce((sum, price) => sum + price, 0);
  if (flags.maxCredits !== undefined && total > flags.maxCredits) {
    const message = `the ${steps.length} steps cost ${total} credits; --max-credits is ${flags.maxCredits}; nothing was sent`;
    throw new Failure('over_max_credits', message, { hint: `Allow it with --max-credits ${total}.` });
  }
  if (flags.plan) return showPlan(call, steps, prices, total);
  const scratch = new Scratch();
  try {
    let inputs: readonly string[] = files;
    for (const [index, step] of steps.entries()) {
      const isLast = index === steps.length - 1;
      const between = scratch.path(`step-${index + 1}${isFolder(step.op) ? '' : '.pdf'}`);
      const output = isLast ? flags.output : between;
      const words = [...lineOf(step, inputs), ...flagsOf(call), ...(output === undefined ? [] : ['-o', output])];
      const code = await runLine(isLast && flags.force ? [...words, '--force'] : words, !isLast);
      if (code !== 0) {
        messages.note(`step ${index + 1} of ${steps.length} (${wordsOf(step.op)}) ended with ${code}`);
        return code;
      }
      inputs = isFolder(step.op) ? (listFiles(between) ?? []).map((file) => join(between, file)).sort() : [between];
    }
    return 0;
  } finally {
    scratch.remove();
  }
}

function lineOf({ op, options }: Step, inputs: readonly string[]): string[] {
  // What begins with a dash is an option; the value that is the last word of a line stands behind the files.
  const isOption = (word: string) => word.startsWith('--');
  return [
    ...wordsOf(op).split(' '),
    ...options.filter(isOption),
    ...inputs,
    ...options.filter((word) => !isOption(word)),
  ];
}

/** The options of every command that hold for each step. */
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

/** Throws where what a step makes is nothing that the next one takes. */
function assertGoesOn(op: AnyOperation, next: AnyOperation | undefined, number: number): void {
  const made = outputOf(op, {}).output;
  const takesMany = Object.values(next?.input ?? {}).some(({ kind }) => kind === 'files');
  if (makesPdf(made) && (made.kind !== 'parts' || takesMany)) return;
  const what =
    made.kind === 'parts' && makesPdf(made) ? 'makes several files, and the next one takes one' : 'makes no PDF';
  throw new Failure('usage', `step ${number} (${wordsOf(op)}) ${what}: it can only be the last one`);
}

function makesPdf(output: Output): boolean {
  if (output.kind === 'parts') return output.partTypes.includes(PDF);
  return output.kind === 'bytes' && output.mediaType === PDF;
}

function isFolder(op: AnyOperation): boolean {
  return outputOf(op, {}).output.kind === 'parts';
}

function showPlan(
  { streams, flags }: OwnCall,
  steps: readonly Step[],
  prices: readonly number[],
  total: number,
): number {
  if (flags.json) {
    const listed = steps.map(({ op, options }, index) => ({ operation: op.name, options, credits: prices[index] }));
    streams.json({ ok: true, plan: true, steps: listed, credits: total });
    return 0;
  }
  const lines = steps.map(({ op, options }, index) => {
    return `${index + 1}. ${[wordsOf(op), ...options].join(' ')}: ${prices[index]} credits`;
  });
  streams.out([...lines, `All steps: ${total} credits. Nothing was done.`, ''].join('\n'));
  return 0;
}
