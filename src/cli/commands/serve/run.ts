import { Failure } from '../../../contract/failure.ts';
import type { AnswerMessage, HostedSettings } from '../../../mcp/hosted.ts';
import { joinPath, readTextFile } from '../../../runtime/files/blobs.ts';
import { readPageFile } from '../../../runtime/folders/page-files.ts';
import type { Page } from '../../../serve/routes/page.ts';
import type { OwnCall } from '../../line/call.ts';
import { createOne, grant, listKeys, migrate, move, revoke, withStore } from './accounts.ts';
import { prepareData } from './first-key.ts';
import { portOf, serveFlags, storageOf } from './options.ts';
import { database, work } from './pools.ts';
import { prepare, runServer } from './start.ts';

export async function run(call: OwnCall): Promise<number> {
  switch (call.subcommand) {
    case 'keys create':
      return withStore(call, createOne);
    case 'keys list':
      return withStore(call, listKeys);
    case 'keys revoke':
      return withStore(call, revoke);
    case 'credits grant':
      return withStore(call, grant);
    case 'migrate':
      return migrate(call);
    case 'move':
      return move(call);
    case 'worker':
      return work(call);
    case 'database':
      return database();
    default:
      return serve(call);
  }
}

async function serve(call: OwnCall): Promise<number> {
  const { options, streams } = call;
  prepare();
  const { host, data, keyFile: named, database, ...given } = serveFlags(call);
  // Where output goes to a file or a log, a key in it would stay there.
  const keyFile = named ?? (streams.outIsTerminal ? undefined : joinPath(data, 'first-key'));
  const port = portOf('--port', given.port);
  const withJobs = options.workers !== false;
  if (!withJobs && database === undefined) {
    throw new Failure('usage', '--no-workers leaves jobs to pdftool work, which needs a database that both use', {
      hint: 'Name one with --database, or leave --no-workers out.',
    });
  }
  // Refused before a first key and its file are made.
  storageOf({ ...given, database });
  const page = await pageOf(options, host);
  const first = await prepareData(call, { host, data, keyFile, isNamed: named !== undefined });
  return runServer(call, { host, port, does: withJobs ? 'everything' : 'requests', tools, page }, (server) =>
    announce(
      call,
      { url: `http://${host.includes(':') ? `[${host}]` : host}:${server.port}`, data, hasPage: page !== undefined },
      first,
      keyFile,
    ),
  );
}

/** The web page, unless it is not wanted. Throws where other machines could use its key unasked. */
async function pageOf(options: OwnCall['options'], host: string): Promise<Page | undefined> {
  if (options.page === false) return undefined;
  const file = options.pageKeyFile;
  if (typeof file !== 'string') return { read: readPageFile, key: undefined };
  if (!['127.0.0.1', 'localhost', '::1'].includes(host) && options.allowPublicPage !== true) {
    throw new Failure('usage', `--page-key-file: anybody who reaches ${host} could spend the credits of this key`, {
      hint: 'Listen on 127.0.0.1, or add --allow-public-page.',
    });
  }
  const key = (await readTextFile(file))?.trim();
  if (!key) throw new Failure('usage', `--page-key-file: ${file} holds no key`);
  return { read: readPageFile, key };
}

/** Where it listens and how it is used; the first key is shown here, or is in a file, and is seen nowhere again. */
function announce(
  { flags, streams }: OwnCall,
  { url, data, hasPage }: { readonly url: string; readonly data: string; readonly hasPage: boolean },
  key: string | undefined,
  keyFile: string | undefined,
): void {
  if (flags.json) {
    const first = key === undefined ? {} : keyFile === undefined ? { api_key: key } : { api_key_file: keyFile };
    streams.json({ ok: true, url, data, ...first });
    return;
  }
  const [shown, about] =
    key === undefined
      ? ['PDFTOOL_API_KEY=sk_live_…', 'Keys: pdftool serve keys list']
      : keyFile === undefined
        ? [`PDFTOOL_API_KEY=${key}`, 'This first key is shown once; 20 credits are on it.']
        : [`PDFTOOL_API_KEY_FILE=${keyFile}`, `The first key is in ${keyFile}; 20 credits are on it.`];
  streams.out(
    [
      `pdftool serve listens on ${url}`,
      `Data: ${data}`,
      about,
      '',
      'Use it:',
      `  export PDFTOOL_BASE_URL=${url} ${shown}`,
      '  pdftool account',
      '  pdftool merge a.pdf b.pdf -o merged.pdf',
      ...(hasPage ? [`Or open ${url} in a browser.`] : []),
      '',
      '',
    ].join('\n'),
  );
}

/** What answers at /mcp, loaded with the first question. */
function tools(about: HostedSettings): AnswerMessage {
  let hosted: Promise<AnswerMessage> | undefined;
  return async (message, headers) => {
    hosted ??= import('../../../mcp/hosted.ts').then(({ createHosted }) => createHosted(about));
    return (await hosted)(message, headers);
  };
}
