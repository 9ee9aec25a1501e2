// Redaction by the service: a job that finds regions, a review, and a job that removes their content.
import { workflowCreate, workflowFinalize } from '../contract/operations/service/workflow.ts';
import type { Document } from './documents.ts';
import type { ServiceClient } from './service.ts';

/** The options of an inspection. */
export function searchOf({ find, regex, kinds, ocr }: Readonly<Record<string, string>>): object {
  const list = kinds?.split(',').map((kind) => kind.trim());
  return { mode: 'inspect', find, regex, kinds: list, ocr: ocr === 'true' ? true : undefined };
}

/** Creates and queues a redaction job; resolves to its id. */
export async function startRedaction(
  service: ServiceClient,
  { blob }: Document,
  options: object,
  progress = (_: number) => {},
  signal = new AbortController().signal,
): Promise<string> {
  const asked = { workflow: 'redaction', inputBytes: blob.size, maxCredits: 1, options };
  const { uploadId, jobId, upload } = await service.json(workflowCreate.path, asked, { signal });
  // The server gives its public URL; the page uses the origin it came from.
  const address = new URL(String((upload as { session_uri: string }).session_uri));
  const path = `${address.pathname}${address.search}`;
  await service.call({ method: 'PUT', path, key: '', body: blob.slice(0, blob.size, ''), progress, signal });
  await service.json(workflowFinalize.path.replace(':uploadId', String(uploadId)), {}, { signal });
  return String(jobId);
}

/** The review page of a job's regions. Throws where they belong to another document. */
export async function reviewOf(service: ServiceClient, job: string, document: Document): Promise<string> {
  const path = `/page/review?job=${encodeURIComponent(job)}` as const;
  return (await service.run({ path }, {}, [['file', document.blob, document.name]])).blob.text();
}
