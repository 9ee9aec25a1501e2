import { closing } from '../../contract/base/closing.ts';
import { Failure } from '../../contract/base/failure.ts';
import type { BytesResult, RandomAccess } from '../../contract/base/ports.ts';
import { GB, LIMITS, MB } from '../../contract/limits.ts';
import { ZIP } from '../../contract/media.ts';
import { compress } from '../../contract/operations/size/compress.ts';
import { asDraft } from '../../runtime/files/outputs/drafts.ts';
import { writeZip, type ZipEntry } from '../../runtime/files/outputs/zip.ts';
import { fileSource } from '../../runtime/files/system/file-source.ts';
import { placeResult } from '../../runtime/rows/place-result.ts';
import { type ArchiveEntry, ArchiveError, listEntries, openArchive } from '../../wire/zip-entries.ts';
import type { TaskOutput, WorkflowTask } from './messages.ts';
import { outputFacts, placementFor, type Work } from './operation.ts';

/** PDFs are mostly compressed already: a high ratio means a ZIP bomb. */
const BOUNDS = { fileBytes: 256 * MB, totalBytes: 2 * GB, ratio: 200 };
const REPORT = 'report.json';

interface Line {
  readonly name: string;
  readonly status: 'done' | 'failed' | 'skipped';
  readonly bytes_in: number;
  readonly bytes_out?: number;
  readonly error?: string;
}

export async function runFolder(task: WorkflowTask, work: Work): Promise<TaskOutput> {
  const [file] = task.files;
  if (file === undefined) throw new TypeError('a folder job has an input');
  const { descriptors } = work.workspace;
  const input = fileSource(descriptors.open(file.path, file.name), descriptors);
  using zip = closing(await openArchive(input).catch(refuse));
  const files = task.bounds.files ?? LIMITS.workflowFolderFilesMax;
  const entries = await listEntries(zip, { ...BOUNDS, files }).catch(refuse);
  return await compressAll(entries, task, work);
}

async function compressAll(entries: readonly ArchiveEntry[], task: WorkflowTask, work: Work): Promise<TaskOutput> {
  const { ctx } = work;
  const pdfs = entries.filter(({ name }) => /\.pdf$/i.test(name));
  const { maxCredits } = task.bounds;
  if (pdfs.length === 0) throw new Failure('unprocessable', 'folder: the archive holds no PDF', { kind: 'no-pages' });
  if (pdfs.length > maxCredits) {
    const message = `folder: the archive holds ${pdfs.length} PDFs, and maxCredits is ${maxCredits}: one credit for each`;
    throw new Failure('over_max_credits', message);
  }
  const outputs: ZipEntry[] = [];
  const report: Line[] = [];
  for (const [index, entry] of entries.entries()) {
    ctx.progress({ phase: 'folder', done: index, total: entries.length, unit: 'files' });
    const { name, size: bytes_in } = entry;
    if (!pdfs.includes(entry)) {
      report.push({ name, status: 'skipped', bytes_in, error: 'not a PDF' });
      continue;
    }
    const source = await unpack(entry, index, work);
    try {
      const body = await compressOne({ ...source, name }, index, task, work);
      outputs.push({ name, body });
      report.push({ name, status: 'done', bytes_in, bytes_out: body.size });
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'internal') throw error;
      report.push({ name, status: 'failed', bytes_in, error: error.message });
    }
  }
  if (outputs.length === 0) {
    const first = report.find(({ status }) => status === 'failed');
    throw new Failure('unprocessable', `folder: no file could be done; the first: ${first?.error ?? 'none'}`);
  }
  const counted = (status: Line['status']) => report.filter((line) => line.status === status).length;
  const summary = { workflow: 'folder', operation: 'compress', files: report };
  const text = ctx.temp.create(REPORT);
  text.write(Buffer.from(`${JSON.stringify(summary, undefined, 2)}\n`));
  const reportName = outputs.some(({ name }) => name.toLowerCase() === REPORT) ? `_${REPORT}` : REPORT;
  const draft = ctx.temp.create('folder.zip');
  await writeZip([...outputs, { name: reportName, body: text.finish() }], draft, ctx.signal);
  const result = { kind: 'bytes', mediaType: ZIP, body: draft.finish() } as const;
  const written = await placeResult(result, placementFor(task, work));
  if (written === undefined) throw new TypeError('a task has an output');
  return {
    ...outputFacts(written),
    mediaType: ZIP,
    files: { done: counted('done'), failed: counted('failed'), skipped: counted('skipped') },
  };
}

/** Writes an entry to a file whose name does not come from the archive. */
async function unpack(entry: ArchiveEntry, index: number, { ctx }: Work): Promise<RandomAccess> {
  const draft = ctx.temp.create(`in-${index}`);
  try {
    for await (const chunk of entry.read(ctx.signal)) draft.write(chunk);
  } catch (error) {
    draft.discard();
    return refuse(error);
  }
  return draft.finish();
}

async function compressOne(
  file: RandomAccess,
  index: number,
  task: WorkflowTask,
  { engine, ctx }: Work,
): Promise<RandomAccess> {
  // Names of drafts would collide between files.
  const temp = { create: (name: string) => ctx.temp.create(`out-${index}-${name}`) };
  const input = { ...task.fields, file } as Parameters<typeof engine.call<typeof compress>>[1]; // options were read by the row
  const result: BytesResult = await engine.call(compress, input, { ...ctx, temp });
  return asDraft(result.body, `out-${index}`, () => ctx.temp, ctx.signal);
}

function refuse(error: unknown): never {
  if (!(error instanceof ArchiveError)) throw error;
  throw new Failure('unprocessable', `folder: the archive cannot be used: ${error.message}`, {
    kind: 'damaged',
    cause: error,
  });
}
