// Owns loading a bundle with V8's code cache, which the build makes. Copied into dist as it is; knows no command.
'use strict';

const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const vm = require('node:vm');

/** Loads a file of `folder` as `require` would; the cache is used when this Node made it and skipped when another did. */
function load(name, folder = __dirname) {
  const file = path.join(folder, name);
  // Node 22.8 and later keep what they compiled, of all that is required.
  if (Module._cache[file] !== undefined || Module.enableCompileCache !== undefined) return require(file);
  return compile(file).exports;
}

function compile(file) {
  const script = new vm.Script(Module.wrap(fs.readFileSync(file, 'utf8')), {
    filename: file,
    cachedData: readCache(cacheOf(file)),
  });
  const made = new Module(file, module);
  made.filename = file;
  made.paths = module.paths;
  // Other chunks require the bundle by its name: they must get this one.
  Module._cache[file] = made;
  script.runInThisContext()(made.exports, (id) => made.require(id), made, file, path.dirname(file));
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

module.exports = { cacheOf, compile, load };
