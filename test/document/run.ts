import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ByteSource, BytesResult, Context } from '../../src/contract/base/ports.ts';
import { bytesOf, createContext, sourceOf } from '../properties/context.ts';

export const FIXTURES = join(import.meta.dirname, '../fixtures');

export function open(path: string): ReturnType<typeof sourceOf> {
  return sourceOf(path.slice(path.lastIndexOf('/') + 1), readFileSync(path));
}

/** Runs a handler on a file, keeps its output, and has qpdf check it. */
export async function edit<Options extends object>(
  run: (input: Options & { file: ByteSource; incremental: boolean }, ctx: Context) => Promise<BytesResult>,
  path: string,
  options: Options,
  to: string,
): Promise<readonly string[]> {
  const result = await run({ incremental: false, ...options, file: open(path) }, createContext());
  writeFileSync(to, await bytesOf(result.body));
  execFileSync('qpdf', ['--check', to], { stdio: 'ignore' });
  return result.warnings ?? [];
}

export function pixels(path: string): string {
  return execFileSync('pdftoppm', ['-r', '20', '-l', '4', path], {
    encoding: 'latin1',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

export function said(program: string, ...args: readonly string[]): string {
  return execFileSync(program, [...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}
