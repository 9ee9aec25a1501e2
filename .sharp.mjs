// Owns how sharp's JavaScript comes into the bundle; its native half, and libvips, stay packages of their own. Knows no
// command. Loading its sixty files one by one took 35 ms, as long as the work on a page with one picture.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const HERE = 'sharp-here';
const version = installed();

/**
 * The native half is looked for from where sharp is installed, which may be beside pdftool and not below it. Another
 * version of it than the JavaScript was made for is left to sharp itself.
 */
const PARTS = {
  sharp: `
    import { inside, outside } from 'sharp-place';
    const bundled = inside('../package.json').version === ${JSON.stringify(version)};
    export default bundled ? require('sharp-whole').default : outside('sharp');`,
  'sharp-place': `
    import { createRequire } from 'node:module';
    export const outside = createRequire(import.meta.url);
    export const inside = createRequire(outside.resolve('sharp'));`,
  'sharp-whole': `export { default } from 'sharp';`,
  // Asked for the number in libvips' version, which it has anyway, and where nothing can be loaded: 20 files, 12 ms.
  semver: `export default { coerce: (version) => ({ version }), satisfies: () => true };`,
  // For names of colours, of which no picture has any: 50 KB.
  '@img/colour': `
    import { inside } from 'sharp-place';
    export default (value) => inside('@img/colour')(value);`,
};

export const bundledSharp = {
  name: 'bundled-sharp',
  setup({ onResolve, onLoad }) {
    if (version === undefined) {
      onResolve({ filter: /^sharp$/ }, ({ path }) => ({ path, external: true }));
      return;
    }
    const own = ({ path }) => ({ path, namespace: HERE });
    onResolve({ filter: /^sharp$/ }, (each) => (each.namespace === HERE ? undefined : own(each)));
    onResolve({ filter: /^sharp-(place|whole)$/ }, own);
    onResolve({ filter: /^(semver|@img\/colour)$/ }, (each) =>
      /[\\/]sharp[\\/]dist[\\/]/.test(each.importer) ? own(each) : undefined,
    );
    onLoad({ filter: /.*/, namespace: HERE }, ({ path }) => ({
      contents: PARTS[path],
      resolveDir: import.meta.dirname,
    }));
    onLoad({ filter: /[\\/]sharp[\\/]dist[\\/](sharp|utility)\.mjs$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8');
      const found = 'createRequire(import.meta.url)';
      if (!code.includes(found)) throw new Error(`${path} looks for its native half in another way`);
      return { contents: `import { inside } from 'sharp-place';${code.replace(found, 'inside')}`, loader: 'js' };
    });
  },
};

/** Sharp is optional: without it the bundle asks for it when it runs. */
function installed() {
  const { resolve } = createRequire(import.meta.url);
  try {
    return createRequire(resolve('sharp'))('../package.json').version;
  } catch {
    return undefined;
  }
}
