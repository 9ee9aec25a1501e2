import { resolve } from 'node:path';
import { Failure } from '../../contract/base/failure.ts';
import { decodeText } from '../../contract/base/text.ts';
import { say, setting } from '../../contract/base/wording.ts';
import { readAll, readStart, STDIN_NAME } from '../files/inputs/read-all.ts';
import { printableText } from './printable.ts';
import { canAsk, readSecret } from './prompt.ts';
import type { Streams } from './streams.ts';

export interface PasswordSources {
  /** A file whose first line is the password of every input. */
  readonly file: string | undefined;
  /** The password itself, which was read from standard input. */
  readonly given?: string | undefined;
  /** `FILE=PASSWORDFILE` for single inputs. */
  readonly byFile: readonly string[];
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Reads the password of `--password-file -` from standard input, which can be read only once. */
export async function readPasswordSources(sources: PasswordSources, signal: AbortSignal): Promise<PasswordSources> {
  if (sources.file !== '-') return sources;
  return { ...sources, file: undefined, given: await firstInputLine(signal) };
}

async function firstInputLine(signal: AbortSignal): Promise<string> {
  return firstLine(await readAll('-', LONGEST_SECRET, signal), 'standard input');
}

export type FindPassword = (name: string, attempt: number) => Promise<string | undefined>;

/**
 * Finds the password of an input: from the file named for it, from the file named for all, from PDFTOOL_PDF_PASSWORD, or from
 * the person at the terminal. Throws a usage Failure for `FILE=PASSWORDFILE` without the sign.
 */
export function passwordFinder(sources: PasswordSources, streams: Streams, signal: AbortSignal): FindPassword {
  const { file, byFile: given, environment = process.env } = sources;
  // Files are read now: a missing one is an error even if no input turns out to need it.
  const byFile = new Map(given.map(pairOf).map(([name, file]) => [name, secretIn(file)]));
  const forAll = sources.given ?? (file === undefined ? environment.PDFTOOL_PDF_PASSWORD : secretIn(file));
  // Asks once for a file that is given twice.
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

/** Bytes read of a file with a password. */
const LONGEST_SECRET = 4096;

/**
 * A secret of an operation: the first line of a file (`-` is standard input), a variable of the environment, or what a person
 * types unseen when asked `question`. Undefined where there is none of these.
 */
export async function findSecret(
  sources: {
    readonly file: string | undefined;
    readonly environment: string;
    readonly question: string | undefined;
    /** For a new secret, the question that asks for it a second time: both answers must be equal. */
    readonly again?: string | undefined;
  },
  streams: Streams,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { file, question, again } = sources;
  if (file === '-') return firstInputLine(signal);
  if (file !== undefined) return secretIn(file);
  const given = process.env[sources.environment];
  if (given !== undefined && given !== '') return given;
  if (question === undefined || !canAsk(streams)) return undefined;
  const typed = await readSecret(question, streams, signal);
  if (again === undefined || typed === '' || (await readSecret(again, streams, signal)) === typed) return typed;
  throw new Failure('usage', 'the two do not match', { hint: 'Run it again, and type the same twice.' });
}

function pairOf(text: string): [string, string] {
  const at = text.lastIndexOf('=');
  const name = text.slice(0, at);
  if (at > 0 && at < text.length - 1) return [resolve(name === '-' ? STDIN_NAME : name), text.slice(at + 1)];
  throw new Failure('usage', say`${setting('password-for')}: expected FILE=PASSWORDFILE, found ${text}`, {
    hint: 'The password stands in a file, so that no list of processes shows it.',
  });
}

const secretIn = (path: string) => firstLine(readStart(path, LONGEST_SECRET), path);

function firstLine(bytes: Uint8Array, name: string): string {
  return decodeText(bytes, name).split(/\r?\n/, 1)[0] ?? '';
}
