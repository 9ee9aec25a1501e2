#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { documents } from './compress-inputs.mjs';
import { ours } from './compress-peers.mjs';
import { noise, render } from './pages-alike.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { program: { type: 'string', default: join(import.meta.dirname, '../../bin/pdftool.js') } },
});
const PAGES = 3;
const TARGETS = { '100 KB': 102_400, '200 KB': 204_800, '500 KB': 512_000, '1 MB': 1_048_576 };
const RESOLUTIONS = [200, 150, 120, 100, 85, 72, 55, 40, 30];
const PICTURES = ['Color', 'Gray'].flatMap((kind) => [
  `-dDownsample${kind}Images=true`,
  `-d${kind}ImageDownsampleType=/Bicubic`,
  `-d${kind}ImageDownsampleThreshold=1.0`,
]);
const folder = mkdtempSync(join(tmpdir(), 'bench-targets-'));
const score = { ours: 0, gs: 0, both: 0, better: 0, cases: 0 };

for (const file of positionals.length > 0 ? positionals : documents()) {
  const before = render(file, PAGES);
  const peers = RESOLUTIONS.map((dpi) => {
    const out = join(folder, `${dpi}.pdf`);
    const at = ['Color', 'Gray', 'Mono'].map((kind) => `-d${kind}ImageResolution=${dpi}`);
    const settings = ['-q', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', '-dPDFSETTINGS=/ebook', ...PICTURES, ...at];
    const { status } = spawnSync('gs', [...settings, `-sOutputFile=${out}`, file], { timeout: 120_000 });
    return status === 0 ? { bytes: statSync(out).size, db: noise(before, render(out, PAGES)) } : undefined;
  });
  const exact = join(folder, 'exact.pdf');
  compress(file, exact, ['--lossless']);
  for (const [name, target] of Object.entries(TARGETS)) {
    if (statSync(file).size <= target) continue;
    const out = join(folder, 'ours.pdf');
    compress(file, out, ['--target-bytes', String(target)]);
    const bytes = statSync(out).size;
    const reached = bytes <= target;
    const fits = peers.filter((peer) => peer !== undefined && peer.bytes <= target);
    const best = fits.length === 0 ? undefined : Math.max(...fits.map(({ db }) => db));
    const db = noise(before, render(out, PAGES));
    const whole = reached && statSync(exact).size <= target ? ', nothing lost' : '';
    score.cases += 1;
    score.ours += reached;
    score.gs += best !== undefined;
    score.both += reached && best !== undefined;
    score.better += reached && best !== undefined && db >= best;
    process.stdout.write(
      `${basename(file).padEnd(34)} ${name.padEnd(6)} ours ${reached ? 'reached' : 'MISSED'} ` +
        `${((bytes / target) * 100).toFixed(1)} % ${db.toFixed(1)} dB${whole}, ` +
        `gs ${best === undefined ? 'missed' : `reached ${best.toFixed(1)} dB`}\n`,
    );
    if (best !== undefined && (!reached || db < best)) process.exitCode = 1;
  }
}
process.stdout.write(
  `reached: ours ${score.ours}, gs ${score.gs} of ${score.cases}; of ${score.both} that both reach, ours has less noise in ${score.better}\n`,
);
rmSync(folder, { recursive: true, force: true });

/** The program's own failure is the bench's: what lies there is of another run. */
function compress(file, out, options) {
  const [command, ...args] = ours(values.program, file, out, ...options);
  const { status } = spawnSync(command, args);
  if (status !== 0) throw new Error(`pdftool compress ${basename(file)} ended with ${status}`);
}
