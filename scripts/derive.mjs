import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** Folders that hold nothing but made files. */
const OURS = ['completions', 'man', 'test/golden/help', 'docs/commands'];
const bundle = join('node_modules', '.cache', 'pdftool-derived.mjs');

await build({
  entryPoints: ['scripts/derive/files.ts'],
  outfile: bundle,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  packages: 'external',
  logLevel: 'warning',
});
const { derivedFiles, withManPages } = await import(pathToFileURL(bundle).href);
const files = derivedFiles(process.env.SOURCE_DATE_EPOCH);
files.set('package.json', withManPages(await readFile('package.json', 'utf8'), files));
const stale = [];

for (const [path, text] of files) {
  if ((await readFile(path, 'utf8').catch(() => undefined)) === text) continue;
  stale.push(path);
  if (process.argv.includes('--check')) continue;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
for (const folder of OURS) {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = `${folder}/${name}`;
    if (files.has(path)) continue;
    stale.push(path);
    if (!process.argv.includes('--check')) await rm(path);
  }
}
for (const path of stale) process.stdout.write(`${path}\n`);
if (process.argv.includes('--check') && stale.length > 0) {
  process.stderr.write('These files are not what the program says: run npm run derive.\n');
  process.exitCode = 1;
}
