import { link } from 'node:fs/promises';
import { file } from '../../src/contract/field.ts';
import { PDF } from '../../src/contract/media.ts';
import { operation } from '../../src/contract/operation.ts';
import { SERVICE_OPERATIONS } from '../../src/contract/operations/all.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { systemEntropy } from '../../src/runtime/entropy.ts';
import { collectBuffersEarly } from '../../src/runtime/processes/heap.ts';
import { readServeSettings } from '../../src/serve/base/settings.ts';
import { openStore } from '../../src/serve/data.ts';
import { startServer } from '../../src/serve/server.ts';
import { createKey } from '../../src/serve/service/keys.ts';

const echo = operation({
  name: 'echo',
  group: 'pages',
  method: 'POST',
  path: '/api/v1/echo',
  summary: 'Answer with the input',
  work: 'copy',
  cost: { credits: 0 },
  body: 'multipart',
  input: { file: file('Anything', { types: [PDF] }) },
  outputs: { pdf: { kind: 'bytes', mediaType: PDF, stem: { fixed: 'echo' } } },
  success: 200,
  failures: ['usage', 'unauthenticated', 'too_large'],
  replay: 'free',
  local: true,
});

collectBuffersEarly();
const [data = '', program = ''] = process.argv.slice(2);
const store = await openStore(data, process.versions.node);
const { key } = await createKey(store, { kind: 'test', label: null }, systemEntropy, Date.now());
store.close();
const server = await startServer({
  host: '127.0.0.1',
  port: 0,
  data,
  settings: readServeSettings('{"job_workers": 1}', 'bench'),
  database: [program, 'serve', 'database'],
  worker: [process.execPath, '-e', 'process.on("message", () => {}); process.send({ kind: "ready" })'],
  version: '0.0.0-bench',
  nodeVersion: process.versions.node,
  clock: systemClock,
  entropy: systemEntropy,
  // Written as the command writes it; to nowhere, so that no terminal is measured.
  log: (level, event, facts) => void JSON.stringify({ level, event, ...facts }),
  rows: [...SERVICE_OPERATIONS, echo],
  runner: {
    async run({ files, output }) {
      const [input] = files;
      if (input === undefined) throw new Error('no input');
      await link(input.path, output);
      return { mediaType: PDF, bytes: Number('bytes' in input ? input.bytes : 0) };
    },
  },
});
process.stdout.write(`${JSON.stringify({ port: server.port, key })}\n`);
