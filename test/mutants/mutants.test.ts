/** Damaged files lose no page in silence: some mutants here, 300 in mutants.long.test.ts, more by hand (run.mjs). */
import { describe, expect, it } from 'vitest';
import { readFound, runMutants, without } from './rates.ts';

const missing = without('qpdf', 'pdfinfo', 'mutool');

describe.skipIf(missing !== undefined)('54 mutants', () => {
  it('come out right or are refused, and none ends with exit 1', { timeout: 300_000 }, async () => {
    const { silent, rates, judged, wrong } = await runMutants(54, 7);
    expect({ silent, crashed: rates['exit 1'], wrong }).toMatchObject({ silent: 0, crashed: 0 });
    expect(rates.right / judged, JSON.stringify(wrong)).toBeGreaterThanOrEqual(0.9);
  });
});

describe.skipIf(readFound().length === 0)('files on which other tests saw a wrong outcome', () => {
  it.each(readFound())('$name: $pages pages, or refused with a reason', { timeout: 60_000 }, async ({ run, pages }) => {
    const { exitCode, found, message } = await run();
    if (exitCode === 0) expect(found).toBe(pages);
    else expect([exitCode, message]).toEqual([6, expect.stringMatching(/is damaged: .{10}/)]);
  });
});
