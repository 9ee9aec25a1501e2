// Owns what is said to a person on standard error: notes, warnings, failures, summaries. Knows no operation's work.
import { type Failure, type FailureCode, failureRecord } from '../contract/failure.ts';
import { type Paint, PLAIN } from '../runtime/paint.ts';
import { printableLine } from '../runtime/printable.ts';
import type { Streams } from '../runtime/streams.ts';

export interface Voice {
  /** One quiet line. */
  note(text: string): void;
  warn(text: string): void;
  /** What was done; only a person at a terminal is told. */
  summary(text: string): void;
  /** On standard error; with --json on standard output too, with the name of the input in a batch. */
  fail(failure: Failure, input?: string): void;
}

export interface VoiceOptions {
  readonly streams: Streams;
  readonly paint?: Paint;
  readonly quiet: boolean;
  readonly json: boolean;
  readonly debug: boolean;
}

export function createVoice({ streams, paint = PLAIN, quiet, json, debug }: VoiceOptions): Voice {
  const say = (text: string) => streams.err(`${text}\n`);
  return {
    note(text) {
      if (!quiet) say(paint.quiet(`note: ${printableLine(text)}`));
    },
    warn(text) {
      if (!quiet) say(`${paint.strong('warning:')} ${printableLine(text)}`);
    },
    summary(text) {
      if (!quiet && streams.errIsTerminal) say(`${paint.good('✓')} ${printableLine(text)}`);
    },
    fail(failure, input) {
      if (json) streams.out(`${JSON.stringify({ ...failureRecord(failure), input })}\n`);
      const [first = '', ...others] = failure.message.split('\n').map(printableLine);
      say(`${paint.bad('error:')} ${first}`);
      for (const line of others) say(`       ${line}`);
      const hint = failure.hint ?? NEXT[failure.code];
      if (hint !== undefined) say(paint.quiet(`       ${printableLine(hint)}`));
      if (debug) for (const line of causes(failure)) say(paint.quiet(printableLine(line)));
    },
  };
}

/** The next step where the failure names none. */
const NEXT: Partial<Record<FailureCode, string>> = {
  internal: 'This is a defect. Run it again with --debug, and report what it says.',
  usage: 'Run pdftool --help.',
  unauthenticated: 'Set PDFTOOL_API_KEY to a valid key.',
  out_of_credits: 'See what is left with pdftool account.',
  password: 'Give the password of the document.',
  output_exists: 'Choose another name with -o, or replace it with --force.',
  network: 'Check the connection and try again.',
  server: 'Try again later.',
  ambiguous: 'Check with pdftool account before trying again: it may have been charged.',
  unavailable: 'Choose the other engine with --local or --remote.',
};

function* causes(failure: Failure): Generator<string> {
  for (let error: unknown = failure; error instanceof Error; error = error.cause) {
    yield* (error.stack ?? error.message).split('\n');
  }
}
