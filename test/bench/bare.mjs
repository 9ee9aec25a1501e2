import { execFileSync } from 'node:child_process';
import { cpSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FOLDER } from './inputs.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const BARE = 'test/bench/bare-structure.ts';
/** What is built, and what the build is made with. */
const PARTS = [
  'src',
  'bin',
  'package.json',
  'tsconfig.json',
  'scripts',
  'test/fixtures',
  'test/golden/library.d.ts',
  BARE,
];

let built;

/** The program's path. Built once a run, so that it is never older than what it is compared with. */
export function bareProgram() {
  built ??= build(join(FOLDER, 'bare'));
  return built;
}

function build(folder) {
  rmSync(folder, { recursive: true, force: true });
  for (const part of PARTS) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(
    join(folder, 'src/pdf/structure/merged-structure.ts'),
    `export { MergedStructure } from '../../../${BARE}';\n`,
  );
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return join(folder, 'bin/pdftool.js');
}
