// Holds that check tells what veraPDF finds, by the report of its own library.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { RecordResult } from '../../src/contract/base/ports.ts';
import { systemPrograms } from '../../src/runtime/processes/programs.ts';
import { folder } from '../e2e/pdftool.ts';
import { check } from '../local.ts';
import { createContext, sourceOf } from '../properties/context.ts';
import { judgeClasses } from './judge.mjs';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const { path, why } = judgeClasses();

it.skipIf(path === undefined)(
  `check prints the findings of veraPDF with page and object (${why ?? 'it is here'})`,
  async () => {
    using here = folder();
    const program = here.at('verapdf');
    writeFileSync(program, `#!/bin/sh\nexec java -cp "${path}" "${join(import.meta.dirname, 'VeraPdf.java')}" "$@"\n`);
    chmodSync(program, 0o755);
    const ctx = { ...createContext(), programs: { ...systemPrograms, setting: () => program } };
    const lines = async (name: string) => {
      const file = sourceOf(name, readFileSync(join(FIXTURES, name)));
      return ((await check({ file, for: 'pdfa-2b' }, ctx)) as RecordResult).record;
    };
    expect(await lines('conformance/pdfa-2b.pdf')).toMatchObject({
      conforms: true,
      lines: expect.stringMatching(/PDF\/A-2b: valid \(veraPDF/),
    });
    const bad = await lines('guide.pdf');
    expect(bad).toMatchObject({ conforms: false });
    expect(String(bad.lines)).toMatch(
      /page 44: error: .*does not contain F key \[PDF\/A-2b 6\.3\.2-1\] \(object 226\)/,
    );
  },
  180_000,
);
