// The first code of the single executable: unpacks the program that is inside, once a version, and starts it. Node can load
// neither ES modules nor native code, WebAssembly and workers from an executable, and the program starts itself again.
'use strict';

const fs = require('node:fs');
const { createRequire, Module } = require('node:module');
const { homedir, tmpdir } = require('node:os');
const path = require('node:path');
const sea = require('node:sea');
const { brotliDecompressSync } = require('node:zlib');

const NAME = `program-${sea.getAsset('name', 'utf8')}`;
const script = path.join(unpacked(), 'bin', 'pdftool.js');

process.argv[1] = script;
// As children are started: flags of Node, the script, and then their words.
const at = process.argv.indexOf(script, 2);
if (at !== -1 && process.argv.slice(2, at).every((word) => word.startsWith('--'))) process.argv.splice(2, at - 1);
process.env.PDFTOOL_SINGLE_FILE = script;
// Packages such as sharp may lie in a folder node_modules beside the executable.
const beside = path.join(path.dirname(process.execPath), 'node_modules');
process.env.NODE_PATH = [beside, process.env.NODE_PATH].filter(Boolean).join(path.delimiter);
Module._initPaths();
createRequire(script)(script);

function unpacked() {
  const caches = [
    process.platform === 'win32' ? process.env.LOCALAPPDATA : process.env.XDG_CACHE_HOME,
    path.join(homedir(), '.cache'),
    tmpdir(),
  ];
  for (const cache of caches) {
    if (!cache || !path.isAbsolute(cache)) continue;
    const folder = path.join(cache, cache === tmpdir() ? `pdftool-${process.getuid?.() ?? ''}` : 'pdftool');
    try {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      // A folder for temporary files is everybody's: only one that is ours alone is taken.
      const { uid, mode } = fs.lstatSync(folder);
      if (process.platform !== 'win32' && (uid !== process.getuid() || (mode & 0o022) !== 0)) continue;
      return unpack(path.join(folder, NAME));
    } catch {
      // The next one.
    }
  }
  process.stderr.write('error: pdftool finds no folder to unpack itself into; name one in XDG_CACHE_HOME\n');
  process.exit(1);
}

/** The folder, complete: it appears by one rename. */
function unpack(folder) {
  if (fs.existsSync(folder)) return folder;
  const part = fs.mkdtempSync(`${folder}-`);
  const archive = brotliDecompressSync(Buffer.from(sea.getRawAsset('package')));
  const length = archive.readUInt32LE(0);
  let from = 4 + length;
  for (const { name, size } of JSON.parse(archive.toString('utf8', 4, from))) {
    const file = path.join(part, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, archive.subarray(from, from + size));
    from += size;
  }
  try {
    fs.renameSync(part, folder);
  } catch (error) {
    // Another process was sooner.
    fs.rmSync(part, { recursive: true, force: true });
    if (!fs.existsSync(folder)) throw error;
  }
  return folder;
}
