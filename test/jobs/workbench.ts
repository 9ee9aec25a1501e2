import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { CLEAN, type Folder, folder, PROGRAM, pdftool } from '../e2e/pdftool.ts';
import type { JobService } from './service.ts';

export const KEY = 'sk_test_0123456789abcdefWXYZ';

export interface Bench extends Disposable {
  readonly here: Folder;
  readonly work: string;
  readonly env: Record<string, string>;
  run(args: readonly string[]): ReturnType<typeof pdftool>;
  /** Starts it; `died` gives its exit code, or its signal's name. */
  start(args: readonly string[]): {
    child: ChildProcess;
    died: Promise<{ code: number | string; stderr: string; stdout: string }>;
  };
  /** Entries of the journal as `jobs list --json` has them. */
  jobs(): Promise<Record<string, unknown>[]>;
  /** Every line of the journal. */
  journal(): string;
}

export function bench(service: JobService): Bench {
  const here = folder();
  const work = here.at('work');
  mkdirSync(work);
  const env: Record<string, string> = {
    ...CLEAN,
    XDG_CONFIG_HOME: here.at('config'),
    XDG_STATE_HOME: here.at('state'),
    PDFTOOL_API_KEY: KEY,
    PDFTOOL_BASE_URL: service.url,
  };
  const run = (args: readonly string[]) => pdftool(args, { cwd: work, env });
  return {
    here,
    work,
    env,
    run,
    start(args) {
      const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: work, env, stdio: ['ignore', 'pipe', 'pipe'] });
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (text) => (stdout += text));
      child.stderr.on('data', (text) => (stderr += text));
      const died = new Promise<{ code: number | string; stderr: string; stdout: string }>((resolve) => {
        child.once('close', (code, signal) => resolve({ code: signal ?? code ?? -1, stdout, stderr }));
      });
      return { child, died };
    },
    async jobs() {
      const { stdout } = await run(['jobs', 'list', '--json']);
      return (JSON.parse(stdout) as { jobs: Record<string, unknown>[] }).jobs;
    },
    journal() {
      const path = here.at('state/pdftool/journal');
      return readdirSync(path)
        .map((name) => readFileSync(`${path}/${name}`, 'utf8'))
        .join('');
    },
    [Symbol.dispose]: () => here[Symbol.dispose](),
  };
}
