// Every example of docs/commands, as a line and as code: both must do the same.
import { beforeAll, expect, it } from 'vitest';
import { type Outcome, runExamples } from './examples.ts';
import { EXAMPLES, isTriedHere } from './project.ts';

const TRIED = EXAMPLES.filter(isTriedHere);
let outcomes: Outcome[];

beforeAll(async () => {
  outcomes = await runExamples(TRIED);
}, 600_000);

it.each(TRIED.map(({ line }, at) => ({ line, at })))('$line', ({ at }) => {
  const { line, code, byLine, byCode } = outcomes[at] ?? {};
  expect([line, code]).toEqual(['', '']);
  expect(byLine).toMatchObject(byCode ?? {});
  expect(Object.keys(byLine ?? {}).sort()).toEqual(Object.keys(byCode ?? {}).sort());
});

it('and those that only a service runs, or that lack a language here, are few', () => {
  expect(EXAMPLES.length - TRIED.length).toBeLessThanOrEqual(5);
  expect(TRIED.length).toBeGreaterThan(70);
});
