import { readFileSync, statSync } from 'node:fs';
import { Failure } from '../../contract/failure.ts';
import { EXTENSIONS } from '../../contract/media.ts';
import type { RandomAccess } from '../../contract/ports.ts';
import type { Workspace } from '../folders/workspace.ts';
import type { Opened } from './descriptors.ts';
import { folderGiven, readFailure } from './file-failure.ts';
import { fileSource } from './file-source.ts';
import { spoolFile, spoolStdin } from './spool.ts';
import type { InputIdentity } from './target.ts';

/** A file as the line names it, and the line of the list that it stands in. */
export interface NamedFile {
  readonly name: string;
  readonly listed?: string;
}

/**
 * Replaces every `@list.txt` by the names in it, one a line, relative to where the person is. Empty lines and those that
 * begin with # are comments.
 */
export function expandLists(names: readonly string[]): NamedFile[] {
  return names.flatMap((name) => (name.startsWith('@') && name.length > 1 ? readList(name.slice(1)) : [{ name }]));
}

function readList(name: string): NamedFile[] {
  let text: string;
  try {
    text = readFileSync(name, 'utf8');
  } catch (error) {
    const { code, message } = readFailure(error, name);
    throw new Failure(code, message, { hint: `@ names a list of files; a file is written ./@${name}.`, cause: error });
  }
  // No file name holds a NUL; every PDF and picture does somewhere.
  if (text.startsWith('%PDF-') || text.includes('\0')) {
    throw new Failure('refused', `${name} is no list of files`, { hint: 'Leave the @ out to name the file itself.' });
  }
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .flatMap((line, index) => (/^\s*(#|$)/.test(line) ? [] : [{ name: line, listed: `${name}, line ${index + 1}` }]));
}

/** The text of a file that an option names. */
export function readText(name: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(name);
  } catch (error) {
    throw readFailure(error, name);
  }
  if (bytes.length > MOST_TEXT) {
    throw new Failure('refused', `${name} is too large to be text for an option: at most ${MOST_TEXT} bytes`, {
      kind: 'limit',
    });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    const lines = new TextDecoder().decode(bytes).split('\n');
    const line = 1 + lines.findIndex((each) => each.includes('\ufffd'));
    throw new Failure('refused', `${name}: line ${line} is no UTF-8 text`, {
      hint: 'Save it as UTF-8, then try again.',
      cause,
    });
  }
}

const MOST_TEXT = 1024 * 1024;

export interface Inputs {
  readonly sources: readonly RandomAccess[];
  readonly identities: readonly InputIdentity[];
}

interface InputOptions {
  /** The list and line that a name stands in, where there is one. */
  readonly listed?: Readonly<Record<string, string>>;
  /** What has to be copied to the disk has no name there; for a few files, which stay open. */
  readonly unnamed?: boolean;
}

/** Opens every name, and says all that is wrong with them at once. `types`: the media types they may have. */
export async function openInputs(
  names: readonly string[],
  types: readonly string[],
  workspace: Workspace,
  signal: AbortSignal,
  { listed = {}, unnamed = false }: InputOptions = {},
): Promise<Inputs> {
  refuseStdinTwice(names);
  const opened: Opened[] = [];
  const failures: Failure[] = [];
  for (const name of names) {
    try {
      opened.push(await openInput(name, workspace, signal, unnamed));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      signal.throwIfAborted();
      failures.push(listed[name] === undefined ? error : inList(error, listed[name]));
    }
  }
  if (failures.length > 0) throw together(failures);
  return {
    sources: opened.map((file) => fileSource(file, workspace.descriptors, mediaTypeOf(file.name, types))),
    identities: opened.map((file) => file.identity),
  };
}

/** Standard input is one file, whatever it is named for. */
export function refuseStdinTwice(names: readonly string[]): void {
  if (names.filter((name) => name === '-').length < 2) return;
  throw new Failure('usage', 'standard input (-) was named twice, and can be read once', {
    hint: 'Save it to a file first.',
  });
}

/** The same for one name. */
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
    const found = statSync(name);
    if (found.isDirectory()) throw folderGiven(name);
    // A pipe, such as <(command) in a shell: read once, so it is kept in a file.
    if (!found.isFile()) return notEmpty(await spoolFile(name, workspace, signal, unnamed));
    return notEmpty(workspace.descriptors.open(name, name));
  } catch (error) {
    throw error instanceof Failure ? error : readFailure(error, name);
  }
}

function inList({ code, message, hint, kind }: Failure, place: string): Failure {
  return new Failure(code, `${message} (${place})`, { hint, kind });
}

function notEmpty(file: Opened): Opened {
  if (file.identity.size > 0) return file;
  throw new Failure('refused', `${file.name} is empty: 0 bytes`, {
    kind: 'empty',
    hint: 'Check how it was made; a download may have failed.',
  });
}

/** More messages than this would push the first of them off the screen. */
const TOLD = 20;

/** One failure for several files: the first one's code, everyone's message. */
function together(failures: readonly Failure[]): Failure {
  const [first, ...others] = failures;
  if (first === undefined) throw new TypeError('no failure');
  if (others.length === 0) return first;
  const messages = failures.slice(0, TOLD).map(({ message }) => message);
  if (failures.length > TOLD) messages.push(`and ${failures.length - TOLD} more of ${failures.length}`);
  return new Failure(first.code, messages.join('\n'), {
    hint: first.hint,
    kind: first.kind,
    cause: first,
  });
}

function mediaTypeOf(name: string, types: readonly string[]): string | undefined {
  const extension = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase();
  return types.find((type) => extension !== undefined && EXTENSIONS[type]?.includes(extension)) ?? types[0];
}
