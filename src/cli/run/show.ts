import type { Result, Values } from '../../contract/base/ports.ts';
import { present } from '../../contract/base/present.ts';
import type { Engine } from '../../contract/engine.ts';
import { JSON_TYPE } from '../../contract/media.ts';
import type { AnyOperation, Output } from '../../contract/operation.ts';
import type { WrittenFile } from '../../runtime/rows/place-result.ts';
import { printableLine } from '../../runtime/terminal/printable.ts';
import type { Streams } from '../../runtime/terminal/streams.ts';
import { count, formatDuration, formatSize } from '../../runtime/terminal/units.ts';
import { wrap } from '../../runtime/terminal/wrap.ts';
import type { OwnCall } from '../line/call.ts';
import type { RunPlan } from '../line/plan.ts';

export interface Done {
  readonly op: AnyOperation;
  readonly engine: Engine['name'];
  readonly result: Result;
  /** What was written; undefined when the result went to standard output. */
  readonly written: WrittenFile | undefined;
  readonly input?: string | undefined;
}

/** Prints a finished run on standard output: JSON, a path for each file, or the record. */
export function showDone(
  { plan, streams, batch }: { plan: RunPlan; streams: Streams; batch: boolean },
  done: Done,
  isPrinted: boolean,
): void {
  const { result, written } = done;
  const { output } = plan;
  const isRecord = result.kind === 'record' || result.kind === 'job';
  if (plan.flags.json) {
    streams.json(isRecord && written === undefined ? recordWithNotes(result.record, done) : outputRecord(done));
  } else if (written !== undefined) {
    streams.out(paths(written, streams.outIsTerminal));
  } else if (isRecord && isPrinted) {
    // The lines of several files follow each other; a document stays as it is.
    if (output.kind === 'record' && output.text === undefined && output.document === true) {
      streams.json(result.record, 2);
    } else {
      const shown = batch ? { file: done.input, ...result.record } : result.record;
      streams.out(showRecord(shown, output, streams.outIsTerminal ? streams.columns() : undefined));
    }
  }
}

export function tell({ streams, flags }: OwnCall, record: Values): void {
  const output = { kind: 'record', mediaType: JSON_TYPE, record: 'none' } as const;
  if (flags.json) streams.json(present(record));
  else streams.out(showRecord(present(record), output, streams.outIsTerminal ? streams.columns() : undefined));
}

/** A record as the text of a file: its own text where it has one, else JSON. */
export function fileText(record: Values, output: Output): string {
  const hasText = output.kind === 'record' && output.text !== undefined;
  return hasText ? showRecord(record, output) : `${JSON.stringify(record, undefined, 2)}\n`;
}

/** A path for each output file; a person is shown the folder, not its five hundred files. */
function paths({ path, files, beside = [] }: WrittenFile, toPerson: boolean): string {
  const names = files === undefined ? [path, ...beside.map((file) => file.path)] : files.map((file) => file.path);
  if (!toPerson) return names.map((name) => `${name}\n`).join('');
  return (files === undefined ? names : [path]).map((name) => `${printableLine(name)}\n`).join('');
}

/** The JSON of a run (CLI.md, section 3), without empty keys. */
function outputRecord({ op, engine, result, written, input }: Done): Record<string, unknown> {
  const output = written === undefined ? undefined : fileRecord(written);
  const measurement = result.kind === 'bytes' ? result.measurement : undefined;
  const details = result.kind === 'bytes' ? result.details : undefined;
  const { credits } = result;
  const warnings = result.warnings?.length ? result.warnings : undefined;
  return present({ ok: true, operation: op.name, engine, input, output, ...details, credits, measurement, warnings });
}

/** A record with the warnings of the engine, where it has none of its own. */
function recordWithNotes(record: Values, done: Done): Record<string, unknown> {
  const warnings = done.result.warnings?.length && record.warnings === undefined ? done.result.warnings : undefined;
  return present({ ...record, input: record.input ?? done.input, warnings: record.warnings ?? warnings });
}

function fileRecord({ path, bytes, sha256, pages, files, beside }: WrittenFile): Record<string, unknown> {
  return present({ path, bytes, sha256, pages, files: files?.map(fileRecord), beside: beside?.map(fileRecord) });
}

/** A record for a person: its text, or a line for each value, wrapped at `columns` if given. */
function showRecord(record: Values, output: Output, columns = Number.POSITIVE_INFINITY): string {
  if (output.kind === 'record' && output.text !== undefined) {
    const text = record[output.text];
    if (typeof text === 'string') return text.endsWith('\n') || text === '' ? text : `${text}\n`;
  }
  return lines(record, '', columns);
}

function lines(record: Values, indent: string, columns: number): string {
  // `ok` is in the exit code, and null carries no information.
  const shown = Object.entries(record).filter(([key, value]) => key !== 'ok' && value !== null && value !== undefined);
  const width = Math.max(0, ...shown.map(([key]) => label(key).length));
  return shown.map(([key, value]) => line(label(key).padEnd(width), value, indent, columns)).join('');
}

function line(name: string, value: unknown, indent: string, columns: number): string {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return `${indent}${name.trimEnd()}\n${lines(Object.fromEntries(Object.entries(value)), `${indent}  `, columns)}`;
  }
  const list = Array.isArray(value) && value.length === 0 ? ['none'] : value;
  const text = Array.isArray(list) ? list.map(scalar).join(', ') : scalar(list);
  const start = `${indent}${name}  `;
  const broken = wrap(text.replace(/\s*\n\s*/g, ' '), Math.max(20, columns - start.length));
  return `${start}${broken.join(`\n${' '.repeat(start.length)}`)}\n`;
}

function scalar(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Labels that do not follow from the key. */
const SPELLED: Readonly<Record<string, string>> = { javascript: 'JavaScript', xfa: 'XFA', xmp: 'XMP' };

/** `page_count` -> `Page count` */
function label(key: string): string {
  const words = SPELLED[key] ?? key.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `12 files, 24 pages, 1.2 MB, local engine, 0.3 s` */
export function summarize({ engine, result, written }: Done, milliseconds: number): string {
  const facts = [
    written?.files === undefined ? undefined : count(written.files.length, 'file'),
    written?.pages === undefined ? undefined : count(written.pages, 'page'),
    written === undefined ? undefined : size(written, result),
    `${engine} engine`,
    formatDuration(milliseconds),
    result.credits?.used === undefined ? undefined : `${count(result.credits.used, 'credit')} used`,
    result.credits?.remaining === undefined ? undefined : `${result.credits.remaining} left`,
  ];
  return facts.filter((fact) => fact !== undefined).join(', ');
}

function size(written: WrittenFile, result: Result): string {
  const measurement = result.kind === 'bytes' ? result.measurement : undefined;
  const bytes = formatSize(written.bytes);
  if (measurement === undefined) return bytes;
  const share = Math.round((measurement.output_bytes / measurement.original_bytes) * 100);
  const missed =
    measurement.target_reached === false ? `, above the target of ${formatSize(measurement.target_bytes ?? 0)}` : '';
  return `${bytes} (${share}% of ${formatSize(measurement.original_bytes)}${missed})`;
}
