// Owns how the commands of this folder show what they found: one record, as JSON or as lines. Knows none of them.
import { printableText } from '../../runtime/printable.ts';
import { showRecord } from '../show.ts';
import type { OwnCall } from './table.ts';

const LINES = { kind: 'record', mediaType: 'application/json', record: 'none' } as const;

/** Prints a record; keys without a value are left out. */
export function tell({ streams, flags }: OwnCall, record: Readonly<Record<string, unknown>>): void {
  const present = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
  const text = flags.json
    ? `${JSON.stringify(present)}\n`
    : showRecord(present, LINES, streams.outIsTerminal ? streams.columns() : undefined);
  streams.out(streams.outIsTerminal ? printableText(text) : text);
}
