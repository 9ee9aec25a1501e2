// Starts the service, and runs it until it is told to stop.
import { systemEntropy } from '../../../runtime/entropy.ts';
import { makeAllPrivate, readTextFile } from '../../../runtime/files/stores/blobs.ts';
import { ownCommand } from '../../../runtime/processes/child.ts';
import { collectBuffersEarly } from '../../../runtime/processes/heap.ts';
import { watchStray } from '../../../runtime/processes/stray.ts';
import { ownScript } from '../../../runtime/processes/thread.ts';
import { nodeVersion, serveVariable } from '../../../runtime/settings/service-data.ts';
import type { RunningServer, ServerOptions } from '../../../serve/server.ts';
import type { OwnCall } from '../../line/call.ts';
import { portOf, serveFlags, storageOf } from './options.ts';

/** Call it first: memory that is already allocated stays large. */
export function prepare(): void {
  collectBuffersEarly();
  makeAllPrivate();
}

/** Runs until told to stop, or until an unforeseen exception. */
export async function runServer(
  call: OwnCall,
  preset: Pick<ServerOptions, 'host' | 'port' | 'does' | 'tools' | 'page' | 'adminKey'>,
  announce: (server: RunningServer) => void,
): Promise<number> {
  const { streams, clock, signal, version } = call;
  const { data, database: postgres, ...given } = serveFlags(call);
  const storage = storageOf({ ...given, database: postgres });
  const adminPort = given.adminPort === undefined ? undefined : portOf('--admin-port', given.adminPort);
  const [{ startServer }, { createLog }, { readServeSettings }] = await Promise.all([
    import('../../../serve/server.ts'),
    import('../../../serve/base/log.ts'),
    import('../../../serve/base/settings.ts'),
  ]);
  const file = `${data}/serve.json`;
  const settings = readServeSettings(await readTextFile(file), file, serveVariable);
  const log = createLog(streams.err, clock);
  const programs = { worker: [...ownCommand(), 'serve', 'worker'], database: ownScript('serve', 'database') };
  const about = { version: version(), nodeVersion, clock, entropy: systemEntropy, log };
  const server = await startServer({ ...preset, ...programs, ...about, adminPort, data, postgres, storage, settings });
  announce(server);
  if (server.adminPort !== undefined)
    log('info', 'for operators', { host: settings.admin_host, port: server.adminPort });
  const broken = new AbortController();
  const release = watchStray((kind, detail) => {
    log('error', 'stray', { kind, detail });
    server.service.metrics.stray(kind);
    // An exception leaves work half-done and state wrong: a fresh process is better than this one.
    if (kind === 'exception') broken.abort();
  });
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    for (const end of [signal, broken.signal]) end.addEventListener('abort', () => resolve(), { once: true });
  });
  log('info', 'stopping');
  await server.stop();
  release();
  log('info', 'stopped');
  return broken.signal.aborted ? 1 : 0;
}
