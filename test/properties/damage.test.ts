// Holds that no damage makes the local engine crash, hang or write a wrong number of pages. Bounded here, and less so in
// many.soak.test.ts; `npm run fuzz` runs as long as it is told (PDFTOOL_FUZZ_RUNS).
import { writeFileSync } from 'node:fs';
import { execa } from 'execa';
import fc from 'fast-check';
import { PDFDocument } from 'pdf-lib';
import { beforeAll, describe, expect, it } from 'vitest';
import { FAILURES, Failure } from '../../src/contract/base/failure.ts';
import { info, merge, rotate, split } from '../../src/contract/operations/pages/pages.ts';
import { createLocalEngine } from '../../src/local/engine.ts';
import { folder } from '../e2e/pdftool.ts';
import { processorTime } from '../processor-time.ts';
import { bytesOf, createContext, sourceOf } from './context.ts';
import { anyBlow, damage } from './damage.ts';
import { readSamples, type Sample } from './samples.ts';

/** CI tries the same files each time, so that it fails for what was changed; more runs than these are new ones. */
const BOUNDED = 400;
const RUNS = Number(process.env.PDFTOOL_FUZZ_RUNS ?? 100);
/** No file of this size may keep the engine busy for longer: in milliseconds, on a machine with other work. */
const LONGEST = 10_000;

const engine = createLocalEngine();
let samples: readonly Sample[] = [];

beforeAll(async () => {
  samples = await readSamples();
});

/** How a call ended: its pages, or a failure that tells the person something. Anything else is a crash. */
async function outcome(call: () => Promise<number>): Promise<number | undefined> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    expect([FAILURES.unprocessable.exit, FAILURES.password.exit]).toContain(error.exit);
    expect(error.message).toContain('damaged.pdf');
    return undefined;
  }
}

/** What another program counts in an output; undefined where it cannot read what was moved as it stood. */
async function countedByAnother(bytes: Uint8Array, expected: number | undefined): Promise<number | undefined> {
  const counted = await PDFDocument.load(bytes, { updateMetadata: false })
    .then((document) => document.getPageCount())
    .catch(() => undefined);
  if (counted === undefined || counted === expected) return counted;
  // pdf-lib looks for objects without the table, and takes for one what stands inside a damaged string; qpdf decides.
  using here = folder();
  writeFileSync(here.at('output.pdf'), bytes);
  const { stdout } = await execa('qpdf', ['--show-npages', here.at('output.pdf')], { reject: false });
  return /^\d+$/.test(stdout) ? Number(stdout) : undefined;
}

describe('for any damage', () => {
  it(
    `tells the pages or why not, and all operations agree (${RUNS} runs)`,
    async () => {
      const anyRun = fc.record({ pick: fc.nat(), blows: fc.array(anyBlow, { minLength: 1, maxLength: 6 }) });
      await fc.assert(
        fc.asyncProperty(anyRun, async ({ pick, blows }) => {
          const sample = samples[pick % samples.length]!;
          const file = sourceOf('damaged.pdf', damage(sample.bytes, blows));
          const began = processorTime();
          const pages = await outcome(async () => {
            const { record } = await engine.call(info, { file }, createContext());
            return record.page_count as number;
          });
          const turned = await outcome(async () => {
            const { body, pages } = await engine.call(rotate, { file, angle: 90 }, createContext());
            expect(await countedByAnother(await bytesOf(body), pages)).toBeOneOf([pages, undefined]);
            return pages ?? 0;
          });
          if (pages !== undefined && turned !== undefined) {
            const merged = await outcome(async () => {
              return (await engine.call(merge, { file: [file, file] }, createContext())).pages ?? 0;
            });
            if (merged !== undefined) expect(merged).toBe(2 * turned);
            await outcome(async () => (await engine.call(split, { file }, createContext())).parts.length);
          }
          expect(processorTime() - began).toBeLessThan(LONGEST);
        }),
        { numRuns: RUNS, endOnFailure: true, ...(RUNS > BOUNDED ? {} : { seed: 20_261_120 }) },
      );
    },
    Math.max(120_000, RUNS * 100),
  );
});
