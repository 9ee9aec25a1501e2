import { dirname, join, resolve } from 'node:path';
import { Failure } from '../../../contract/base/failure.ts';
import { pathOfDraft } from '../../../runtime/files/outputs/drafts.ts';
import { placeFile } from '../../../runtime/files/outputs/place.ts';
import { fileTarget } from '../../../runtime/files/outputs/target.ts';
import { withWorkspace } from '../../../runtime/files/outputs/workspace.ts';
import { readTextFile } from '../../../runtime/files/stores/blobs.ts';
import { makeFolder } from '../../../runtime/files/system/folder.ts';
import { ownCommand } from '../../../runtime/processes/child.ts';
import { clientPlaces, type McpSettings } from '../../../runtime/settings/mcp-settings.ts';
import { canAsk, confirm } from '../../../runtime/terminal/prompt.ts';
import type { OwnCall } from '../../line/call.ts';
import { textOf } from '../../line/flags.ts';
import { tell } from '../../run/show.ts';

/** Adds this server to a client's configuration, after asking; everything else in the file is kept. */
export async function installClient(call: OwnCall, mcp: McpSettings): Promise<number> {
  const { options, flags, streams, messages, signal } = call;
  const { CLIENTS, entryOf, withServer } = await import('../../../mcp/entry.ts');
  const name = textOf(options, 'client');
  const client = name === undefined ? undefined : CLIENTS[name];
  const known = Object.entries(CLIENTS).map(([id, { title }]) => `${id} (${title})`);
  if (name === undefined || client === undefined) {
    const given = name === undefined ? 'nothing' : name;
    throw new Failure('usage', `--client: expected one of ${known.join(', ')}; found ${given}`);
  }
  const [program = '', ...before] = client.shared === true ? ['pdftool'] : ownCommand();
  const start = { command: program, args: [...before, 'mcp', ...argumentsOf(call, mcp, client.shared === true)] };
  const file = join(...client.file(clientPlaces()));
  if (options.print === true) {
    streams.out(entryOf(client, start));
    messages.note(`${client.title} reads it in ${file}`);
    return 0;
  }
  const text = await readTextFile(file);
  const changed = withServer(client, text, start, file);
  if (changed === undefined) {
    messages.note(`${file} has it already`);
    tell(call, { ok: true, client: name, file, changed: false });
    return 0;
  }
  if (options.yes !== true) {
    if (!canAsk(streams)) {
      throw new Failure('usage', `nobody is there to be asked whether ${file} may be changed; it was left as it is`, {
        hint: 'Add --yes, or see with --print what would be written.',
      });
    }
    streams.err(`${entryOf(client, start)}\n`);
    const what = text === undefined ? `Make ${file} with this?` : `Add this to ${file}? All else in it stays.`;
    if (!(await confirm(what, streams, signal))) {
      throw new Failure('interrupted', 'nothing was written');
    }
  }
  if ((await readTextFile(file)) !== text) {
    throw new Failure('conflict', `${file} was changed meanwhile; it was left as it is`, { hint: 'Try again.' });
  }
  await write(file, changed);
  if (!flags.json)
    messages.note(`start ${client.title} again; a key for the service is stored with: pdftool auth login`);
  tell(call, { ok: true, client: name, file, changed: true });
  return 0;
}

/** Folders are absolute paths of this machine, so a file that belongs to a project has none. */
function argumentsOf({ options, flags }: OwnCall, { roots, prefix }: McpSettings, shared: boolean): string[] {
  const given = Array.isArray(options.root) ? roots.map((root) => resolve(root)) : shared ? [] : roots;
  return [
    ...given.flatMap((root) => ['--root', root]),
    ...(typeof options.outDir === 'string' ? ['--out-dir', resolve(options.outDir)] : []),
    ...(typeof options.prefix === 'string' ? ['--prefix', prefix] : []),
    ...(flags.local ? ['--local'] : flags.remote ? ['--remote'] : []),
    ...(flags.profile === undefined ? [] : ['--profile', flags.profile]),
    ...(flags.maxCredits === undefined ? [] : ['--max-credits', String(flags.maxCredits)]),
    ...(options.allowOverwrite === true ? ['--allow-overwrite'] : []),
  ];
}

async function write(file: string, text: string): Promise<void> {
  makeFolder(dirname(file));
  const target = fileTarget(file, true, []);
  if (target.kind !== 'file') throw new Failure('usage', `${file} is no plain file`);
  await withWorkspace(async (workspace) => {
    const draft = workspace.temp({ parent: dirname(target.path), name: file }).create('configuration');
    draft.write(Buffer.from(text));
    await placeFile(pathOfDraft(draft.finish()), target);
  });
}
