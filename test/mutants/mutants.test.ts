/** Damaged files lose no page in silence: those that once did. 300 mutants are tried in mutants.soak.test.ts, more by hand (run.mjs). */
import { describe, expect, it } from 'vitest';
import { readFound } from './rates.ts';

describe.skipIf(readFound().length === 0)('files on which other tests saw a wrong outcome', () => {
  it.each(readFound())('$name: $pages pages, or refused with a reason', { timeout: 60_000 }, async ({ run, pages }) => {
    const { exitCode, found, message } = await run();
    if (exitCode === 0) expect(found).toBe(pages);
    else expect([exitCode, message]).toEqual([6, expect.stringMatching(/is damaged: .{10}/)]);
  });
});
