import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { folder, pdftool } from '../e2e/pdftool.ts';

interface Rates {
  readonly judged: number;
  /** Pages or content lost without a warning. */
  readonly silent: number;
  readonly rates: { readonly right: number; readonly refused: number; readonly 'exit 1': number };
  readonly wrong: readonly unknown[];
}

export async function runMutants(count: number, seed: number): Promise<Rates> {
  const script = join(import.meta.dirname, 'run.mjs');
  const { stdout } = await execa(process.execPath, [script, String(count), String(seed), '--json']);
  return JSON.parse(stdout) as Rates; // printed by run.mjs
}

/** The first of these programs that is not here. */
export function without(...programs: readonly string[]): string | undefined {
  return programs.find((program) => spawnSync(program, ['-v']).error !== undefined);
}

/** Pages that qpdf, poppler and mutool agree on (SOURCES.md of the corpus); undefined: no reader opens it. */
const FOUND: Readonly<Record<string, number | undefined>> = {
  '0658-objrenum.pdf': 1,
  '0751-token.pdf': 2,
  '1182-objstm.pdf': 1,
  '1209-objstm.pdf': 2,
  '2940-header.pdf': 2,
  'cantoo--invalid_xref.pdf': 2,
  'exit1-brace-0666-insert.pdf': 2,
  'exit1-stack-2923-objswap.pdf': undefined,
  'exit1-startxref-0229-xrefrow.pdf': undefined,
  'lost-content-1198-objrenum.pdf': 5,
  'lost-pages-2197-objrenum.pdf': 5,
  'mutant-13-swap.pdf': 1,
  'pdfium--bug_1324503.pdf': undefined,
};

/** Those of the corpus that are there. */
export function readFound() {
  const from = join(process.env.PDFTOOL_CORPUS ?? '', 'found');
  if (process.env.PDFTOOL_CORPUS === undefined || !existsSync(from)) return [];
  return readdirSync(from)
    .filter((name) => name in FOUND)
    .map((name) => ({
      name,
      pages: FOUND[name],
      async run() {
        using here = folder();
        const args = ['rotate', join(from, name), '--local', '--angle', '180', '--json', '-o', here.at('out.pdf')];
        const { exitCode, stdout } = await pdftool(args);
        const { output, error } = JSON.parse(stdout);
        return { exitCode, found: output?.pages, message: error?.message };
      },
    }));
}
