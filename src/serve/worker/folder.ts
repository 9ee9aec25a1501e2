import { Failure } from '../../contract/failure.ts';
import { GB, LIMITS, MB } from '../../contract/limits.ts';
import { ZIP } from '../../contract/media.ts';
import { compress } from '../../contract/operations/size.ts';
import type { BytesResult, RandomAccess } from '../../contract/ports.ts';
import { writeZip, type ZipEntry } from '../../runtime/files/zip.ts';
import { ArchiveError, type Entry, listEntries, openArchive } from '../../wire/zip-entries.ts';
import type { Made, WorkflowTask } from './messages.ts';
import { onDisk, openSource, placed, type Work, written } from './operation.ts';

/** PDFs inflate little: their streams are packed already. What is far above is made to fill a disk. */
const BOUNDS = { fileBytes: 256 * MB, totalBytes: 2 * GB, ratio: 200 };
const REPORT = 'report.json';

interface Line {
  readonly name: string;
  readonly status: 'done' | 'failed' | 'skipped';
  readonly bytes_in: number;
  readonly bytes_out?: number;
  readonly error?: string;
}

export async function runFolder(task: WorkflowTask, work: Work): Promise<Made> {
  const [file] = task.files;
  if (file === undefined) throw new TypeError('a folder job has an input');
  const input = openSource(file.path, file.name, work.workspace);
  const zip = await openArchive(input).catch(refuse);
  try {
    const files = task.bounds.files ?? LIMITS.workflowFolderFilesMax;
    const entries = await listEntries(zip, { ...BOUNDS, files }).catch(refuse);
    return await compressAll(entries, task, work);
  } finally {
    zip.close();
  }
}

async function compressAll(entries: readonly Entry[], task: WorkflowTask, work: Work): Promise<Made> {
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
  const body = written(REPORT, `${JSON.stringify(summary, undefined, 2)}\n`, ctx);
  const reportName = outputs.some(({ name }) => name.toLowerCase() === REPORT) ? `_${REPORT}` : REPORT;
  const draft = ctx.temp.create('folder.zip');
  await writeZip([...outputs, { name: reportName, body }], draft, ctx.signal);
  return {
    ...(await placed(draft.finish(), task, ctx)),
    mediaType: ZIP,
    files: { done: counted('done'), failed: counted('failed'), skipped: counted('skipped') },
  };
}

/** One entry as a file of a name of ours. */
async function unpack(entry: Entry, index: number, { ctx }: Work): Promise<RandomAccess> {
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
  // The engine names its drafts as if it were alone: here each file has names of its own.
  const temp = { create: (name: string) => ctx.temp.create(`out-${index}-${name}`) };
  const input = { ...task.fields, file } as Parameters<typeof engine.call<typeof compress>>[1]; // options were read by the row
  const result: BytesResult = await engine.call(compress, input, { ...ctx, temp });
  return onDisk(result.body);
}

function refuse(error: unknown): never {
  if (!(error instanceof ArchiveError)) throw error;
  throw new Failure('unprocessable', `folder: the archive cannot be used: ${error.message}`, {
    kind: 'damaged',
    cause: error,
  });
}
