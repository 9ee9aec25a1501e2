import { Failure } from '../../../contract/base/failure.ts';
import type { OwnCall } from '../../line/call.ts';
import { serveFlags } from '../serve/options.ts';
import { prepare, runServer } from '../serve/start.ts';

export async function run(call: OwnCall): Promise<number> {
  prepare();
  const { data, database } = serveFlags(call);
  if (database === undefined) {
    throw new Failure('usage', 'expected --database: without one, pdftool serve works on its jobs itself', {
      hint: 'Name the database of the servers, and their folder with --data.',
    });
  }
  return runServer(call, { host: '127.0.0.1', port: 0, does: 'jobs' }, () => {
    if (call.flags.json) call.streams.json({ ok: true, data });
    else call.streams.out(`pdftool work takes jobs\nData: ${data}\n`);
  });
}
