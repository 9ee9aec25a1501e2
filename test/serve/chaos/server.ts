// A server for the chaos test, in a process that can be killed. Arguments: port, data folder, settings, script of the
// database, worker.
import { systemClock } from '../../../src/runtime/clock.ts';
import { systemEntropy } from '../../../src/runtime/entropy.ts';
import { readServeSettings } from '../../../src/serve/base/settings.ts';
import { startServer } from '../../../src/serve/server.ts';

const [port, data = '', settings, database = '', ...worker] = process.argv.slice(2);
await startServer({
  host: '127.0.0.1',
  port: Number(port),
  data,
  settings: readServeSettings(settings, 'chaos'),
  database: [database],
  worker: [process.execPath, ...worker],
  version: '0.0.0-chaos',
  nodeVersion: process.versions.node,
  clock: systemClock,
  entropy: systemEntropy,
  log: (level, event, facts) => {
    if (level !== 'info') process.stderr.write(`${event} ${JSON.stringify(facts)}\n`);
  },
});
process.stdout.write('ready\n');
