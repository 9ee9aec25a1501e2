// The rules of DESIGN.md about who may import whom and who may touch the machine. Change a rule only with a reason.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, posix, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');

interface Rule {
  /** Folders of src/. `only` narrows value imports to these files; types may come from all of the folder. */
  readonly folders: readonly string[];
  readonly only?: Readonly<Record<string, readonly string[]>>;
  readonly libraries: readonly string[];
  readonly builtins: readonly string[];
}

/** DESIGN.md, "Folders and what they may import". `*` stands for all. */
const RULES: Readonly<Record<string, Rule>> = {
  contract: { folders: [], libraries: ['valibot'], builtins: [] },
  // ZIP archives of split pages go over the wire; crc32 and streams have no I/O of their own.
  wire: { folders: ['contract'], libraries: ['valibot', 'yauzl'], builtins: ['node:stream', 'node:zlib'] },
  remote: { folders: ['contract', 'wire'], libraries: ['undici'], builtins: ['node:stream', 'node:tls'] },
  // derive: the description that `openapi --local` prints is computed there.
  local: { folders: ['contract', 'pdf', 'ocr', 'speech', 'derive'], libraries: [], builtins: [] },
  pdf: {
    folders: ['contract'],
    // limits.ts: the numbers that rows tell in words. present.ts: what a record is.
    only: { contract: ['failure.ts', 'media.ts', 'limits.ts', 'present.ts', 'wording.ts'] },
    // bidi-js: right-to-left lines. fflate: deflate in JavaScript, the same bytes on every machine, which zlib is not.
    // pkijs, asn1js: signed messages and certificates, loaded to verify.
    libraries: ['pdf-lib', 'pdfjs-dist', '@embedpdf/pdfium', 'sharp', 'bidi-js', 'fflate', 'pkijs', 'asn1js'],
    // node:module: finding the files of pdf.js, and keeping its native canvas from being loaded.
    builtins: ['node:zlib', 'node:crypto', 'node:module'],
  },
  // Finds words in pictures; hands them on in points and knows no PDF.
  ocr: {
    folders: ['contract'],
    only: { contract: ['failure.ts', 'wording.ts'] },
    libraries: [],
    builtins: ['node:zlib'],
  },
  speech: {
    folders: ['contract'],
    only: { contract: ['failure.ts', 'media.ts', 'wording.ts'] },
    // Encoders of sound and video, each by import() when its format is asked for. n2words: numbers as words.
    // browser_wasi_shim: what the embedded voice needs of a system.
    libraries: [
      ...['n2words', 'wasm-media-encoders', 'mediabunny', '@mediabunny/aac-encoder', 'h264-mp4-encoder'],
      '@bjorn3/browser_wasi_shim',
    ],
    // What is kept of sentences: its names are digests, and it is packed.
    builtins: ['node:zlib', 'node:crypto'],
  },
  flow: { folders: ['contract'], libraries: ['valibot'], builtins: [] },
  derive: { folders: ['contract'], libraries: ['@valibot/to-json-schema'], builtins: [] },
  runtime: {
    folders: ['contract'],
    only: {
      contract: [
        'failure.ts',
        'media.ts',
        'limits.ts',
        'present.ts',
        'text.ts',
        'timing.ts',
        'closing.ts',
        'wording.ts',
      ],
    },
    libraries: ['conf', 'ora', 'cli-progress', 'chalk'],
    builtins: ['*'],
  },
  serve: {
    folders: ['contract', 'wire', 'derive', 'flow', 'runtime'],
    // prom-client: Prometheus text. libsql, node:sqlite: the embedded store, one of them, by import(). pg: the one that
    // several servers share, by import(). aws4fetch: signatures of S3.
    libraries: ['@fastify/busboy', 'valibot', 'prom-client', 'libsql', 'pg', 'aws4fetch'],
    // node:crypto: digests and signatures; randomness is given from outside. Files and processes are runtime/'s.
    builtins: [
      ...['node:http', 'node:https', 'node:stream', 'node:stream/consumers', 'node:stream/promises', 'node:crypto'],
      'node:sqlite',
    ],
  },
  // The web page of serve: it runs in browsers, reads the rows, and asks the server by HTTP.
  page: { folders: ['contract'], libraries: ['preact'], builtins: [] },
  mcp: {
    folders: ['contract', 'wire', 'derive', 'flow', 'runtime'],
    libraries: ['@modelcontextprotocol/server', 'valibot'],
    builtins: ['node:stream', 'node:string_decoder'],
  },
  // The library stands beside the command line and shares what puts an engine, its means and a destination together; lines,
  // terminals and commands are not for it.
  library: {
    folders: ['contract', 'wire', 'flow', 'runtime', 'cli'],
    only: {
      cli: [
        ...['engines.ts', 'local.ts', 'remote.ts', 'journal.ts', 'means.ts', 'other-eyes.ts', 'ports.ts'],
        ...['destination.ts', 'failure-of.ts', 'show.ts'],
      ],
    },
    libraries: ['valibot'],
    builtins: ['node:path', 'node:url'],
  },
  cli: { folders: ['*'], libraries: ['commander', 'valibot'], builtins: ['node:path'] },
};

/** The floors of src/pdf: what each may import of the others. Features stand side by side and import no other one. */
const BELOW = ['syntax', 'file', 'page', 'images', 'fonts', 'content'];
const FLOORS: Readonly<Record<string, readonly string[]>> = {
  syntax: [],
  file: ['syntax'],
  page: ['syntax', 'file'],
  images: ['syntax', 'file'],
  fonts: ['syntax', 'file', 'page'],
  content: ['syntax', 'file', 'page', 'fonts'],
  structure: BELOW,
  ...Object.fromEntries(['edit', 'text', 'redact', 'archive'].map((feature) => [feature, [...BELOW, 'structure']])),
  ...Object.fromEntries(
    ['shrink', 'render', 'compare', 'linearize', 'text-layer', 'images-to-pdf', 'sign'].map((feature) => [
      feature,
      BELOW,
    ]),
  ),
};

/** The composition root starts these, by `import()` alone. */
const STARTED_ON_DEMAND = ['local', 'remote', 'serve', 'mcp', 'pdf', 'ocr', 'speech'];

/** Where the machine may be touched besides runtime/ and bin: argv, and `process.exitCode` at the very end. */
const IMPURE_FILES = ['src/cli/main.ts'];
/** pdf.js wants names of the browser to be there when it is imported, and takes nothing else for them. */
const STAND_INS = ['src/pdf/text/pdfjs/pdfjs-load.ts'];
const IMPURE = [
  'process',
  'console',
  'setTimeout',
  'setInterval',
  'Date.now',
  'Math.random',
  'performance',
  'crypto',
  'fetch',
];

const SOURCES = ['src', 'bin'].flatMap((folder) => filesBelow(folder)).filter((file) => /\.(tsx?|js)$/.test(file));

interface Import {
  readonly file: string;
  readonly target: string;
  readonly kind: 'type' | 'static' | 'dynamic';
}

const IMPORTS = SOURCES.flatMap(importsOf);
const IMPURITIES = await impurities();

describe('every import', () => {
  it('was found: the reader sees what esbuild sees', async () => {
    const { metafile } = await build({
      entryPoints: SOURCES.filter((file) => file.startsWith('src/')).map((file) => join(ROOT, file)),
      absWorkingDir: ROOT,
      bundle: true,
      // Code that entries share is written once.
      splitting: true,
      write: false,
      metafile: true,
      outdir: 'unused',
      format: 'esm',
      platform: 'node',
      packages: 'external',
      logLevel: 'silent',
    });
    const seen = new Set(IMPORTS.map(({ file, target }) => `${file} -> ${target}`));
    const missed = Object.entries(metafile.inputs).flatMap(([file, { imports }]) =>
      imports
        .map(({ path, external }) => `${file} -> ${external === true ? targetOf(file, path) : path}`)
        .filter((each) => !seen.has(each)),
    );
    expect(missed).toEqual([]);
  });

  it('stays within the folder table of DESIGN.md', () => {
    expect(IMPORTS.map((each) => offence(each)).filter((each) => each !== undefined)).toEqual([]);
  });

  it('of an engine, a server or the PDF code by the command line is an import()', () => {
    const early = IMPORTS.filter(
      ({ file, target, kind }) =>
        kind === 'static' &&
        ['cli', 'library'].includes(folderOf(file)) &&
        STARTED_ON_DEMAND.includes(folderOf(target)) &&
        // What may be set is a table, which help and man pages tell; they alone load it.
        !(file === 'src/cli/shape.ts' && target === 'src/serve/base/settings.ts'),
    );
    expect(early.map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
  });

  it('that a rule allows of a library or a built-in module is there: the rules say what is true', () => {
    const used = new Set(IMPORTS.map(({ file, target }) => `${folderOf(file)} -> ${target}`));
    const unused = Object.entries(RULES).flatMap(([folder, { libraries, builtins }]) => {
      if (!existsSync(join(ROOT, 'src', folder))) return [];
      const allowed = [...libraries, ...builtins].filter((name) => name !== '*');
      return allowed.map((name) => `${folder} -> ${name}`).filter((each) => !used.has(each));
    });
    expect(unused).toEqual([]);
  });

  it('leads to a folder with a rule', () => {
    const folders = SOURCES.filter((file) => file.startsWith('src/')).map(folderOf);
    expect([...new Set(folders)].filter((folder) => !(folder in RULES))).toEqual([]);
  });
});

describe('the floors of src/pdf', () => {
  const floorOf = (file: string): string => (file.startsWith('src/pdf/') ? (file.split('/')[2] ?? '') : '');
  const between = IMPORTS.map(({ file, target }) => [floorOf(file), floorOf(target)] as const)
    .filter(([from, to]) => from !== '' && to !== '' && from !== to)
    .filter(([from, to]) => !(FLOORS[from] ?? []).includes(to))
    .map(([from, to]) => `${from} -> ${to}`);

  it('import what is below them and nothing else', () => {
    expect([...new Set(between)]).toEqual([]);
  });
});

describe('folders of a room import each other', () => {
  it('in no circle', () => {
    expect(knots(IMPORTS)).toEqual([]);
  });

  it('and a knot would be found, where no file is in a circle', () => {
    const edge = (file: string, target: string): Import => ({ file, target, kind: 'type' });
    const edges = [edge('src/x/a/1.ts', 'src/x/b/1.ts'), edge('src/x/b/2.ts', 'src/x/a/2.ts')];
    expect(knots(edges)).toEqual([['src/x/a', 'src/x/b']]);
    expect(knots([...edges.slice(1), edge('src/y/a/1.ts', 'src/x/b/1.ts')])).toEqual([]);
  });
});

describe('imports lead in no circle', () => {
  it('at run time or of types, at once or by import()', () => {
    expect(circles(IMPORTS)).toEqual([]);
  });

  it('and a circle would be found', () => {
    const edge = (file: string, target: string): Import => ({ file, target, kind: 'static' });
    const edges = [edge('a', 'b'), edge('b', 'c'), edge('c', 'b'), edge('c', 'd')];
    expect(circles(edges)).toEqual([['b', 'c']]);
  });
});

describe('start-up', () => {
  const entry = 'src/cli/main.ts';

  it('loads no engine, no server and no heavy library', () => {
    const reached = new Set<string>();
    const work = [entry];
    for (let file = work.pop(); file !== undefined; file = work.pop()) {
      if (reached.has(file)) continue;
      reached.add(file);
      for (const each of IMPORTS) if (each.file === file && each.kind === 'static') work.push(each.target);
    }
    const folders = [...reached].filter((file) => file.startsWith('src/')).map(folderOf);
    const libraries = [...reached].filter((file) => !file.startsWith('src/') && !file.startsWith('node:'));
    expect([...new Set(folders)].filter((folder) => !['cli', 'runtime', 'contract'].includes(folder))).toEqual([]);
    expect(libraries.filter((library) => !['commander', 'valibot'].includes(library))).toEqual([]);
  });

  it('of the bundle reads only start-up code', async () => {
    const { metafile } = await build({
      entryPoints: [join(ROOT, entry)],
      absWorkingDir: ROOT,
      bundle: true,
      splitting: true,
      write: false,
      metafile: true,
      outdir: 'unused',
      format: 'esm',
      platform: 'node',
      logLevel: 'silent',
    });
    const outputs = metafile.outputs;
    const reached = new Set<string>();
    const work = Object.keys(outputs).filter((name) => outputs[name]?.entryPoint === entry);
    expect(work).toHaveLength(1);
    for (let name = work.pop(); name !== undefined; name = work.pop()) {
      if (reached.has(name)) continue;
      reached.add(name);
      for (const { path, kind } of outputs[name]?.imports ?? [])
        if (kind === 'import-statement' && path in outputs) work.push(path);
    }
    const inputs = [...reached].flatMap((name) => Object.keys(outputs[name]?.inputs ?? {}));
    const heavy =
      /node_modules\/(undici|conf|ora|chalk|cli-progress|pdf-lib|@cantoo|pdfjs-dist|hono|@hono|@modelcontextprotocol|prom-client|@fastify|libsql|pg|pg-[a-z]+|@valibot)\/|^src\/(pdf|local|remote|serve|derive|mcp|speech)\//;
    expect(inputs.filter((input) => heavy.test(input))).toEqual([]);
  });
});

describe.each(SOURCES)('%s', (file) => {
  it('is named for what it holds', () => {
    expect(basename(file)).not.toMatch(/^(utils?|helpers?|common|types?|misc|shared)\.(ts|js)$/);
  });

  it('touches the machine only where DESIGN.md lets it', () => {
    const code = IMPURITIES.get(file);
    expect(code?.exits).toBe(false);
    // The page runs in browsers.
    if (file.startsWith('bin/') || ['runtime', 'page'].includes(folderOf(file))) return;
    const allowed = IMPURE_FILES.includes(file) ? ['process'] : STAND_INS.includes(file) ? ['globalThis'] : [];
    expect(code?.names.filter((name) => !allowed.includes(name))).toEqual([]);
  });
});

interface Impurities {
  readonly names: readonly string[];
  readonly exits: boolean;
}

/** Which impure names each file uses: esbuild replaces free identifiers only, so words in strings and comments do not count. */
async function impurities(): Promise<ReadonlyMap<string, Impurities>> {
  const mark = (name: string) => `__impure_${name.replace('.', '_')}__`;
  const { outputFiles } = await build({
    entryPoints: SOURCES.map((file) => ({ in: join(ROOT, file), out: file })),
    absWorkingDir: ROOT,
    define: Object.fromEntries(IMPURE.map((name) => [name, mark(name)])),
    legalComments: 'none',
    write: false,
    outdir: 'unused',
    logLevel: 'silent',
  });
  const of = (code: string): Impurities => {
    const names = IMPURE.filter((name) => code.includes(mark(name)));
    if (/\bnew Date\(\)/.test(code)) names.push('new Date()');
    if (/\bglobalThis\b/.test(code)) names.push('globalThis');
    if (/\brandom(Bytes|UUID|Int|Fill|FillSync)\b/.test(code)) names.push('random bytes');
    return { names, exits: /__impure_process__\s*\.\s*(exit|reallyExit|abort)\b/.test(code) };
  };
  // As named by `out`, with .js behind it.
  return new Map(outputFiles.map(({ path, text }) => [relative(join(ROOT, 'unused'), path).slice(0, -3), of(text)]));
}

function offence({ file, target, kind }: Import): string | undefined {
  const rule = RULES[folderOf(file)];
  const said = `${file} -> ${target}`;
  if (file.startsWith('bin/')) return /^(dist\/|node:|package\.json$)/.test(target) ? undefined : said;
  if (rule === undefined) return `${said}: its folder has no rule`;
  if (target.startsWith('node:'))
    return allows(rule.builtins, target) || kind === 'type' || IMPURE_FILES.includes(file) ? undefined : said;
  if (!target.startsWith('src/')) return allows(rule.libraries, target) ? undefined : said;
  const folder = folderOf(target);
  if (folder === folderOf(file)) return undefined;
  if (!allows(rule.folders, folder)) return said;
  const only = rule.only?.[folder];
  return kind === 'type' || only === undefined || only.includes(basename(target)) ? undefined : `${said}: a type only`;
}

/** The folders of every room that import each other in a circle. */
function knots(imports: readonly Import[]): string[][] {
  const within = imports
    .filter(({ file, target }) => folderOf(file) !== '' && folderOf(file) === folderOf(target))
    .map((each) => ({ ...each, file: dirname(each.file), target: dirname(each.target) }))
    .filter(({ file, target }) => file !== target);
  return circles(within);
}

/** The files of every circle: those that can be reached from each other (Tarjan's strongly connected components). */
function circles(imports: readonly Import[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { file, target } of imports) targets.set(file, [...(targets.get(file) ?? []), target]);
  const index = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): number => {
    const own = index.size;
    index.set(file, own);
    lowest.set(file, own);
    open.push(file);
    for (const target of targets.get(file) ?? []) {
      const reached = index.has(target) ? (open.includes(target) ? lowest.get(target) : undefined) : visit(target);
      lowest.set(file, Math.min(lowest.get(file) ?? own, reached ?? own));
    }
    if (lowest.get(file) === own) {
      const files = open.splice(open.indexOf(file));
      if (files.length > 1) found.push(files.sort());
    }
    return lowest.get(file) ?? own;
  };
  for (const file of targets.keys()) if (!index.has(file)) visit(file);
  return found;
}

function allows(list: readonly string[], name: string): boolean {
  return list.includes('*') || list.includes(name);
}

/** Every import, re-export and require of a file; a path within the project is given from its root, a library by its package's name. */
function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), 'utf8').replace(/^\s*\/\/.*$/gm, '');
  const pattern =
    /^\s*(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|\b(?:import|require)\(\s*['"]([^'"]+)['"]\s*\)/gm;
  const written = [...text.matchAll(pattern)].map(([, type, declared, called]): Import => {
    const named = declared ?? called ?? '';
    const kind = called !== undefined ? 'dynamic' : type !== undefined ? 'type' : 'static';
    return { file, target: targetOf(file, named), kind };
  });
  // JSX becomes calls of preact.
  return file.endsWith('.tsx') ? [...written, { file, target: 'preact', kind: 'static' }] : written;
}

function targetOf(file: string, named: string): string {
  if (named.startsWith('.')) return posix.join(dirname(file), named);
  if (named.startsWith('node:')) return named;
  return named.split('/', named.startsWith('@') ? 2 : 1).join('/');
}

function folderOf(file: string): string {
  return file.startsWith('src/') ? (file.split('/')[1] ?? '') : '';
}

function filesBelow(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}
