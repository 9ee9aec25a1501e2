#!/usr/bin/env node
// CommonJS, and written so that an old Node can read it and say that it is too old.
'use strict';

var floor = [20, 19];
var found = process.versions.node.split('.').map(Number);

if (found[0] < floor[0] || (found[0] === floor[0] && found[1] < floor[1])) {
  process.stderr.write(
    `pdftool needs Node.js ${floor.join('.')} or newer; this is ${process.versions.node}.\n` +
      'Install a newer one from https://nodejs.org and try again.\n',
  );
  process.exitCode = 1;
} else if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V')) {
  printVersion();
} else {
  start();
}

function start() {
  // Until the program is loaded a signal waits; it takes them over in listenForStop.
  ['SIGINT', 'SIGTERM', 'SIGHUP'].forEach((name) => {
    process.on(name, () => {});
  });
  // Before Node 24, V8's optimising compiler takes two fifths of the processor time that a manual needs to be read: it
  // inlines less here, and on Node 20, which has no quicker compiler before it, starts later. Each command: 2 ms.
  if (found[0] < 24) require('node:v8').setFlagsFromString('--max-inlined-bytecode-size-cumulative=300');
  if (found[0] === 20) require('node:v8').setFlagsFromString('--interrupt-budget=200000');
  // Node 22.8 and later keep compiled code from one run to the next, below the folder for temporary files. Node would make
  // that folder where it is missing, and a misspelt TMPDIR would go unnoticed.
  var enableCompileCache = require('node:module').enableCompileCache;
  if (enableCompileCache !== undefined && require('node:fs').existsSync(require('node:os').tmpdir()))
    enableCompileCache();
  require('../dist/main.js')
    .main(process.argv.slice(2), version)
    .then((code) => {
      process.exitCode = code;
    });
}

function printVersion() {
  try {
    require('node:fs').writeSync(1, `${version()}\n`);
  } catch (error) {
    if (error.code !== 'EPIPE') process.exitCode = 1;
  }
}

function version() {
  return require('../package.json').version;
}
