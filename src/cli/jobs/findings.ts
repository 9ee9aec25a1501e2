// Reads and writes regions.json, the findings of an inspection. A person reviews it, and `redact apply` takes it back.
import { Failure } from '../../contract/base/failure.ts';
import type { BytesResult, Context, RandomAccess, Values } from '../../contract/base/ports.ts';
import { parsedJson } from '../../contract/base/present.ts';
import { decodeText } from '../../contract/base/text.ts';
import { JSON_TYPE } from '../../contract/media.ts';
import type { JobPorts } from '../../flow/job-ports.ts';
import { downloadResult } from '../../flow/job-result.ts';
import { firstText, type JobState, objectOf } from '../../flow/job-state.ts';
import type { JournalEntry } from '../../flow/journal.ts';
import { bytesOfSource } from '../../runtime/files/inputs/read-all.ts';

/** Regions of a file. Only regions that a person has reviewed are applied. */
interface Reviewed {
  readonly sourceSha256: string;
  readonly regions: readonly unknown[];
}

interface Findings extends Reviewed {
  readonly reviewed: boolean;
  readonly clean: boolean;
}

const SHA256 = /^[0-9a-f]{64}$/i;
const SHA_NAMES = ['sourceSha256', 'source_sha256', 'sha256'];

/** Whether a job's result is a list of regions and no document. */
export function isInspection({ fields }: JournalEntry): boolean {
  return objectOf(fields.options)?.mode === 'inspect';
}

/** The findings of a finished inspection: in its record, or behind its result address. As a draft, ready to be placed. */
export async function takeFindings(
  ports: JobPorts,
  entry: JournalEntry,
  state: JobState,
  ctx: Context,
): Promise<BytesResult> {
  const findings = findingsIn(state.record) ?? (await fetched(ports, entry, state, ctx));
  const [file] = entry.files;
  if (file?.sha256 !== undefined && file.sha256 !== findings.sourceSha256.toLowerCase()) {
    const message = `${entry.operation}: the service inspected another file than ${file.name}: its SHA-256 differs`;
    throw new Failure('server', message);
  }
  const { sourceSha256, regions } = findings;
  // A person sets `reviewed` to true: findings are never applied by themselves.
  const text = JSON.stringify({ reviewed: false, sourceSha256: sourceSha256.toLowerCase(), regions }, undefined, 2);
  const draft = ctx.temp.create('regions.json');
  draft.write(Buffer.from(`${text}\n`));
  return { kind: 'bytes', mediaType: JSON_TYPE, body: draft.finish() };
}

async function fetched(ports: JobPorts, entry: JournalEntry, state: JobState, ctx: Context): Promise<Reviewed> {
  const { body } = await downloadResult(ports, entry, state, ctx);
  const findings = findingsIn(objectOf(parsedJson(await textFrom(body as RandomAccess, ctx.signal))) ?? {}); // a finished draft
  if (findings !== undefined) return findings;
  throw new Failure('server', `${entry.operation}: the service's answer holds no source SHA-256 and regions`);
}

/** Parses a regions file. Throws a Failure that says what is missing. */
export function readFindings(name: string, text: string): Findings {
  const value = objectOf(parsedJson(text));
  if (value === undefined) {
    throw new Failure('usage', `${name} is no JSON object`, { hint: 'Make it with: pdftool redact inspect FILE' });
  }
  const findings = findingsIn(value);
  if (findings === undefined) {
    throw new Failure('usage', `${name} holds no sourceSha256 and regions`, {
      hint: 'Make it with: pdftool redact inspect FILE',
    });
  }
  return { ...findings, reviewed: value.reviewed === true, clean: value.clean === true };
}

/** Parses a regions file that may be applied to a file with this SHA-256. Throws a Failure that says what is missing. */
export function checkReviewed(
  name: string,
  text: string,
  sha256: string,
  [min, max]: readonly [number, number],
  isReviewed: boolean,
): Reviewed {
  const findings = readFindings(name, text);
  if (!findings.reviewed && !isReviewed) {
    throw new Failure('usage', `${name} is not reviewed`, {
      hint: `Look at its regions (pdftool redact review --html), remove what should stay visible, add what is missing; then set "reviewed": true in it, or give --reviewed.`,
    });
  }
  if (findings.sourceSha256.toLowerCase() !== sha256) {
    const message = `${name} was made for another file: its SHA-256 is ${findings.sourceSha256}, the file's is ${sha256}`;
    throw new Failure('refused', message, { hint: 'Inspect this file again: pdftool redact inspect FILE' });
  }
  const { length } = findings.regions;
  if (length >= min && length <= max) return { sourceSha256: sha256, regions: findings.regions };
  const message = `${name}: expected ${min} to ${max} regions, found ${length}`;
  throw new Failure(length < min ? 'usage' : 'too_large', message, { kind: 'limit' });
}

function findingsIn(record: Values): Reviewed | undefined {
  for (const holder of [
    record,
    objectOf(record.result),
    objectOf(record.output),
    objectOf(record.inspection),
    objectOf(record.job),
  ]) {
    const sourceSha256 = holder === undefined ? undefined : firstText(holder, SHA_NAMES);
    if (sourceSha256 !== undefined && SHA256.test(sourceSha256) && Array.isArray(holder?.regions)) {
      return { sourceSha256, regions: holder.regions };
    }
  }
  return undefined;
}

/** Bytes of a regions file; 2,000 regions take a fraction of this. */
const LONGEST = 16 * 1024 * 1024;

export async function textFrom(source: RandomAccess, signal: AbortSignal): Promise<string> {
  if (source.size > LONGEST)
    throw new Failure('too_large', `${source.name}: expected at most ${LONGEST} bytes, found ${source.size}`);
  return decodeText(await bytesOfSource(source, signal), source.name);
}
