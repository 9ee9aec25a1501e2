import { Failure } from '../../../contract/failure.ts';
import { readServeFlags } from '../../../runtime/settings/service-data.ts';
import type { OwnCall } from '../call.ts';
import { flagsOf, prepare, runServer } from '../serve/run.ts';

export async function run(call: OwnCall): Promise<number> {
  prepare();
  const { data, database } = readServeFlags(flagsOf(call));
  if (database === undefined) {
    throw new Failure('usage', 'expected --database: without one, pdftool serve works on its jobs itself', {
      hint: 'Name the database of the servers, and their folder with --data.',
    });
  }
  return runServer(call, { host: '127.0.0.1', port: 0, does: 'jobs' }, () => {
    if (call.flags.json) call.streams.out(`${JSON.stringify({ ok: true, data })}\n`);
    else call.streams.out(`pdftool work takes jobs\nData: ${data}\n`);
  });
}
