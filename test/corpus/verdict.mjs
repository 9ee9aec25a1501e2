// Whether one run ended as the manifest says, and the rules that hold for every run: no crash, no hang, bounded
// memory, nothing left behind after a failure.

import { MOST_MEMORY } from './invoke.mjs';
import { CASES } from './operations.mjs';

/** Exit codes of CLI.md: encrypted 7, every other kind 6. */
const EXITS = { encrypted: 7 };
const EXIT_OTHERWISE = 6;

/**
 * What is wrong with a run, in a few words each; empty where nothing is.
 * @param {string} op
 * @param {import('./selection.mjs').Entry} entry
 * @param {import('./invoke.mjs').Run} run
 * @returns {Promise<string[]>}
 */
export async function problemsOf(op, entry, run) {
  const [rule, kinds = ''] = entry.expect[op].split(':');
  const broken = always(run);
  if (broken.length > 0) return broken;
  if (run.code !== 0) return refused(rule, kinds.split('|'), run);
  return rule === 'refuse' ? [`made an output where ${kinds} was expected`] : examined(op, entry, run);
}

function always({ hung, ms, signal, code, memory, words, answer }) {
  if (hung) return [`hung: not done after ${Math.round(ms / 1000)} s`];
  const crashed = signal !== null || code === 1 || /unhandled|uncaught|^\s+at .*:\d+:\d+\)?$/im.test(words);
  const said = answer?.error?.message ?? words.trim().split('\n')[0];
  return [
    ...(crashed ? [`crashed: exit ${code ?? signal}: ${said}`] : []),
    ...(memory !== undefined && memory > MOST_MEMORY ? [`held ${Math.round(memory / 1048576)} MiB`] : []),
    ...(!crashed && answer === undefined ? [`--json printed no JSON (exit ${code}): ${said}`] : []),
  ];
}

async function examined(op, entry, run) {
  if (run.answer?.ok !== true) return ['exit 0, but --json does not say ok'];
  return CASES[op].examine(entry, run);
}

function refused(rule, kinds, { code, answer, left }) {
  const { kind, code: failure, message } = answer?.error ?? {};
  const found = `exit ${code}, ${failure}${kind === undefined ? '' : `/${kind}`}: ${message}`;
  const problems = left.length > 0 ? [`left ${left.join(', ')} after exit ${code}`] : [];
  if (rule === 'ok') return [...problems, `refused: ${found}`];
  const right = kinds.includes(kind) && code === (EXITS[kind] ?? EXIT_OTHERWISE) && answer?.ok === false;
  return right ? problems : [...problems, `expected ${kinds.join(' or ')}; ${found}`];
}
