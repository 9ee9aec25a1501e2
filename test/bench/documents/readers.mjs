// pdftool and its peers, as functions from documents ({ id, file, mode }) to Markdown by id. What peers read is kept.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { FOLDER } from '../inputs.mjs';
import { groupBy } from './relations.mjs';

const PROGRAM = resolve(import.meta.dirname, '../../../bin/pdftool.js');
const require = process.env.PDFTOOL_PEERS && createRequire(join(resolve(process.env.PDFTOOL_PEERS), 'package.json'));

export const READERS = {
  pdftool(documents) {
    const out = join(FOLDER, 'sources-read');
    rmSync(out, { recursive: true, force: true });
    const texts = new Map();
    for (const [mode, list] of groupBy(documents, ({ mode }) => mode ?? 'rag')) {
      const files = list.map(({ file }) => file);
      spawnSync(
        process.execPath,
        [
          PROGRAM,
          '--local',
          'markdown',
          ...files,
          '--mode',
          mode,
          '--allow-empty',
          '--no-anchors',
          '--out-dir',
          out,
          '-q',
        ],
        { stdio: ['ignore', 'ignore', 'ignore'] },
      );
    }
    if (!existsSync(out)) return texts;
    for (const file of readdirSync(out)) texts.set(basename(file, '.md'), readFileSync(join(out, file), 'utf8'));
    return texts;
  },
  liteparse: kept('liteparse', async (file) => {
    const { LiteParse } = require('@llamaindex/liteparse');
    const options = { outputFormat: 'markdown', ocrEnabled: false, imageMode: 'off', extractLinks: false, quiet: true };
    return (await new LiteParse(options).parse(file)).text;
  }),
  'pdf-inspector': kept('pdf-inspector', (file) => {
    const { processPdf } = require('@firecrawl/pdf-inspector');
    return processPdf(readFileSync(file)).markdown ?? '';
  }),
};

export function readersOf(only, peers) {
  return Object.keys(READERS).filter((name) => (only === undefined || only === name) && (name === 'pdftool' || peers));
}

function kept(name, read) {
  const folder = join(FOLDER, 'sources-peers', name);
  return async (documents) => {
    mkdirSync(folder, { recursive: true });
    const texts = new Map();
    for (const { id, file } of documents) {
      const path = join(folder, `${createHash('sha256').update(readFileSync(file)).digest('hex')}.md`);
      if (!existsSync(path)) writeFileSync(path, await Promise.resolve(read(file)).catch(() => ''));
      texts.set(id, readFileSync(path, 'utf8'));
    }
    return texts;
  };
}
