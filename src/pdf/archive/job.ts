import type { Source } from '../file/read/source.ts';
import type { Ref } from '../syntax/values.ts';
import type { ObjectChanges } from './changes.ts';
import type { InvoiceClaim } from './invoice.ts';

export interface ArchiveTarget {
  /** Of ISO 19005. */
  readonly part: 2 | 3;
  readonly level: 'B' | 'U';
}

/** What comes with the program and goes into documents. */
export interface BundledParts {
  /** A colour profile for DeviceCMYK. */
  readonly cmykProfile: Uint8Array;
  /** A font program, such as LiberationSans-Bold.ttf. */
  readonly fontFile: (name: string) => Promise<Uint8Array>;
}

/** A rule that a document breaks. */
export interface BrokenRule {
  /** Of ISO 19005-2. */
  readonly clause: string;
  readonly what: string;
  readonly object: number | undefined;
  readonly page: number | undefined;
}

/** What all steps of the conversion share. */
export interface Conversion extends BundledParts {
  readonly source: Source;
  readonly changes: ObjectChanges;
  readonly target: ArchiveTarget;
  /** The invoice that the document holds from now on. */
  readonly invoice?: InvoiceClaim | undefined;
  /** Nothing is to be written: what would only be tidied is left alone. */
  readonly isCheck: boolean;
  /** Fonts without a metric twin get the nearest one. */
  readonly substitute: boolean;
  /** The colours of the output intent: RGB, CMYK or GRAY. */
  intent: string;
  /** Arrays [/ICCBased …] in the place of colour spaces of devices that the intent does not cover, by their names. */
  readonly profiles: Map<string, Ref>;
  /** Devices whose colours content sets by operators, without a default in its resources, with the first page. */
  readonly devices: Map<string, number>;
  /** What was taken out or replaced, in words, and how often. */
  readonly told: Map<string, number>;
  /** The rules that the document breaks, whether that was put right or not. */
  readonly findings: Map<string, BrokenRule>;
  /** Resources or pages say what colours of devices mean, so that the document's output intent is not asked. */
  hasDefaults: boolean;
  /** The object that is being looked at, and the page that led to it, from 1. */
  at: number | undefined;
  page: number | undefined;
  /** Why the document cannot be converted. */
  readonly refused: Set<string>;
}

/** Notes that a rule is broken, where it is, and returns whether it is. */
export function broken({ findings, at: object, page }: Conversion, clause: string, what: string, is = true): boolean {
  if (is) findings.set(`${clause} ${what} ${object} ${page}`, { clause, what, object, page });
  return is;
}

/** Notes that a rule is broken in a way that cannot be put right. */
export function refuse(job: Conversion, clause: string, why: string): void {
  job.refused.add(why);
  broken(job, clause, why);
}

export function reportChange({ told }: Conversion, what: string): void {
  told.set(what, (told.get(what) ?? 0) + 1);
}
