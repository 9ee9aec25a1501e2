import { readdirSync, readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import { Failure, failureRecord } from '../../src/contract/base/failure.ts';
import { asFields, command, field, operationNamed, say, setting, spelled } from '../../src/contract/base/wording.ts';
import { asCommandLine } from '../../src/contract/spelling.ts';
import { failureAnswer } from '../../src/mcp/failures.ts';

/** Files that speak to other programs, whose options they name. */
const OTHER_PROGRAMS = [
  'src/local/archive/vera-pdf.ts',
  'src/ocr/recogniser.ts',
  'src/pdf/text/pdfjs/pdfjs.ts',
  'src/runtime/processes/child.ts',
  'src/contract/other-words.ts',
  'src/runtime/processes/heap.ts',
  'src/runtime/processes/npm.ts',
  'src/speech/voices/flite.ts',
  'src/speech/voices/programs.ts',
];

const BELOW_SURFACES = ['contract', 'flow', 'local', 'ocr', 'pdf', 'remote', 'runtime', 'speech', 'wire'];

test('below the surfaces no text names an option of the command line', () => {
  const spoken: string[] = [];
  for (const folder of BELOW_SURFACES) {
    for (const name of readdirSync(`src/${folder}`, { recursive: true, encoding: 'utf8' })) {
      const path = `src/${folder}/${name}`;
      if (!path.endsWith('.ts') || OTHER_PROGRAMS.includes(path)) continue;
      const { code } = transformSync(readFileSync(path, 'utf8'), { loader: 'ts', target: 'esnext' });
      for (const line of code.split('\n')) {
        const texts = [...line.matchAll(/(["'`])((?:\\.|(?!\1).)*)\1/g)].map(([, , text = '']) => text);
        const isComment = /^\s*(\/\/|\*|\/\*)/.test(line);
        if (!isComment && texts.some((text) => /(^|[^\w-])--([a-z]|\$\{name\})/.test(text)))
          spoken.push(`${path}: ${line.trim()}`);
      }
    }
  }
  expect(spoken).toEqual([]);
});

test('a wording is spelled in the words of each surface', () => {
  const wording = say`Give ${field('per_sheet', 2)} or ${field('owner_password')}, run ${operationNamed('bookmarks-show')}, ${command('account')}, ${setting('output')} or ${setting('local')}: ${3} ways`;
  expect(spelled(wording, asCommandLine)).toBe(
    'Give --per-sheet 2 or --owner-password-file, run pdftool bookmarks show, pdftool account, -o or --local: 3 ways',
  );
  expect(spelled(wording, asFields)).toBe(
    'Give per_sheet=2 or owner_password, run bookmarks-show, pdftool account, output or local: 3 ways',
  );
  expect(say`plain ${'text'}`).toBe('plain text');
});

test('a failure says the names of requests, of the command line and of arguments', () => {
  const failure = new Failure('usage', say`${field('margin', 9)} leaves no room`, {
    hint: say`Run ${operationNamed('ocr')}, or give ${field('image')} and ${setting('force')}.`,
  });
  expect(failure.message).toBe('margin=9 leaves no room');
  expect(failureRecord(failure, asCommandLine).error).toMatchObject({
    message: '--margin 9 leaves no room',
    hint: 'Run pdftool ocr, or give --image and --force.',
  });
  expect(failureAnswer(failure).error).toMatchObject({
    message: 'margin=9 leaves no room',
    hint: 'Run ocr_pdf, or give image_path and overwrite.',
  });
  const wrapped = new Failure('usage', say`a.pdf: ${failure.wording}`, { hint: say`Add ${setting('local')}.` });
  expect(spelled(wrapped.wording, asCommandLine)).toBe('a.pdf: --margin 9 leaves no room');
  expect(failureAnswer(wrapped).error).toMatchObject({ hint: 'For a person: Add --local.' });
});
