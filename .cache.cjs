// Owns V8's code cache of the built program: runs it as people do, then keeps what was compiled. Knows no chunk.
// Usage: node .cache.cjs files|compress|upload DIST SAMPLE.pdf...
'use strict';

const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { tmpdir } = require('node:os');
const { dirname, join, resolve } = require('node:path');
const v8 = require('node:v8');

const [run, built, ...samples] = process.argv.slice(2);
const [sample] = samples;
const loader = require.resolve(resolve(built, 'load.js'));
const { cacheOf, compile } = require(loader);
const dist = dirname(loader);
const folder = mkdtempSync(join(tmpdir(), 'pdftool-build-'));
const output = join(folder, 'out.pdf');
const quiet = ['--quiet', '-o', output, '--force'];

/** The headers of a JPEG, which are all that is read of one: JFIF, a grey frame of 8 by 8, a scan and its end. */
const JPEG = 'ffd8ffe000104a46494600010201004800480000ffc0000b080008000801011100ffda0008010100003f0000ffd9';

/** Files from here on are read in another way. */
const LONG = ' '.repeat(1 << 20);

/** Pages with links, a bookmark, names and a label: what manuals have thousands of, and samples have not. */
const NAMED = [
  '<</Type/Catalog/Pages 2 0 R/Outlines 4 0 R/Names<</Dests 6 0 R>>/PageLabels<</Nums[0<</S/D>>]>>>>',
  '<</Type/Pages/Count 2/Kids[3 0 R 13 0 R]>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Annots[10 0 R]>>',
  '<</First 5 0 R/Last 5 0 R>>',
  '<</Title 11 0 R/Parent 4 0 R/A 9 0 R>>',
  '<</Kids[7 0 R]/Limits[(a)(b\\(c)]>>',
  '<</Names[(a) 8 0 R(b\\(c) 8 0 R(d) 12 0 R]/Limits[(a)(d)]>>',
  '<</D[3 0 R/Fit]>>',
  '<</S/GoTo/D(a)>>',
  '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/GoTo/D(a)>>>>',
  '(a)',
  '<</D[3 0 R/Fit]>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Annots[10 0 R 15 0 R]/Contents 14 0 R>>',
  `<</Length ${LONG.length}>>\nstream\n${LONG}\nendstream`,
  '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]>>',
];

const RUNS = { files, compress, upload };

// A cache counts for the flags it was made with alone. Of these bundles only that of compress is loaded after a run has set some.
if (run !== 'compress') v8.setFlagsFromString = () => {};

RUNS[run]()
  .catch((error) => {
    console.error(error);
    process.exitCode = 1;
  })
  .finally(() => rmSync(folder, { recursive: true }));

/** Works on files of this machine. */
function files() {
  const picture = join(folder, 'picture.jpg');
  writeFileSync(picture, JPEG, 'hex');
  const named = join(folder, 'named.pdf');
  writeFileSync(named, document(NAMED));
  const packed = join(folder, 'packed.pdf');
  return keep(
    ['main.js'],
    [
      // First into object streams, then out of them.
      ['merge', '--local', '--quiet', '-o', packed, sample, named, named],
      ['merge', '--local', ...quiet, packed, packed],
      ['images-to-pdf', '--local', ...quiet, picture, picture],
      ...[packed, ...samples].map((each, i) => ['split', '--local', '--quiet', '-o', join(folder, `pages-${i}`), each]),
    ],
  );
}

/** A PDF of these objects, numbered from 1; the first is its catalog. */
function document(objects) {
  let text = '%PDF-1.4\n';
  const places = objects.map((object, i) => {
    const place = text.length;
    text += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const trailer = `<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`;
  return `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}trailer\n${trailer}`;
}

/** Makes files smaller, with and without pictures. */
function compress() {
  return keep(
    ['shrink.js'],
    samples.map((each) => ['compress', '--local', ...quiet, each]),
  );
}

/** Calls a service that takes everything, with keys, settings and a journal of their own. */
async function upload() {
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    const upload = { session_uri: `http://${headers.host}/upload` };
    const record = { ok: true, credits_remaining: 1, jobId: 'j', uploadId: 'u', upload, status: 'queued' };
    const isFile = method === 'POST' && url.endsWith('/compress');
    const body = isFile ? '%PDF-1.7' : JSON.stringify(record);
    const head = {
      'content-type': isFile ? 'application/pdf' : 'application/json',
      'content-length': body.length,
      ...(isFile ? { 'x-original-bytes': 9, 'x-output-bytes': 8, 'x-compression-mode': 'lossless' } : {}),
    };
    request.resume().on('end', () => response.writeHead(200, head).end(body));
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  for (const name of Object.keys(process.env)) if (name.startsWith('PDFTOOL_')) delete process.env[name];
  Object.assign(process.env, {
    PDFTOOL_BASE_URL: `http://127.0.0.1:${server.address().port}`,
    PDFTOOL_API_KEY: 'sk_test_build',
    PDFTOOL_CONFIG_DIR: folder,
    PDFTOOL_STATE_DIR: folder,
  });
  const workflow = ['workflow', 'compress', sample, '--detach', ...quiet];
  try {
    await keep(['service.js', 'client.js'], [['compress', '--remote', ...quiet, sample], workflow]);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** Runs the program, and writes the caches of these bundles. */
async function keep(bundles, commands) {
  const main = compile(join(dist, 'main.js'));
  const scripts = bundles.map((name) => [name, name === 'main.js' ? main.script : compile(join(dist, name)).script]);
  for (const command of commands) {
    const code = await main.exports.main(command, () => '');
    if (code !== 0) throw new Error(`the build cannot ${command[0]}: exit code ${code}`);
  }
  for (const [name, script] of scripts) writeFileSync(cacheOf(join(dist, name)), script.createCachedData());
}
