import { printableText } from '../../runtime/terminal/printable.ts';
import { showRecord } from '../run/show.ts';
import type { OwnCall } from './call.ts';

const LINES = { kind: 'record', mediaType: 'application/json', record: 'none' } as const;

/** Prints a record, as JSON or as lines; keys without a value are left out. */
export function tell({ streams, flags }: OwnCall, record: Readonly<Record<string, unknown>>): void {
  const present = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
  const text = flags.json
    ? `${JSON.stringify(present)}\n`
    : showRecord(present, LINES, streams.outIsTerminal ? streams.columns() : undefined);
  streams.out(streams.outIsTerminal ? printableText(text) : text);
}
