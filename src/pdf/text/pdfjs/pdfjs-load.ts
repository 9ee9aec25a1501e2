// Loads the two halves of pdf.js, without what only drawing needs.
import { createRequire } from 'node:module';

export type Library = typeof import('pdfjs-dist/legacy/build/pdf.min.mjs');
type WorkerHalf = typeof import('pdfjs-dist/legacy/build/pdf.worker.min.mjs');
type Loaded = { library: Library; folder: string };

let loaded: Promise<Loaded> | undefined;

export function loadLibrary(): Promise<Loaded> {
  loaded ??= start();
  return loaded;
}

async function start(): Promise<Loaded> {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve('pdfjs-dist/package.json');
  standIn();
  keepCanvasOut(require, manifest);
  const library = await withOwnPush(() => import('pdfjs-dist/legacy/build/pdf.min.mjs'));
  return { library, folder: manifest.slice(0, -'package.json'.length) };
}

export function loadWorkerHalf(): Promise<WorkerHalf> {
  standIn();
  return withOwnPush(() => import('pdfjs-dist/legacy/build/pdf.worker.min.mjs'));
}

function standIn(): void {
  // pdf.js throws at import without these three and loads a 32 MB native canvas to get them; reading text needs neither
  // (one page, whole process: 0.42 s -> 0.20 s of CPU). FontFace: it would be given every font, and nothing is drawn.
  for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) define(name, class {});
  define(
    'FontFace',
    class {
      loaded = Promise.resolve(this);
    },
  );
}

/** The build's polyfill replaces push everywhere for a corner case (read-only lengths), and is ten times slower. */
async function withOwnPush<T>(load: () => Promise<T>): Promise<T> {
  const push = Object.getOwnPropertyDescriptor(Array.prototype, 'push');
  try {
    return await load();
  } finally {
    if (push !== undefined) Object.defineProperty(Array.prototype, 'push', push);
  }
}

function define(name: string, value: unknown): void {
  if (!(name in globalThis)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

function keepCanvasOut(require: NodeJS.Require, manifest: string): void {
  try {
    const id = createRequire(manifest).resolve('@napi-rs/canvas');
    if (require.cache[id] !== undefined) return;
    const empty: Partial<NodeJS.Module> = { id, filename: id, loaded: true, exports: {}, children: [], paths: [] };
    // The module cache takes any object of this shape; the loader reads only `loaded` and `exports`.
    require.cache[id] = empty as NodeJS.Module;
  } catch {
    // Not installed: it is an optional dependency of pdf.js.
  }
}
