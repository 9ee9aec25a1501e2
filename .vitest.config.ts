import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { leftOut, namingTheCorpus } from './test/left-out.ts';

const { files, why } = leftOut(process.env);
if (why !== undefined) process.stderr.write(`${why}\n`);

const LONG = 'test/**/*.long.test.ts';

export default defineConfig(({ mode }) => ({
  test: {
    // `npm run test:long`: chaos, kills and long fuzz, and what is tried on the large corpus where PDFTOOL_CORPUS names it.
    ...(mode === 'long'
      ? { include: [LONG, ...(process.env.PDFTOOL_CORPUS === undefined ? [] : namingTheCorpus())], exclude: [...files] }
      : { include: ['test/**/*.test.ts'], exclude: [LONG, ...files] }),
    // Much of a test is waiting for programs: also on two cores two files at a time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // CI makes four runs of thousands of tests that start real programs: one that fails is tried once more, and the report
    // names it. A fault of the product fails twice.
    retry: process.env.CI === undefined ? 0 : 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', './test/closing-line.ts'],
  },
}));
