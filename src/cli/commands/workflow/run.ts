import { parse } from 'node:path';
import { Failure } from '../../../contract/base/failure.ts';
import { parsedJson } from '../../../contract/base/present.ts';
import { PDF, ZIP } from '../../../contract/media.ts';
import {
  WORKFLOWS,
  type WorkflowKind,
  workflowKind,
  workflowName,
} from '../../../contract/operations/service/workflow.ts';
import { isOurs, type JobPorts } from '../../../flow/job-ports.ts';
import { isOpen, type JournalEntry } from '../../../flow/journal.ts';
import { openOne } from '../../../runtime/files/inputs/inputs.ts';
import { type Workspace, withWorkspace } from '../../../runtime/files/outputs/workspace.ts';
import type { Settings } from '../../../runtime/settings/settings.ts';
import { count } from '../../../runtime/terminal/units.ts';
import { identifyNamed } from '../../engines/journal.ts';
import { followJobs } from '../../jobs/follow.ts';
import { openOwnJobPorts } from '../../jobs/ports.ts';
import type { OwnCall } from '../../line/call.ts';
import { type Options, textOf, textsOf } from '../../line/flags.ts';
import { readFollowOptions } from '../../line/grammar.ts';
import { type FolderInput, openFolder } from './folder.ts';
import { postWorkflow, submit, type WorkflowRequest } from './submit.ts';

export async function run(call: OwnCall): Promise<number> {
  const { subcommand, args } = call;
  if (subcommand === 'resume') return resumeWorkflows(call, args);
  const [first = '', second = ''] = args;
  const { ports, settings } = await openOwnJobPorts(call);
  return withWorkspace(async (workspace) => {
    const folder = subcommand === 'folder' ? await openFolder(first, workspace, call.signal) : undefined;
    if (folder !== undefined && folder.left > 0) {
      call.messages.note(`${count(folder.left, 'file')} of ${first} are no PDF and stay here`);
    }
    return postWorkflow(call, ports, settings, workspace, requestOf(call, settings, folder, first, second));
  });
}

function requestOf(
  call: OwnCall,
  settings: Settings,
  folder: FolderInput | undefined,
  first: string,
  second: string,
): WorkflowRequest {
  const { subcommand, options, flags } = call;
  const given = readOptions(options);
  const stem = outputStem(first);
  const named = (kind: WorkflowKind) => ({
    operation: `workflow ${subcommand}`,
    kind,
    name: workflowName(settings.workflowNames, kind),
    file: first,
    options: given,
  });
  switch (subcommand) {
    case 'compress':
      return { ...named('compress'), output: `${stem}-compressed.pdf` };
    case 'folder': {
      const credits = Math.min(folder?.files ?? 0, WORKFLOWS.folder.maxCredits[1]);
      const sent = folder === undefined ? {} : { source: folder.source, credits };
      return { ...named('folder'), ...sent, output: `${stem}-output.zip` };
    }
    case 'source-pack': {
      // The synchronous endpoint makes source packs of rag text only.
      const mode = textOf(options, 'mode') ?? 'rag';
      return { ...named('source_pack'), options: { mode, ...given }, output: `${stem}-source-pack.zip` };
    }
    default:
      return {
        operation: `workflow ${first}`,
        kind: workflowKind(settings.workflowNames, first),
        name: first,
        file: second,
        options: given,
        ...(flags.maxCredits === undefined ? {} : { credits: flags.maxCredits }),
        output: `${outputStem(second)}-output.${/zip$/i.test(second) ? 'zip' : 'pdf'}`,
      };
  }
}

/** Parses `--option k=v`: JSON where the value is JSON, else text; `a.b=1` is not split. */
export function readOptions(options: Options): Record<string, unknown> {
  return Object.fromEntries(
    textsOf(options, 'option').map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw new Failure('usage', `--option: expected name=value, found '${text}'`);
      const value = parsedJson(text.slice(at + 1));
      return [text.slice(0, at), value === undefined ? text.slice(at + 1) : value];
    }),
  );
}

/** The default stem of the output: that of the input, or a folder's name. */
export function outputStem(file: string): string {
  const { name, base, ext } = parse(file.replace(/\/+$/, ''));
  const known = [PDF, ZIP].some((type) => `.${type.split('/')[1]}` === ext.toLowerCase());
  return file === '-' ? 'stdin' : known ? name : base;
}

async function resumeWorkflows(call: OwnCall, ids: readonly string[]): Promise<number> {
  const { messages, options, streams, flags } = call;
  const { ports } = await openOwnJobPorts(call);
  const entries =
    ids.length === 0
      ? ports.journal.list('workflow').filter((job) => isOpen(job) && isOurs(ports, job))
      : ids.map((id) => named(ports, id));
  if (entries.length === 0) {
    messages.note('there is no workflow job to go on with');
    return 0;
  }
  const submitted: JournalEntry[] = [];
  for (const entry of entries) {
    await withWorkspace(async (workspace) => {
      const file = await reopen(entry, workspace, call.signal);
      submitted.push(await submit(call, ports, entry, file, workspace));
    });
  }
  if (options.detach !== true) return followJobs(ports, submitted, readFollowOptions(options, { soon: true }), call);
  for (const { id, job_id, operation } of submitted) {
    if (flags.json) streams.json({ ok: true, operation, id, job_id });
    else streams.out(`${job_id ?? id}\n`);
  }
  return 0;
}

function named({ journal }: JobPorts, id: string): JournalEntry {
  const entry = journal.lookUp(id);
  if (entry === undefined || entry.kind !== 'workflow') {
    throw new Failure('not_found', `the journal of this machine has no workflow job ${id}`, {
      hint: 'See them with: pdftool jobs list',
    });
  }
  if (isOpen(entry)) return entry;
  const message = `${entry.operation} ${entry.id} has ended (${entry.status ?? entry.step}): there is nothing to go on with`;
  throw new Failure('usage', message);
}

/** Opens the file again; that it is still the job's file is checked before its bytes are sent. */
async function reopen({ id, files, operation }: JournalEntry, workspace: Workspace, signal: AbortSignal) {
  const path = files[0]?.path;
  if (path === undefined) {
    throw new Failure('usage', `${operation} ${id} was read from standard input, which is gone`, {
      hint: 'Run the same command again with the same input.',
    });
  }
  if (operation === 'workflow folder')
    return { ...identifyNamed((await openFolder(path, workspace, signal)).source, '-'), path };
  return identifyNamed(await openOne(path, workspace, signal), path);
}
