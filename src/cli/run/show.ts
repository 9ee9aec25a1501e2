import type { Engine } from '../../contract/engine.ts';
import type { AnyOperation, Output } from '../../contract/operation.ts';
import type { Result } from '../../contract/ports.ts';
import { count, formatDuration, formatSize } from '../../runtime/terminal/units.ts';
import { wrap } from '../../runtime/terminal/wrap.ts';
import type { Delivered } from './deliver.ts';

export interface Done {
  readonly op: AnyOperation;
  readonly engine: Engine['name'];
  readonly result: Result;
  /** What was written; undefined when the result went to standard output. */
  readonly delivered: Delivered | undefined;
  /** The input's name, where an operation takes one file. */
  readonly input?: string | undefined;
}

/** The JSON of something that wrote files (CLI.md section 3); keys without a value are left out. */
export function outputRecord({ op, engine, result, delivered, input }: Done): Record<string, unknown> {
  const output = delivered === undefined ? undefined : fileRecord(delivered);
  const measurement = result.kind === 'bytes' ? result.measurement : undefined;
  const details = result.kind === 'bytes' ? result.details : undefined;
  const { credits } = result;
  const warnings = result.warnings?.length ? result.warnings : undefined;
  return present({ ok: true, operation: op.name, engine, input, output, ...details, credits, measurement, warnings });
}

/** A record as it is; what the engine has to say of it is added under a key the record does not use. */
export function recordWithNotes(record: Readonly<Record<string, unknown>>, done: Done): Record<string, unknown> {
  const warnings = done.result.warnings?.length && record.warnings === undefined ? done.result.warnings : undefined;
  return present({ ...record, input: record.input ?? done.input, warnings: record.warnings ?? warnings });
}

function fileRecord({ path, bytes, sha256, pages, files, beside }: Delivered): Record<string, unknown> {
  return present({ path, bytes, sha256, pages, files: files?.map(fileRecord), beside: beside?.map(fileRecord) });
}

function present(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

/** A record for a person: its text, JSON where it is a document, else a line per value, broken at `columns` where there are any. */
export function showRecord(
  record: Readonly<Record<string, unknown>>,
  output: Output,
  columns = Number.POSITIVE_INFINITY,
): string {
  if (output.kind === 'record' && output.text !== undefined) {
    const text = record[output.text];
    if (typeof text === 'string') return text.endsWith('\n') || text === '' ? text : `${text}\n`;
  }
  if (output.kind === 'record' && output.document === true) return `${JSON.stringify(record, undefined, 2)}\n`;
  return lines(record, '', columns);
}

function lines(record: Readonly<Record<string, unknown>>, indent: string, columns: number): string {
  // The exit code says what `ok` says; null has nothing to tell.
  const shown = Object.entries(record).filter(([key, value]) => key !== 'ok' && value !== null && value !== undefined);
  const width = Math.max(0, ...shown.map(([key]) => label(key).length));
  return shown.map(([key, value]) => line(label(key).padEnd(width), value, indent, columns)).join('');
}

function line(name: string, value: unknown, indent: string, columns: number): string {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return `${indent}${name.trimEnd()}\n${lines(Object.fromEntries(Object.entries(value)), `${indent}  `, columns)}`;
  }
  const list = Array.isArray(value) && value.length === 0 ? ['none'] : value;
  const text = Array.isArray(list) ? list.map((each) => scalar(each)).join(', ') : scalar(list);
  const start = `${indent}${name}  `;
  const broken = wrap(text.replace(/\s*\n\s*/g, ' '), Math.max(20, columns - start.length));
  return `${start}${broken.join(`\n${' '.repeat(start.length)}`)}\n`;
}

function scalar(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Words that are not written as keys are. */
const SPELLED: Readonly<Record<string, string>> = { javascript: 'JavaScript', xfa: 'XFA', xmp: 'XMP' };

/** `page_count` -> `Page count` */
function label(key: string): string {
  const words = SPELLED[key] ?? key.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `12 files, 24 pages, 1.2 MB, local engine, 0.3 s` */
export function summarize({ engine, result, delivered }: Done, milliseconds: number): string {
  const facts = [
    delivered?.files === undefined ? undefined : count(delivered.files.length, 'file'),
    delivered?.pages === undefined ? undefined : count(delivered.pages, 'page'),
    delivered === undefined ? undefined : size(delivered, result),
    `${engine} engine`,
    formatDuration(milliseconds),
    result.credits?.used === undefined ? undefined : `${count(result.credits.used, 'credit')} used`,
    result.credits?.remaining === undefined ? undefined : `${result.credits.remaining} left`,
  ];
  return facts.filter((fact) => fact !== undefined).join(', ');
}

function size(delivered: Delivered, result: Result): string {
  const measurement = result.kind === 'bytes' ? result.measurement : undefined;
  const bytes = formatSize(delivered.bytes);
  if (measurement === undefined) return bytes;
  const share = Math.round((measurement.output_bytes / measurement.original_bytes) * 100);
  const missed =
    measurement.target_reached === false ? `, above the target of ${formatSize(measurement.target_bytes ?? 0)}` : '';
  return `${bytes} (${share}% of ${formatSize(measurement.original_bytes)}${missed})`;
}
