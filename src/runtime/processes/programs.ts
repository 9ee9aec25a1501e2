// Runs other programs of this machine: found on PATH, bounded in time and output, ended together with their caller.
import { spawn } from 'node:child_process';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { atEnd } from '../../contract/base/closing.ts';
import { Failure } from '../../contract/base/failure.ts';
import type { ProgramOptions, ProgramRun, Programs } from '../../contract/base/ports.ts';
import { Scratch } from '../files/outputs/scratch.ts';
import { ifPossible } from '../files/system/if-possible.ts';
import { ownWasmCommand } from './child.ts';
import { endWithThisProcess, killGroup } from './watcher.ts';

/** Characters kept of a program's standard error, for messages. */
const MOST_SAID = 2_000;

export const systemPrograms: Programs = {
  platform: process.platform,
  processors: availableParallelism(),
  get ownCommand() {
    return ownWasmCommand();
  },
  setting: (name) => process.env[name] || undefined,
  find,
  run,
};

function find(name: string): string | undefined {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', ''] : [''];
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    // Relative folders of PATH depend on the current folder, so they are skipped.
    if (!isAbsolute(folder)) continue;
    for (const ending of endings) {
      const path = join(folder, name + ending);
      const canRun = ifPossible(() => accessSync(path, constants.X_OK) === undefined && statSync(path).isFile());
      if (canRun === true) return path;
    }
  }
  return undefined;
}

async function run(path: string, args: readonly string[], options: ProgramOptions): Promise<ProgramRun> {
  const scratch = new Scratch();
  const output = options.output === undefined ? undefined : scratch.path(`output${options.output}`);
  using _ = atEnd(() => scratch.remove());
  const words = args.map((arg) => (output === undefined ? arg : arg.replaceAll('{output}', output)));
  const done = await answer(path, words, options);
  if (output === undefined || done.code !== 0) return done;
  // Empty where the program wrote nothing, or too much.
  const size = statSync(output, { throwIfNoEntry: false })?.size ?? 0;
  return { ...done, bytes: size === 0 || size > options.most ? new Uint8Array(0) : readFileSync(output) };
}

function answer(path: string, args: readonly string[], options: ProgramOptions): Promise<ProgramRun> {
  const { signal, patience, most, input } = options;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    // Without our own settings: keys and passwords are no business of other programs.
    const others = Object.entries(process.env).filter(([name]) => !/^(PDFTOOL|SERVICE)_/.test(name));
    const env = { ...Object.fromEntries(others), ...options.environment };
    const detached = process.platform !== 'win32';
    const [program, words, windowsVerbatimArguments] = childCommandLine(path, args, process.env);
    const stdio: ['pipe', 'pipe', 'pipe'] = ['pipe', 'pipe', 'pipe'];
    const child = spawn(program, words, { stdio, windowsHide: true, windowsVerbatimArguments, env, detached });
    endWithThisProcess(child);
    const stop = () => killGroup(child);
    const timer = setTimeout(stop, patience);
    signal.addEventListener('abort', stop, { once: true });
    const chunks: Buffer[] = [];
    let size = 0;
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > most) stop();
      else chunks.push(chunk);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-MOST_SAID);
    });
    // A program may close its input without reading it.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const over = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    };
    child.once('error', (error) => {
      over();
      reject(error);
    });
    child.once('close', (code) => {
      over();
      if (signal.aborted) reject(signal.reason);
      else resolve({ code: code ?? undefined, bytes: Buffer.concat(chunks), output: output });
    });
  });
}

/**
 * What starts a program. A batch file, such as npm.cmd, is for the shell of Windows, which reads quotes and % even inside
 * quotes: words that hold them are refused. `verbatim`: the words are the line as it is.
 */
export function childCommandLine(
  path: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): [program: string, words: string[], verbatim: boolean] {
  if (!/\.(cmd|bat)$/i.test(path)) return [path, [...args], false];
  const words = [path, ...args];
  const unfit = words.find((word) => /["%!\r\n\0]/.test(word));
  if (unfit !== undefined) throw new Failure('usage', `${unfit} cannot be given to a batch file`);
  const line = words.map((word) => `"${word.replace(/\\+$/, '$&$&')}"`).join(' ');
  return [environment.comspec ?? 'cmd.exe', ['/d', '/s', '/c', `"${line}"`], true];
}
