// Owns the build: src/ to dist/, split into chunks, as CommonJS. Knows no operation.
//
// Two passes, because esbuild splits ES modules only, and ES modules start slower: Node's loader for them, and the copy
// of each built-in module's exports that it makes, cost 8 % of `node -e 0` (measured with merge of two tiny files).
import { execFileSync } from 'node:child_process';
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, transform } from 'esbuild';
import { bundledSharp } from './.sharp.mjs';

const OUT = 'dist';
const target = 'node20.19';

/** Licences under which code may be bundled into a program of ours. */
const MAY_BE_BUNDLED = /^(MIT|ISC|BSD-2-Clause|BSD-3-Clause|0BSD|Apache-2\.0|\(?MIT (AND|OR) [\w.-]+\)?)$/;

/**
 * commander loads node:child_process (3 ms) for subcommands that are programs of their own; there are none here. undici
 * loads node:http2 (5 ms) for a version of HTTP that it speaks when it is told to; it is not.
 */
const withoutUnused = {
  name: 'without-unused',
  setup({ onResolve, onLoad }) {
    const none = (path, user) => (each) => (user.test(each.importer) ? { path, namespace: 'none' } : undefined);
    onResolve({ filter: /^node:child_process$/ }, none('child_process', /[\\/]commander[\\/]/));
    onResolve({ filter: /^\.\/client-h2\.js$/ }, none('client-h2', /[\\/]undici[\\/]/));
    onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'module.exports = {}' }));
  },
};

await rm(OUT, { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: ['src/cli/main.ts'],
  outdir: OUT,
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target,
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'linked',
  metafile: true,
  logLevel: 'warning',
  // pdfjs-dist finds its character maps, fonts and two halves beside itself. libsql is the database of `serve` below
  // Node 22.13. Of sharp, which is optional, the native half stays outside (.sharp.mjs).
  external: ['pdfjs-dist', 'libsql'],
  plugins: [withoutUnused, bundledSharp],
});

/** The files that chunks are put into, and whose chunks: what short runs need, commands and the service's, its HTTP client. */
const BUNDLES = new Map([
  ['./main.js', /^\.\/(main|(engine|help|heap|optimise|merge|split|rotate|info|images-to-pdf)-[0-9A-Z]{8})\.js$/],
  ['./service.js', /^\.\/(all|remote|entry|job-run)-[0-9A-Z]{8}\.js$/],
  ['./client.js', /^\.\/(agent|api-request)-[0-9A-Z]{8}\.js$/],
  ['./shrink.js', /^\.\/(compress|sharp)-[0-9A-Z]{8}\.js$/],
]);

const chunks = new Map();
for (const entry of await readdir(OUT, { recursive: true, withFileTypes: true })) {
  if (!entry.name.endsWith('.js')) continue;
  const path = join(entry.parentPath, entry.name);
  const source = await readFile(path, 'utf8');
  // Our own chunks and Node's modules are required when they are wanted; import() stays for packages, which may be ES modules.
  const own = bound(
    source.replace(/\bimport\(("(?:\.\.?\/|node:)[^"]+")\)/g, 'Promise.resolve().then(()=>require($1))'),
  );
  const { code: eager } = await transform(own, {
    format: 'cjs',
    platform: 'node',
    target,
    minifyWhitespace: true,
    define: { 'import.meta.url': '__file' },
    banner: own.includes('import.meta.url')
      ? 'const __file=require("node:url").pathToFileURL(__filename).href;'
      : undefined,
  });
  chunks.set(`./${entry.name}`, lazily(eager));
}
for (const [name, code] of bundled(chunks)) await writeFile(join(OUT, name), code);
await writeFile(join(OUT, 'package.json'), '{"type":"commonjs"}\n');
await writeFile(join(OUT, 'THIRD-PARTY-NOTICES.txt'), await notices(metafile));
await copyFile('src/cli/load.cjs', join(OUT, 'load.js'));
// In processes of their own: a cache holds the functions that such runs have used, and no others.
const SAMPLES = {
  files: ['guide', 'outlines'],
  compress: ['lorem-ipsum', 'guide', 'linearized'],
  upload: ['lorem-ipsum'],
};
for (const [run, samples] of Object.entries(SAMPLES)) {
  const paths = samples.map((name) => `test/fixtures/${name}.pdf`);
  execFileSync(process.execPath, ['.cache.cjs', run, OUT, ...paths], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Whose code is in the bundle, with the words under which it may be there. */
async function notices({ inputs }) {
  const folders = new Set(
    Object.keys(inputs).flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  );
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
  return [head, ...texts].join(`\n${'-'.repeat(72)}\n\n`);
}

/**
 * What one chunk has of another, as constants. esbuild would read each of them through two getters each time, for the sake of
 * exports that change, of which there are none: merges and rotations spent 4 to 11 % of their time there.
 */
function bound(source) {
  const names = (list, as) => list.replace(/([\w$]+) as ([\w$]+)/g, as);
  return source
    .replace(
      /\bimport\{([^}]*)\}from("\.\.?\/[^"]+");/g,
      (_, list, from) => `const{${names(list, '$1:$2')}}=require(${from});`,
    )
    .replace(/\bimport("\.\.?\/[^"]+");/g, 'require($1);')
    .replace(/\bexport\{([^}]*)\};\s*$/, (_, list) => `module.exports={${names(list, '$2:$1')}};`);
}

/**
 * Puts the chunks that one kind of run needs into one file, each still evaluated when it is first required, and all of them
 * kept compiled (see load.cjs): finding, opening and compiling a dozen files cost a merge of two tiny files 15 % of
 * `node -e 0`, and a remote call more than its answer took. Other chunks reach them through files that hand them on.
 */
function bundled(chunks) {
  const files = new Map();
  const owned = new Set();
  for (const [bundle, wanted] of BUNDLES) {
    const roots = [...chunks.keys()].filter((name) => wanted.test(name));
    const members = [...closure(chunks, roots)].filter((name) => !owned.has(name));
    const modules = members.map((name) => `${JSON.stringify(name)}(module,exports,require){${chunks.get(name)}\n}`);
    const isMain = bundle === './main.js';
    files.set(
      bundle,
      `${isMain ? '' : 'const __main=require("./main.js");'}const __own={${modules.join(',')}},__made={};` +
        `function __require(id){if(!Object.hasOwn(__own,id))return ${isMain ? 'require(id)' : '__main.chunk(id)'};let m=__made[id];` +
        'if(m===undefined){m=__made[id]={exports:{}};__own[id](m,m.exports,__require)}return m.exports}' +
        `module.exports={${isMain ? `...__require(${JSON.stringify(bundle)}),` : ''}chunk:__require};`,
    );
    for (const name of members) {
      owned.add(name);
      const whole = isMain ? 'require("./main.js")' : `require("./load.js").load(${JSON.stringify(bundle.slice(2))})`;
      if (name !== bundle) files.set(name, `module.exports=${whole}.chunk(${JSON.stringify(name)});`);
    }
  }
  for (const [name, code] of chunks) if (!owned.has(name)) files.set(name, code);
  return files;
}

/** The chunks that are evaluated when these are. Only what is required at once: a require in a function waits until somebody wants it. */
function closure(chunks, names) {
  const found = new Set();
  const todo = [...names];
  for (let name = todo.pop(); name !== undefined; name = todo.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    // A bundle that is loaded with a cache has no loader for packages (Node has one, and warns that it is experimental).
    if (/\bimport\(/.test(chunks.get(name))) throw new Error(`${name} imports a package and is in a bundle`);
    for (const [, next] of chunks.get(name).matchAll(/(?:^|[;}=])require\("(\.\/[^"]+)"\)/gm)) todo.push(next);
  }
  return found;
}

/**
 * These load much else; most runs need none of them, and `import` at the top of a file would load them always. Of
 * node:assert (4 ms) undici wants what it says when something is wrong.
 */
function lazily(code) {
  const lazy = code
    .replace(/\b(import_node_\w+)=require\(("node:(?:zlib|crypto|child_process)")\)/g, '$1=__lazy($2)')
    .replace(/\b(?:__)?require\("(?:node:)?(assert|child_process)"\)/g, '__lazy("node:$1")');
  if (lazy === code) return code;
  return (
    'const __lazy=(id)=>{let it;return new Proxy((ok,...more)=>{ok||(it??=require(id))(ok,...more)},' +
    `{get:(_,key)=>(it??=require(id))[key]})};${lazy}`
  );
}
