import type { Source } from '../file/read/source.ts';
import type { Ref } from '../syntax/values.ts';
import type { ObjectChanges } from './changes.ts';
import type { InvoiceClaim } from './invoice.ts';

export interface ArchiveTarget {
  readonly part: 2 | 3;
  readonly level: 'B' | 'U';
}

/** Bundled files for documents. */
export interface BundledParts {
  /** A colour profile for DeviceCMYK. */
  readonly cmykProfile: Uint8Array;
  /** A font program, such as LiberationSans-Bold.ttf. */
  readonly fontFile: (name: string) => Promise<Uint8Array>;
}

export interface BrokenRule {
  /** Of ISO 19005-2. */
  readonly clause: string;
  readonly what: string;
  readonly object: number | undefined;
  readonly page: number | undefined;
}

/** The state that all steps of the conversion share. */
export interface Conversion extends BundledParts {
  readonly source: Source;
  readonly changes: ObjectChanges;
  readonly target: ArchiveTarget;
  /** The invoice that the document will hold. */
  readonly invoice?: InvoiceClaim | undefined;
  /** Only check: leave alone what would merely be tidied. */
  readonly isCheck: boolean;
  /** Replace fonts without a metric twin by the nearest one. */
  readonly substitute: boolean;
  /** The colours of the output intent: RGB, CMYK or GRAY. */
  intent: string;
  /** Arrays [/ICCBased …] that replace device spaces outside the intent, by name. */
  readonly profiles: Map<string, Ref>;
  /** Devices whose colours operators set without a default in the resources, with the first page. */
  readonly devices: Map<string, number>;
  /** What was removed or replaced, in words, and how often. */
  readonly told: Map<string, number>;
  readonly findings: Map<string, BrokenRule>;
  /** Resources or pages define device colours, so that the document's output intent does not apply to them. */
  hasDefaults: boolean;
  /** The current object, and the page that led to it, from 1. */
  at: number | undefined;
  page: number | undefined;
  readonly refused: Set<string>;
}

/** Records that a rule is broken, and where; returns whether it is. */
export function broken({ findings, at: object, page }: Conversion, clause: string, what: string, is = true): boolean {
  if (is) findings.set(`${clause} ${what} ${object} ${page}`, { clause, what, object, page });
  return is;
}

/** Records that a rule is broken beyond repair. */
export function refuse(job: Conversion, clause: string, why: string): void {
  job.refused.add(why);
  broken(job, clause, why);
}

export function reportChange({ told }: Conversion, what: string): void {
  told.set(what, (told.get(what) ?? 0) + 1);
}
