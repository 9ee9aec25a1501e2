import { systemClock } from '../runtime/clock.ts';
import { listenForStop } from '../runtime/processes/signals.ts';
import { readSettings } from '../runtime/settings/settings.ts';
import { loadPaint, wantsColour } from '../runtime/terminal/paint.ts';
import { processStreams } from '../runtime/terminal/streams.ts';
import { wrap } from '../runtime/terminal/wrap.ts';
import { machineMeans } from './children/means.ts';
import { assertRuns, assertSent, chooseEngine, remoteHooks } from './engines/engines.ts';
import type { Invocation } from './line/call.ts';
import { failureOf } from './line/failure-of.ts';
import { createMessages } from './line/messages.ts';
import { readPlan } from './line/plan.ts';
import { withSecrets } from './line/secret-fields.ts';
import { parseLine, type Request } from './program.ts';
import { runForEach, runsForEach } from './run/batch.ts';
import { runPlan } from './run/run.ts';
import { showPlan } from './run/show-plan.ts';

/** Runs a command line and returns the exit code (CLI.md, section 5). */
export async function main(argv: readonly string[], version: () => string): Promise<number> {
  const streams = processStreams();
  const stop = listenForStop();
  const words = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  const hasFlag = (flag: string) => words.includes(flag);
  const colour = wantsColour(streams.errIsTerminal, hasFlag('--no-color') ? false : undefined);
  const paint = await loadPaint(colour);
  // A line that cannot be parsed fails in JSON too, where --json is among its words.
  let messages = createMessages({ streams, paint, quiet: false, json: hasFlag('--json'), debug: hasFlag('--debug') });
  try {
    const request = parseLine(argv);
    if (request.kind === 'version') {
      streams.out(`${version()}\n`);
      return 0;
    }
    if (request.kind === 'help') {
      const { helpFor } = await import('./help.ts');
      const bold = await loadPaint(wantsColour(streams.outIsTerminal, hasFlag('--no-color') ? false : undefined));
      const width = Math.min(streams.columns(), WIDEST);
      streams.painted(helpFor(request, { width, heading: bold.strong, wrap }));
      return 0;
    }
    const { flags } = request.kind === 'own' ? request.request : request;
    messages = createMessages({ streams, paint, ...flags });
    const invocation = { streams, messages, version, colour, clock: systemClock, signal: stop.signal };
    if (request.kind === 'run') return await run(request, invocation);
    if (request.command.drains === true) stop.takeTime();
    const runOwn = await request.command.load();
    const describe = async () => (await import('./shape.ts')).describeProgram();
    const runLine = async (line: readonly string[], isSilent: boolean) => {
      const step = parseLine(line);
      if (step.kind !== 'run') throw new TypeError(`${line[0]} is no operation`);
      return run(step, isSilent ? { ...invocation, streams: { ...streams, out() {}, json() {} } } : invocation);
    };
    return await runOwn({ ...request.request, ...invocation, describe, runLine });
  } catch (error) {
    const failure = failureOf(error, stop.signal);
    messages.fail(failure);
    return failure.exit;
  } finally {
    if (stop.signal.aborted && streams.isStuck()) stop.end();
    stop.release();
  }
}

/** Longer lines are hard to read, however wide the terminal is. */
const WIDEST = 100;

async function run(request: Request & { kind: 'run' }, invocation: Invocation): Promise<number> {
  const { op, args, options, flags } = request;
  const { messages } = invocation;
  const settings = readSettings(flags);
  const hooks = remoteHooks(invocation, flags.debug || settings.debug);
  const choice = chooseEngine(settings, hooks, flags.verbose);
  const engine = await choice.load();
  assertRuns(engine, op);
  const asked = await readPlan(op, args, options, flags, settings.outputDir, invocation.signal);
  assertSent(engine, op, [...Object.keys(asked.values), ...Object.keys(asked.pages)]);
  if (choice.note !== undefined) messages.note(choice.note);
  const plan = await withSecrets(asked, options, invocation);
  const means = machineMeans(invocation.clock, invocation.signal);
  const it = { ...invocation, plan, engine, means, batch: false, remote: { settings, hooks } };
  if (flags.plan) return showPlan(it, settings.maxCredits);
  return runsForEach(plan) ? runForEach(it) : runPlan(it);
}
