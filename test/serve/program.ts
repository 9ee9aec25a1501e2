import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { CLEAN, type Folder, PROGRAM, pdftool } from '../e2e/pdftool.ts';
import { METRICS, until } from './rig.ts';

const started: ChildProcess[] = [];

/** Ends every server that a test started. */
export function killServers(): void {
  for (const child of started.splice(0)) child.kill('SIGKILL');
}

/** `pdftool serve` as a process of its own. */
export interface Served {
  readonly child: ChildProcess;
  readonly url: string;
  readonly key: string | undefined;
  readonly said: () => string;
  readonly log: () => string;
  readonly exit: Promise<number | null>;
}

/** Started in a folder, on a free port; ready when this settles. */
export async function serve(
  here: Folder,
  more: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const args = [PROGRAM, 'serve', '--port', '0', '--data', here.at('data'), ...more];
  const child = spawn(process.execPath, args, {
    env: { ...CLEAN, PDFTOOL_SERVE_METRICS_TOKEN: METRICS, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let [said, log] = ['', ''];
  child.stdout.on('data', (chunk) => {
    said += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    log += String(chunk);
  });
  const exit = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const url = await until(() => {
    if (child.exitCode !== null) throw new Error(`it ended: ${log}`);
    return /http:\/\/[\d.:]+/.exec(said)?.[0];
  });
  const first = here.at('data/first-key');
  return {
    child,
    url,
    key: existsSync(first) ? readFileSync(first, 'utf8').trim() : undefined,
    said: () => said,
    log: () => log,
    exit,
  };
}

/** A subcommand of serve on the same folder. */
export const command = (here: Folder, ...args: string[]) =>
  pdftool(['serve', ...args, '--data', here.at('data')], { cwd: here.path });
export const remote = ({ url }: Served, key: string | undefined) => ({
  ...CLEAN,
  PDFTOOL_BASE_URL: url,
  PDFTOOL_API_KEY: String(key),
});
