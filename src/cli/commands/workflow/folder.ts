// Packs the input of a folder job: a ZIP as it is, or the PDFs of a folder, always with the same bytes.
import { Failure } from '../../../contract/base/failure.ts';
import type { RandomAccess } from '../../../contract/base/ports.ts';
import { WORKFLOWS } from '../../../contract/operations/service/workflow.ts';
import { openInputs, openOne } from '../../../runtime/files/inputs/inputs.ts';
import type { Workspace } from '../../../runtime/files/outputs/workspace.ts';
import { listFiles } from '../../../runtime/files/system/folder.ts';

export interface FolderInput {
  readonly source: RandomAccess;
  readonly files: number;
  readonly left: number;
}

export async function openFolder(name: string, workspace: Workspace, signal: AbortSignal): Promise<FolderInput> {
  const inside = listFiles(name);
  if (inside === undefined) {
    const source = await openOne(name, workspace, signal);
    const { countEntries } = await import('../../../wire/archive.ts');
    const files = await countEntries(source).catch((cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new Failure('refused', `${name} is no ZIP that can be read: ${why}`, {
        cause,
        hint: 'Name a ZIP or a folder.',
      });
    });
    return { source, files: checked(name, files), left: 0 };
  }
  const pdfs = inside.filter((path) => /\.pdf$/i.test(path));
  const files = checked(name, pdfs.length);
  const paths = pdfs.map((path) => `${name.replace(/\/+$/, '')}/${path}`);
  const { sources } = await openInputs(paths, [], workspace, signal);
  const { writeZip } = await import('../../../runtime/files/outputs/zip.ts');
  const draft = workspace.temp({ name: `the ZIP of ${name}` }).create('folder.zip');
  const entries = sources.map((body, index) => ({ name: pdfs[index] ?? '', body }));
  await writeZip(entries, draft, signal);
  return { source: draft.finish(), files, left: inside.length - files };
}

function checked(name: string, files: number): number {
  const [min, max] = WORKFLOWS.folder.files;
  if (files >= min && files <= max) return files;
  const message = `${name}: expected ${min} to ${max} files in it, found ${files}`;
  throw new Failure(files < min ? 'refused' : 'too_large', message, {
    kind: files < min ? 'empty' : 'limit',
    hint: files < min ? 'Name a folder with PDFs in it, or a ZIP of them.' : 'Split it, and send the parts one by one.',
  });
}
