import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Failure } from '../../contract/failure.ts';
import { readFailure } from '../files/file-failure.ts';
import { STDIN_NAME } from '../files/spool.ts';
import { printableText } from './printable.ts';
import { canAsk, readSecret, readStandardInput } from './prompt.ts';
import type { Streams } from './streams.ts';

export interface PasswordSources {
  /** A file whose first line is the password of every input. */
  readonly file: string | undefined;
  /** The password itself, which was read from standard input. */
  readonly given?: string | undefined;
  /** `FILE=PASSWORDFILE` for single inputs. */
  readonly each: readonly string[];
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** The same, with the password of `--password-file -` read from standard input, which can be read once. */
export async function readPasswordSources(sources: PasswordSources, signal: AbortSignal): Promise<PasswordSources> {
  if (sources.file !== '-') return sources;
  return { ...sources, file: undefined, given: await firstInputLine(signal) };
}

async function firstInputLine(signal: AbortSignal): Promise<string> {
  return (await readStandardInput(LONGEST_SECRET, signal)).split(/\r?\n/, 1)[0] ?? '';
}

export type FindPassword = (name: string, attempt: number) => Promise<string | undefined>;

/**
 * Finds the password of an input: the file named for it, the file named for all, PDFTOOL_PDF_PASSWORD, then the person
 * is asked, where there is one. Throws a usage Failure for `FILE=PASSWORDFILE` without the sign.
 */
export function passwordFinder(sources: PasswordSources, streams: Streams, signal: AbortSignal): FindPassword {
  const { file, each, environment = process.env } = sources;
  // Read at once: a file that is missing is a mistake, also where no input turns out to need it.
  const byFile = new Map(each.map(pairOf).map(([name, own]) => [name, firstLine(own)]));
  const forAll = sources.given ?? (file === undefined ? environment.PDFTOOL_PDF_PASSWORD : firstLine(file));
  // A file that is given twice is asked about once.
  const typed = new Map<string, string>();
  return async (name, attempt) => {
    const known = byFile.get(resolve(name)) ?? forAll;
    if (known !== undefined) return attempt === 1 ? known : undefined;
    if (!canAsk(streams, environment)) return undefined;
    const before = attempt === 1 ? typed.get(name) : undefined;
    if (before !== undefined) return before;
    const again = attempt > 1 ? 'That is not it. ' : '';
    const password = await readSecret(`${again}Password of ${printableText(name)}: `, streams, signal);
    typed.set(name, password);
    return password;
  };
}

/** Longer first lines are no secret that a person keeps. */
const LONGEST_SECRET = 4096;

/**
 * A secret that an operation takes: the first line of a file (`-` is standard input), a variable of the environment, or what
 * a person types unseen when asked `question`. Undefined where there is none of them.
 */
export async function findSecret(
  sources: {
    readonly file: string | undefined;
    readonly environment: string;
    readonly question: string | undefined;
    /** Of a new secret, asked behind `question`: both answers must be one. */
    readonly again?: string | undefined;
  },
  streams: Streams,
  signal: AbortSignal,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<string | undefined> {
  const { file, question, again } = sources;
  if (file === '-') return firstInputLine(signal);
  if (file !== undefined) return firstLine(file);
  const given = environment[sources.environment];
  if (given !== undefined && given !== '') return given;
  if (question === undefined || !canAsk(streams, environment)) return undefined;
  const typed = await readSecret(question, streams, signal);
  if (again === undefined || typed === '' || (await readSecret(again, streams, signal)) === typed) return typed;
  throw new Failure('usage', 'the two do not match', { hint: 'Run it again, and type the same twice.' });
}

function pairOf(text: string): [string, string] {
  const at = text.lastIndexOf('=');
  const name = text.slice(0, at);
  if (at > 0 && at < text.length - 1) return [resolve(name === '-' ? STDIN_NAME : name), text.slice(at + 1)];
  throw new Failure('usage', `--password-for: expected FILE=PASSWORDFILE, found ${text}`, {
    hint: 'The password stands in a file, so that no list of processes shows it.',
  });
}

function firstLine(path: string): string {
  try {
    return (
      readFileSync(path, 'utf8')
        .replace(/^\uFEFF/, '')
        .split(/\r?\n/, 1)[0] ?? ''
    );
  } catch (error) {
    throw readFailure(error, path);
  }
}
