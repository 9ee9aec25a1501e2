// What is said of a PDF, as text: a line a sentence, without a sound being made.
import { resolve } from 'node:path';
import { readSpoken } from '../../src/local/speech/spoken-document.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { Workspace } from '../../src/runtime/files/outputs/workspace.ts';
import { fileSource } from '../../src/runtime/files/system/file-source.ts';
import { NO_FIXES } from '../../src/speech/text/pronunciation.ts';
import { type Script, type ScriptOptions, writeScript } from '../../src/speech/text/script.ts';

export const FIXTURES = resolve(import.meta.dirname, '../fixtures');

/** The script of some pages of a file. */
export async function scriptOf(path: string, pages?: string, options: Partial<ScriptOptions> = {}): Promise<Script> {
  const workspace = new Workspace();
  try {
    const file = fileSource(workspace.descriptors.open(path, path), workspace.descriptors);
    const ctx = {
      signal: new AbortController().signal,
      clock: systemClock,
      temp: workspace.temp({ name: 'test' }),
      progress() {},
      detail() {},
    };
    const { blocks, marks } = await readSpoken(file, pages, false, ctx);
    return writeScript(blocks, {
      language: 'en',
      asides: 'word',
      ascii: true,
      evenPauses: true,
      pronunciations: NO_FIXES,
      marks,
      chapters: true,
      ...options,
    });
  } finally {
    workspace.close();
  }
}

export async function spokenText(path: string, pages?: string): Promise<string> {
  const { sentences } = await scriptOf(path, pages);
  return `${sentences.map(({ spoken }) => spoken).join('\n')}\n`;
}
