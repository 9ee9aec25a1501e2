// Owns the composition: argv in, exit code out. The only file of the program that knows all the others.
import { systemClock } from '../runtime/clock.ts';
import { loadPaint, wantsColour } from '../runtime/paint.ts';
import { readSettings } from '../runtime/settings.ts';
import { listenForStop } from '../runtime/signals.ts';
import { processStreams, type Streams } from '../runtime/streams.ts';
import { wrap } from '../runtime/wrap.ts';
import { isBatch, runBatch } from './batch.ts';
import { assertRuns, assertSent, chooseEngine } from './engines.ts';
import { failureOf } from './failure-of.ts';
import { showPlan } from './plan.ts';
import { parseLine, type Request } from './program.ts';
import { readWish } from './read-input.ts';
import { runOnce } from './run.ts';
import { readSecrets } from './secret-fields.ts';
import { createVoice } from './voice.ts';

/** Runs one command line and returns the exit code of CLI.md section 5. */
export async function main(argv: readonly string[], version: () => string): Promise<number> {
  const streams = processStreams();
  const stop = listenForStop();
  const words = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  const said = (flag: string) => words.includes(flag);
  const colour = wantsColour(streams.errIsTerminal, said('--no-color') ? false : undefined);
  const paint = await loadPaint(colour);
  // Before the line is understood, its words are all there is to go by: a failure of --json is JSON in any case.
  let voice = createVoice({ streams, paint, quiet: false, json: said('--json'), debug: said('--debug') });
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
    voice = createVoice({ streams, paint, ...flags });
    if (request.kind === 'own') {
      if (request.command.drains === true) stop.takeTime();
      const runOwn = await request.command.load();
      return await runOwn({
        ...request.request,
        streams,
        voice,
        version,
        colour,
        clock: systemClock,
        signal: stop.signal,
      });
    }
    return await run(request, { streams, voice, version, colour, signal: stop.signal });
  } catch (error) {
    const failure = failureOf(error, stop.signal);
    voice.fail(failure);
    return failure.exit;
  } finally {
    if (stop.signal.aborted && streams.isStuck()) stop.end();
    stop.release();
  }
}

/** Longer lines are hard to read, however wide the terminal is. */
const WIDEST = 100;

interface Around {
  readonly version: () => string;
  readonly streams: Streams;
  readonly voice: ReturnType<typeof createVoice>;
  readonly colour: boolean;
  readonly signal: AbortSignal;
}

async function run({ op, args, options, flags }: Request & { kind: 'run' }, around: Around): Promise<number> {
  const settings = readSettings(flags);
  const debug = flags.debug || settings.debug;
  const surroundings = {
    version: around.version,
    trace: debug ? (line: string) => around.streams.err(`${line}\n`) : undefined,
    warn: (text: string) => around.voice.warn(text),
  };
  const choice = chooseEngine(settings, surroundings);
  const engine = await choice.load();
  assertRuns(engine, op);
  const wish = readWish(op, args, options, flags);
  assertSent(engine, op, [...Object.keys(wish.values), ...Object.keys(wish.pages)]);
  if (choice.note !== undefined) around.voice.note(choice.note);
  const secrets = await readSecrets(op, options, { plan: flags.plan, streams: around.streams, signal: around.signal });
  const it = {
    ...around,
    op,
    engine,
    wish: { ...wish, values: { ...wish.values, ...secrets } },
    flags,
    clock: systemClock,
    folder: settings.outputDir,
    batch: false,
    around: { settings, surroundings, options },
  };
  if (flags.plan) return showPlan(it, settings.maxCredits);
  return isBatch(it) ? runBatch(it) : runOnce(it);
}
