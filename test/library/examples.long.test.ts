// Examples of rows that only move or read what is there, as a line and as code: both must do the same. A quarter of them, another
// one each day; `examples.soak.test.ts` runs all.
import { expect, it } from 'vitest';
import { runExamples } from './examples.ts';
import { EXAMPLES, isTriedHere } from './project.ts';

const DAY = 24 * 60 * 60 * 1000;
const part = Math.floor(Date.now() / DAY) % 4;

it(`examples do the same as a line and as code (part ${part} of 0 to 3)`, { timeout: 300_000 }, async () => {
  const light = EXAMPLES.filter((example) => isTriedHere(example) && ['copy', 'read'].includes(example.work));
  const tried = light.filter((_, at) => at % 4 === part);
  expect(tried.length).toBeGreaterThan(12);
  const outcomes = await runExamples(tried);
  for (const [at, { line, code, byLine, byCode }] of outcomes.entries()) {
    expect([line, code], tried[at]?.line).toEqual(['', '']);
    expect(byLine, tried[at]?.line).toMatchObject(byCode);
    expect(Object.keys(byLine).sort(), tried[at]?.line).toEqual(Object.keys(byCode).sort());
  }
});
