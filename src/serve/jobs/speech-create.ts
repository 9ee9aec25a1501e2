// Creates a speech job: a worker measures the PDF, the price is reserved, the job queued. One per key (SERVICE.md).
import { Failure } from '../../contract/base/failure.ts';
import { isOffered, type ServiceOperation } from '../../contract/operation.ts';
import { joinPath, makeScratch, removeBlob } from '../../runtime/files/stores/blobs.ts';
import { uploadBlob } from '../blobs/blobs.ts';
import { authenticate } from '../http/auth.ts';
import { type Exchange, type HttpAnswer, jsonAnswer } from '../http/exchange.ts';
import { takeInput } from '../routes/operate.ts';
import type { Service } from '../service/service.ts';
import { addJob, tooManyOfKey } from './add-job.ts';
import { jobAddress } from './speech-record.ts';

/** Operations priced by the minute run as speech jobs. */
export function makesSpeech(op: ServiceOperation): boolean {
  return 'creditsPerMinute' in op.cost && op.local === true;
}

/** Credits a minute, which may depend on the output format. */
export function minutePrice(op: ServiceOperation, fields: Readonly<Record<string, unknown>>): number {
  const { cost } = op;
  if (!isOffered(op) || !('creditsPerMinute' in cost)) throw new TypeError(`${op.name} is not priced by the minute`);
  const format = String(fields.output_format ?? '');
  return cost.creditsPerMinuteBy?.[format] ?? cost.creditsPerMinute;
}

export async function createSpeech(op: ServiceOperation, exchange: Exchange, service: Service): Promise<HttpAnswer> {
  const { store, clock, folders, blobs, entropy, settings } = service;
  const key = await authenticate(exchange, service);
  const { headers } = exchange.incoming;
  const most = op.limits?.inputBytes ?? settings.upload_bytes;
  const bytes = Math.min(Number(headers['content-length'] ?? most), most);
  const leave = service.gate.enter({ account: key.account, bytes, isSmall: false });
  let release = () => {};
  let folder: string | undefined;
  const id = `job_${entropy.token()}`;
  const uploadId = `up_${entropy.token()}`;
  const upload = uploadBlob(uploadId);
  try {
    if ((await store.activeSpeech(key.id)) >= (op.limits?.activeJobs ?? 1)) throw tooManyOfKey(op);
    // For the upload and the output. Once the job has a row, its bytes are counted there.
    release = await service.disk.reserve(2 * bytes);
    folder = makeScratch(joinPath(folders.requests, exchange.id));
    const { values, files } = await takeInput(op, exchange, folder, service);
    refuseLocalOptions(op, values);
    const [file] = files;
    if (file === undefined) throw new TypeError('a speech job has a file');
    const task = { kind: 'measure', name: op.name, limits: op.limits ?? {}, durable: false } as const;
    const { speech } = await service.runner.run(
      { ...task, fields: values, files, folder, output: joinPath(folder, 'out') },
      { signal: exchange.signal, owner: key.account, isSmall: false },
    );
    if (speech === undefined) throw new TypeError('what is measured has minutes');
    const price = minutePrice(op, values) * speech.minutes;
    await blobs.promote(file.path, upload);
    const job = {
      id,
      uploadId,
      account: key.account,
      workflow: op.name,
      options: { fields: values, file: file.name },
      keyId: key.id,
      mostOfKey: op.limits?.activeJobs ?? 1,
      inputBytes: Number(exchange.facts.bytes_in ?? 0),
      maxCredits: price,
      isUploaded: true,
    };
    await addJob(op, job, service, `is estimated at ${speech.minutes} minutes and `);
    service.wake();
    const left = (await store.account(key.account, clock.now()))?.available;
    return jsonAnswer(op.success, {
      ok: true,
      job_id: id,
      status_url: jobAddress(id, exchange, service),
      status: 'queued',
      estimate: speech,
      credits_reserved: price,
      credits_remaining: left,
    });
  } catch (error) {
    // No job refers to the upload; else the sweep would remove it a minute later.
    if ((await store.job(id)) === undefined) await blobs.remove(upload);
    throw error;
  } finally {
    if (folder !== undefined) await removeBlob(folder);
    release();
    leave();
  }
}

/** A job has one result and a fixed price, so subtitles and OCR are refused. */
function refuseLocalOptions(op: ServiceOperation, { subtitles, ocr }: Readonly<Record<string, unknown>>): void {
  if (subtitles !== undefined) {
    const message = `${op.name}: subtitles are written by the command line alone; the job's record says when each page is spoken`;
    throw new Failure('usage', message);
  }
  if (ocr === true) {
    throw new Failure('usage', `${op.name}: words are recognised before a job is made: send the file to ocr-pdf first`);
  }
}
