#!/usr/bin/env node
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gs, ours } from './compress-peers.mjs';
import { interleave, median } from './measure.mjs';

const [program, file, runs] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'bench-times-'));
try {
  const times = interleave(
    { ours: (out) => ours(program, file, out), gs: (out) => gs(file, out) },
    { runs: Number(runs), folder },
  );
  const figures = ({ ms, cpu, bytes }) => ({ ms: median(ms), cpu: median(cpu), bytes: Math.max(...bytes) });
  process.stdout.write(JSON.stringify({ ours: figures(times.ours), gs: figures(times.gs) }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
