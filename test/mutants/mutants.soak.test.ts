import { describe, expect, it } from 'vitest';
import { runMutants, without } from './rates.ts';

const missing = without('qpdf', 'pdfinfo', 'mutool');

describe.skipIf(missing !== undefined)('300 mutants', () => {
  it('95 of 100 come out right, 4 are refused at most, and nothing is lost in silence', {
    timeout: 1_200_000,
  }, async () => {
    const { silent, rates, judged, wrong } = await runMutants(300, 1);
    expect({ silent, crashed: rates['exit 1'], wrong }).toMatchObject({ silent: 0, crashed: 0 });
    expect(rates.right / judged, JSON.stringify(wrong)).toBeGreaterThanOrEqual(0.95);
    expect(rates.refused / judged, JSON.stringify(wrong)).toBeLessThanOrEqual(0.04);
  });
});
