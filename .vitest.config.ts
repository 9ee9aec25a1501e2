import { defineConfig } from 'vitest/config';
import { leftOut } from './test/left-out.ts';

const { files, why } = leftOut(process.env);
if (why !== undefined) process.stderr.write(`${why}\n`);

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...files],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', './test/closing-line.ts'],
  },
});
