import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { leftOut, namingTheCorpus } from './test/left-out.ts';

const { files, why } = leftOut(process.env);
if (why !== undefined) process.stderr.write(`${why}\n`);

// Three sets. `npm test`: what is quick. `npm run test:long`: files of ten seconds and more, and what is tried on the large
// corpus where PDFTOOL_CORPUS names it. `npm run test:soak`: minutes each, by hand: kills, chaos, fleets, mutants.
const LONG = 'test/**/*.long.test.ts';
const SOAK = 'test/**/*.soak.test.ts';

const corpus = process.env.PDFTOOL_CORPUS === undefined ? [] : namingTheCorpus();
const quick = { include: ['test/**/*.test.ts'], exclude: [LONG, SOAK] };
const long = { include: [LONG, ...corpus], exclude: [SOAK] };
const soak = { include: [SOAK], exclude: [] };

export default defineConfig(({ mode }) => {
  const { include, exclude } = { long, soak }[mode] ?? quick;
  return {
    test: {
      include,
      exclude: [...exclude, ...files],
      // Much of a test is waiting for programs: also on two cores two files at a time.
      maxWorkers: Math.max(2, availableParallelism() - 1),
      // CI makes four runs of thousands of tests that start real programs: one that fails is tried once more, and the report
      // names it. A fault of the product fails twice.
      retry: process.env.CI === undefined ? 0 : 1,
      testTimeout: 60_000,
      hookTimeout: 60_000,
      reporters: ['default', './test/closing-line.ts'],
    },
  };
});
