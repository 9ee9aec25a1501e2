import { systemClock } from '../runtime/clock.ts';
import { listenForStop } from '../runtime/processes/signals.ts';
import { readSettings } from '../runtime/settings/settings.ts';
import { loadPaint, wantsColour } from '../runtime/terminal/paint.ts';
import { processStreams } from '../runtime/terminal/streams.ts';
import { wrap } from '../runtime/terminal/wrap.ts';
import { assertRuns, assertSent, chooseEngine, remoteHooks } from './engines.ts';
import { failureOf } from './failure-of.ts';
import type { Invocation } from './invocation.ts';
import { createMessages } from './messages.ts';
import { parseLine, type Request } from './program.ts';
import { runForEach, runsForEach } from './run/batch.ts';
import { readPlan } from './run/plan.ts';
import { runOnce } from './run/run.ts';
import { withSecrets } from './run/secret-fields.ts';
import { showPlan } from './run/show-plan.ts';

/** Runs one command line and returns the exit code of CLI.md section 5. */
export async function main(argv: readonly string[], version: () => string): Promise<number> {
  const streams = processStreams();
  const stop = listenForStop();
  const words = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  const said = (flag: string) => words.includes(flag);
  const colour = wantsColour(streams.errIsTerminal, said('--no-color') ? false : undefined);
  const paint = await loadPaint(colour);
  // Before the line is understood, its words are all there is to go by: a failure of --json is JSON in any case.
  let messages = createMessages({ streams, paint, quiet: false, json: said('--json'), debug: said('--debug') });
  try {
    const request = parseLine(argv);
    if (request.kind === 'version') {
      streams.out(`${version()}\n`);
      return 0;
    }
    if (request.kind === 'help') {
      const { helpFor } = await import('./help.ts');
      const bold = await loadPaint(wantsColour(streams.outIsTerminal, said('--no-color') ? false : undefined));
      const width = Math.min(streams.columns(), WIDEST);
      streams.out(helpFor(request, { width, heading: bold.strong, wrap }));
      return 0;
    }
    const { flags } = request.kind === 'own' ? request.request : request;
    messages = createMessages({ streams, paint, ...flags });
    const invocation = { streams, messages, version, colour, clock: systemClock, signal: stop.signal };
    if (request.kind === 'run') return await run(request, invocation);
    if (request.command.drains === true) stop.takeTime();
    const runOwn = await request.command.load();
    const describe = async () => (await import('./shape.ts')).describeProgram();
    return await runOwn({ ...request.request, ...invocation, describe });
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
  const asked = readPlan(op, args, options, flags, settings.outputDir);
  assertSent(engine, op, [...Object.keys(asked.values), ...Object.keys(asked.pages)]);
  if (choice.note !== undefined) messages.note(choice.note);
  const plan = await withSecrets(asked, options, invocation);
  const it = { ...invocation, plan, engine, batch: false, remote: { settings, hooks } };
  if (flags.plan) return showPlan(it, settings.maxCredits);
  return runsForEach(plan) ? runForEach(it) : runOnce(it);
}
