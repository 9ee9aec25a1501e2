import { createReadStream, readdirSync, statSync } from 'node:fs';
import { Failure } from '../../../contract/base/failure.ts';
import type { RandomAccess } from '../../../contract/base/ports.ts';
import { decodeText } from '../../../contract/base/text.ts';
import { headText, sniffedType, typeAmong } from '../../../contract/media.ts';
import type { Workspace } from '../outputs/workspace.ts';
import type { Opened } from '../system/descriptors.ts';
import { folderGiven, readFailure } from '../system/file-failure.ts';
import { fileSource } from '../system/file-source.ts';
import { ifPossible } from '../system/if-possible.ts';
import { readAll, refuseDevice } from './read-all.ts';
import { type ByteStream, spool, spoolStdin } from './spool.ts';

/** A file as the line names it, and the line of the list that it stands in. */
export interface NamedFile {
  readonly name: string;
  readonly listed?: string;
}

/**
 * The names in the list of files that `@list.txt` or `@-` (standard input) stands for, one a line, relative to the current
 * folder; a pattern on Windows is expanded, and any other name stands for itself. Empty lines and lines that begin with # are left out.
 */
export async function expandList(word: string, signal: AbortSignal): Promise<NamedFile[]> {
  if (!word.startsWith('@') || word.length === 1) return (expandWildcards(word) ?? [word]).map((name) => ({ name }));
  const name = word.slice(1);
  let bytes: Uint8Array;
  try {
    bytes = await readAll(name, MOST_LISTED, signal);
  } catch (error) {
    if (!(error instanceof Failure) || signal.aborted) throw error;
    throw error.with({ hint: `@ names a list of files; a file is written ./@${name}.`, cause: error });
  }
  const isDocument = sniffedType(headText(bytes)) !== undefined;
  const text = isDocument ? '' : decodeText(bytes, name);
  // No file name holds a NUL.
  if (isDocument || text.includes('\0')) {
    throw new Failure('refused', `${name} is no list of files`, { hint: 'Leave the @ out to name the file itself.' });
  }
  return text
    .split(/\r?\n/)
    .flatMap((line, index) => (/^\s*(#|$)/.test(line) ? [] : [{ name: line, listed: `${name}, line ${index + 1}` }]));
}

/** The text of a file that an option names; `-` is standard input. */
export async function readText(name: string, signal: AbortSignal): Promise<string> {
  return decodeText(await readAll(name, MOST_TEXT, signal), name);
}

const MOST_TEXT = 1024 * 1024;
/** Bytes of a list: a hundred thousand names of 80 characters. */
const MOST_LISTED = 8 * 1024 * 1024;

interface InputOptions {
  /** The list and line that a name stands in, where there is one. */
  readonly listed?: Readonly<Record<string, string>>;
  /** Copies of standard input and of pipes have no name on the disk. For a few files only, because they stay open. */
  readonly unnamed?: boolean;
  /** Bytes and streams of a library caller, by the names that stand for them. */
  readonly bodies?: ReadonlyMap<string, ByteStream>;
}

/** Opens every file, and reports all that cannot be opened in one failure. `types`: the media types they may have. */
export async function openInputs(
  names: readonly string[],
  types: readonly string[],
  workspace: Workspace,
  signal: AbortSignal,
  { listed = {}, unnamed = false, bodies }: InputOptions = {},
) {
  refuseStdinTwice(names);
  const opened: Opened[] = [];
  const failures: Failure[] = [];
  for (const name of names) {
    try {
      const body = bodies?.get(name);
      opened.push(
        body === undefined
          ? await openInput(name, workspace, signal, unnamed)
          : notEmpty(await spool(body, name, workspace, signal, unnamed)),
      );
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      signal.throwIfAborted();
      const place = listed[name];
      failures.push(place === undefined ? error : error.with({ wording: `${error.message} (${place})` }));
    }
  }
  if (failures.length > 0) throw together(failures);
  return {
    sources: opened.map((file) => fileSource(file, workspace.descriptors, typeAmong(file.name, types))),
    identities: opened.map((file) => file.identity),
  };
}

/** Throws where standard input is named for two inputs. */
export function refuseStdinTwice(names: readonly string[]): void {
  if (names.filter((name) => name === '-').length < 2) return;
  throw new Failure('usage', 'standard input (-) was named twice, and can be read once', {
    hint: 'Save it to a file first.',
  });
}

export async function openOne(
  name: string,
  workspace: Workspace,
  signal: AbortSignal,
  types: readonly string[] = [],
): Promise<RandomAccess> {
  const { sources } = await openInputs([name], types, workspace, signal);
  const [source] = sources;
  if (source === undefined) throw new TypeError('one name gives one source');
  return source;
}

async function openInput(name: string, workspace: Workspace, signal: AbortSignal, unnamed: boolean): Promise<Opened> {
  if (name === '-') return notEmpty(await spoolStdin(workspace, signal, unnamed));
  try {
    const facts = statSync(name);
    if (facts.isDirectory()) throw folderGiven(name);
    refuseDevice(name, facts);
    // A pipe, such as <(command) in a shell: read once, so it is kept in a file.
    if (!facts.isFile()) return notEmpty(await spool(createReadStream(name), name, workspace, signal, unnamed));
    return notEmpty(workspace.descriptors.open(name, name));
  } catch (error) {
    throw error instanceof Failure ? error : readFailure(error, name);
  }
}

/** The file, unless it is empty. @throws Failure */
export function notEmpty(file: Opened): Opened {
  if (file.identity.size > 0) return file;
  throw new Failure('refused', `${file.name} is empty: 0 bytes`, {
    kind: 'empty',
    hint: 'Check how it was made; a download may have failed.',
  });
}

/** Messages in one failure: more would push the first ones off the screen. */
const MOST_MESSAGES = 20;

/** One failure for several files: the code of the first one, the messages of all. */
function together(failures: readonly Failure[]): Failure {
  const [first, ...others] = failures;
  if (first === undefined) throw new TypeError('no failure');
  if (others.length === 0) return first;
  const messages = failures.slice(0, MOST_MESSAGES).map(({ message }) => message);
  if (failures.length > MOST_MESSAGES)
    messages.push(`and ${failures.length - MOST_MESSAGES} more of ${failures.length}`);
  return first.with({ wording: messages.join('\n'), cause: first });
}

/**
 * The names that `*` and `?` in the last part of a name stand for, where the shell leaves them to the program: on Windows,
 * where no name holds either. Letters match whatever their case, and hidden files only a pattern that begins with a dot.
 * Undefined where there are none; elsewhere the shell has done it.
 */
export function expandWildcards(word: string, system: string = process.platform): string[] | undefined {
  const [, folder = '', pattern = ''] = /^(.*[/\\:])?([^/\\]*)$/s.exec(word) ?? [];
  if (system !== 'win32' || !/[*?]/.test(pattern)) return undefined;
  const source = pattern.replace(/[^*?]/g, (letter) => letter.replace(/[\\^$.|+()[\]{}]/, '\\$&'));
  const wanted = new RegExp(`^${source.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'is');
  // Where it cannot be listed, opening the name itself tells what is wrong.
  const listed = ifPossible(() => readdirSync(folder === '' ? '.' : folder)) ?? [];
  const names = listed.filter((name) => wanted.test(name) && name.startsWith('.') === pattern.startsWith('.'));
  return names.length === 0 ? undefined : names.sort().map((name) => folder + name);
}
