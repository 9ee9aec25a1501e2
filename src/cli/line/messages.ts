import { type Failure, type FailureCode, failureRecord } from '../../contract/base/failure.ts';
import { spelled } from '../../contract/base/wording.ts';
import { asCommandLine } from '../../contract/spelling.ts';
import { type Palette, PLAIN_PAINT } from '../../runtime/terminal/paint.ts';
import { printableLine } from '../../runtime/terminal/printable.ts';
import type { Streams } from '../../runtime/terminal/streams.ts';
import { wrap } from '../../runtime/terminal/wrap.ts';

export interface Messages {
  note(text: string): void;
  warn(text: string): void;
  /** What was done, for a person at a terminal. */
  summary(text: string): void;
  /** On standard error; with --json also on standard output, with the input's name. `told`: the JSON was printed already. */
  fail(failure: Failure, input?: string, told?: boolean): void;
}

interface MessageOptions {
  readonly streams: Streams;
  readonly paint?: Palette;
  readonly quiet: boolean;
  readonly json: boolean;
  readonly debug: boolean;
}

export function createMessages({ streams, paint = PLAIN_PAINT, quiet, json, debug }: MessageOptions): Messages {
  const say = (text: string) => streams.err(`${text}\n`);
  /** Wraps a line beside the word error on a terminal. Indented lines show a place in a word and are not wrapped. */
  const broken = (line: string) =>
    streams.errIsTerminal && !line.startsWith('  ') ? wrap(line, Math.max(20, streams.columns() - 8)) : [line];
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
    fail(failure, input, told = false) {
      if (json && !told) streams.json({ ...failureRecord(failure, asCommandLine), input });
      const [first = '', ...others] = spelled(failure.wording, asCommandLine).split('\n').map(printableLine);
      const [start = '', ...rest] = broken(first);
      say(`${paint.bad('error:')} ${start}`);
      for (const line of [...rest, ...others.flatMap(broken)]) say(`       ${line}`);
      for (const line of broken(printableLine(spelled(failure.hint ?? NEXT[failure.code], asCommandLine))))
        say(paint.quiet(`       ${line}`));
      if (debug) for (const line of causes(failure)) say(paint.quiet(printableLine(line)));
    },
  };
}

const NEXT: Readonly<Record<FailureCode, string>> = {
  internal: 'This is a defect. Run it again with --debug, and report what it says.',
  usage: 'Run pdftool --help.',
  unauthenticated: 'Set PDFTOOL_API_KEY to a valid key.',
  forbidden: 'See which key is used with pdftool auth status.',
  out_of_credits: 'See what is left with pdftool account.',
  over_max_credits: 'Raise --max-credits, or see the price with --plan.',
  refused: 'See what it is with pdftool info FILE --local.',
  not_found: 'Check the name.',
  conflict: 'See its state first, and try again.',
  too_large: 'Take a part of it with pdftool split, or use --local, which has no such limit.',
  unprocessable: 'See what it is with pdftool info FILE --local.',
  password: 'Give the password of the document with --password-file.',
  pending: 'Wait longer with --timeout, or look again later.',
  output_exists: 'Choose another name with -o, or replace it with --force.',
  rate_limited: 'Try again in a minute; nothing was charged.',
  network: 'Check the connection and try again; nothing was charged.',
  server: 'Try again later; nothing was charged.',
  ambiguous: 'Check with pdftool account before trying again: it may have been charged.',
  partial: 'Run it again for the files that failed.',
  job_failed: 'See why with pdftool jobs status ID.',
  unavailable: 'Choose the other engine with --local or --remote.',
  interrupted: 'No unfinished output was left behind.',
  terminated: 'No unfinished output was left behind.',
};

function* causes(failure: Failure): Generator<string> {
  for (let error: unknown = failure; error instanceof Error; error = error.cause) {
    yield* (error.stack ?? error.message).split('\n');
  }
}
