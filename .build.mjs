// Owns the build: src/ to dist/, split into chunks, as CommonJS. Knows no operation.
//
// Two passes, because esbuild splits ES modules only, and ES modules start slower: Node's loader for them, and the copy
// of each built-in module's exports that it makes, cost 8 % of `node -e 0` (measured with merge of two tiny files).
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, transform } from 'esbuild';

const OUT = 'dist';
const target = 'node20.19';

/** commander loads node:child_process (3 ms) for subcommands that are programs of their own; there are none here. */
const withoutChildProcess = {
  name: 'commander-without-child-process',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /[\\/]commander[\\/]/.test(importer) ? { path: 'child_process', namespace: 'none' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'module.exports = {}' }));
  },
};

await rm(OUT, { recursive: true, force: true });
await build({
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
  logLevel: 'warning',
  // Its character maps, fonts and two halves are files that it finds beside itself.
  external: ['pdfjs-dist'],
  plugins: [withoutChildProcess],
});

for (const entry of await readdir(OUT, { recursive: true, withFileTypes: true })) {
  if (!entry.name.endsWith('.js')) continue;
  const path = join(entry.parentPath, entry.name);
  const source = await readFile(path, 'utf8');
  // Our own chunks are required when they are wanted; import() stays for packages, which may be ES modules.
  const own = source.replace(/\bimport\(("\.\.?\/[^"]+")\)/g, 'Promise.resolve().then(()=>require($1))');
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
  await writeFile(path, lazily(eager));
}
await writeFile(join(OUT, 'package.json'), '{"type":"commonjs"}\n');

/** These load much else; most runs need none of them, and `import` at the top of a file would load them always. */
function lazily(code) {
  const lazy = code.replace(/\b(import_node_\w+)=require\(("node:(?:zlib|crypto)")\)/g, '$1=__lazy($2)');
  if (lazy === code) return code;
  return `const __lazy=(id)=>{let it;return new Proxy({},{get:(_,key)=>(it??=require(id))[key]})};${lazy}`;
}
