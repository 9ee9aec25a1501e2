// Owns loading a bundle with V8's code cache, and making that cache when the package is built. Copied into dist as it is.
'use strict';

const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const vm = require('node:vm');

/** Loads a file of `folder` as `require` would; the cache is used when this Node made it and skipped when another did. */
function load(name, folder = __dirname) {
  return compile(name, folder).exports;
}

function compile(name, folder) {
  const file = path.join(folder, name);
  const script = new vm.Script(Module.wrap(fs.readFileSync(file, 'utf8')), {
    filename: file,
    cachedData: readCache(cacheOf(file)),
  });
  const made = new Module(file, module);
  made.filename = file;
  made.paths = module.paths;
  // Other chunks require the bundle by its name: they must get this one.
  Module._cache[file] = made;
  script.runInThisContext()(made.exports, (id) => made.require(id), made, file, folder);
  made.loaded = true;
  return { exports: made.exports, script };
}

function cacheOf(file) {
  return `${file.replace(/\.js$/, '')}.cache`;
}

function readCache(file) {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Merges a file with itself, so that what a short run needs is compiled, and writes the cache. */
async function makeCache(folder, sample) {
  const { exports, script } = compile('main.js', path.resolve(folder));
  const output = path.join(fs.mkdtempSync(path.join(require('node:os').tmpdir(), 'pdftool-build-')), 'merged.pdf');
  const code = await exports.main(['merge', '--local', '--quiet', '-o', output, sample, sample], () => '');
  fs.rmSync(path.dirname(output), { recursive: true });
  if (code !== 0) throw new Error(`the bundle cannot merge: exit code ${code}`);
  fs.writeFileSync(cacheOf(path.resolve(folder, 'main.js')), script.createCachedData());
}

module.exports = { load };

if (require.main === module) {
  makeCache(process.argv[2], process.argv[3]).catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
}
