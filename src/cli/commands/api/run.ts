import { Failure } from '../../../contract/base/failure.ts';
import { CREDITS } from '../../../contract/limits.ts';
import { ANY, EXTENSIONS, JSON_TYPE, PDF, typeNamed } from '../../../contract/media.ts';
import type { ServiceOperation } from '../../../contract/operation.ts';
import { recordRaw } from '../../../flow/ledger.ts';
import { callPrice } from '../../../flow/price.ts';
import { systemEntropy } from '../../../runtime/entropy.ts';
import { openOne } from '../../../runtime/files/inputs/inputs.ts';
import { bytesOfSource } from '../../../runtime/files/inputs/read-all.ts';
import { fileTarget } from '../../../runtime/files/outputs/target.ts';
import { type Workspace, withWorkspace } from '../../../runtime/files/outputs/workspace.ts';
import { draftsFor, placeResult } from '../../../runtime/rows/place-result.ts';
import { readSettings, type Settings } from '../../../runtime/settings/settings.ts';
import { safeBaseName } from '../../../wire/filename.ts';
import { type FilePart, multipart, type RequestBody, type TextPart } from '../../../wire/multipart.ts';
import { essence } from '../../../wire/response.ts';
import { remoteHooks } from '../../engines/engines.ts';
import { openJournalPorts } from '../../engines/journal.ts';
import { remoteSettings } from '../../engines/remote.ts';
import { type OwnCall, recordContext } from '../../line/call.ts';
import { textOf, textsOf } from '../../line/flags.ts';

export async function run(call: OwnCall): Promise<number> {
  const { args, flags, streams, signal, messages } = call;
  const [given = '', path = ''] = args;
  const method = given.toUpperCase();
  const settings = readSettings({ ...flags, local: false, remote: true });
  const { rawCall, rowOf } = await import('../../../remote/entry.ts');
  assertAffordable(settings, method, path, rowOf(method, path));
  return withWorkspace(async (workspace) => {
    const body = await readBody(call, workspace);
    const target =
      flags.output === undefined || flags.output === '-' ? undefined : fileTarget(flags.output, flags.force, []);
    const to = target ?? ({ kind: 'stdout' } as const);
    const ctx = { ...recordContext(call), temp: draftsFor({ to, parts: 'single', workspace }) };
    const send = () =>
      rawCall(remoteSettings(settings, remoteHooks(call, flags.debug || settings.debug)), { method, path, body }, ctx);
    const credits = priceAt(method, rowOf(method, path));
    const ports = { ...openJournalPorts(settings), warn: (text: string) => messages.warn(text) };
    const { headers, body: answer } = await (credits === 0
      ? send()
      : recordRaw(ports, `${method} ${path.split('?', 1)[0]}`, credits, send));
    const mediaType = essence(headers['content-type']);
    if (target === undefined && streams.outIsTerminal && /^text\/|json$|xml$/.test(mediaType)) {
      streams.out((await bytesOfSource(answer, signal)).toString('utf8'));
      return 0;
    }
    // Bytes that would garble a terminal go to a file: they may have been paid for.
    const saved =
      target === undefined && streams.outIsTerminal
        ? fileTarget(`answer.${EXTENSIONS[mediaType]?.[0] ?? 'bin'}`, false, [])
        : to;
    const written = await placeResult(
      { kind: 'bytes', mediaType, body: answer },
      { to: saved, parts: 'single', workspace, signal, hash: false, pour: streams.pour },
    );
    if (written !== undefined) streams.out(`${written.path}\n`);
    return 0;
  });
}

/** The most that a call may cost; without a row one credit, the price of the standard tools. */
function priceAt(method: string, op: ServiceOperation | undefined): number {
  if (method === 'GET' || method === 'HEAD') return 0;
  return op === undefined ? CREDITS.standard : callPrice(op, {}).credits;
}

/** Refuses what may cost more than the budget, and requests without a row, whose price is not known. */
function assertAffordable(
  { maxCredits }: Settings,
  method: string,
  path: string,
  op: ServiceOperation | undefined,
): void {
  if (maxCredits === undefined || method === 'GET' || method === 'HEAD') return;
  const price = op === undefined ? undefined : callPrice(op, {});
  // A budget in the body (workflow jobs) is not read here.
  const known = price !== undefined && op !== undefined && !('reserves' in op.cost);
  if (known && price.credits <= maxCredits) return;
  const costs = known ? `may cost ${price.credits} credits` : 'has no known price';
  const message = `${method} ${path} ${costs}; --max-credits is ${maxCredits}; nothing was sent`;
  throw new Failure('over_max_credits', message, { hint: 'Leave --max-credits out, or raise it.' });
}

/** The request body: a form of -F and --field, or the file of --input. */
async function readBody({ options, args, signal }: OwnCall, workspace: Workspace): Promise<RequestBody | undefined> {
  const files = textsOf(options, 'F');
  const texts = textsOf(options, 'field');
  const input = textOf(options, 'input');
  if (input !== undefined && files.length + texts.length > 0) {
    throw new Failure('usage', '--input and form fields exclude each other');
  }
  if (input !== undefined) {
    const source = await openOne(input, workspace, signal);
    const contentType = /\.pdf$/i.test(input) ? PDF : JSON_TYPE;
    return { contentType, length: source.size, open: (stop) => source.open(stop) };
  }
  if (files.length + texts.length === 0) return undefined;
  if (args[0]?.toUpperCase() === 'GET')
    throw new Failure('usage', 'a GET has no body; put values into the path: ?name=value');
  const parts: (FilePart | TextPart)[] = [];
  for (const [field, value] of files.map(pair)) {
    if (!value.startsWith('@')) parts.push({ name: field, text: value });
    else {
      const source = await openOne(value.slice(1), workspace, signal);
      const filename = safeBaseName(source.name);
      parts.push({ name: field, filename, mediaType: typeNamed(filename) ?? ANY, source });
    }
  }
  for (const [field, value] of texts.map(pair)) parts.push({ name: field, text: value });
  return multipart(parts, `pdftool-${systemEntropy.token()}`);
}

function pair(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new Failure('usage', `expected name=value, found '${text}'`);
  return [text.slice(0, at), text.slice(at + 1)];
}
