import { flag } from './field.ts';
import { CREDITS, OWN_LIMITS } from './limits.ts';
import { JSON_TYPE, PDF } from './media.ts';

/** Entries shared by all rows that `pdftool serve` adds to the service's specification. */
export const OWN = { method: 'POST', body: 'multipart', success: 200, local: true, extension: true } as const;

/** Entries of a row that makes a new file for the standard price. */
export const PAID = {
  method: 'POST',
  cost: { credits: CREDITS.standard },
  body: 'multipart',
  success: 200,
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large', 'unprocessable'],
  replay: 'never',
  work: 'copy',
  local: true,
} as const;

/** Entries of a question to a service, which costs nothing. */
export const ASKED = {
  method: 'GET',
  work: 'none',
  cost: { credits: 0 },
  body: 'none',
  success: 200,
  replay: 'safe',
} as const;

/** For rows that add or change something. Rows that remove something lack it: an update would keep the removed data. */
const INCREMENTAL = 'Append the change to the file, if its signatures allow it; signed bytes stay unchanged';
export const incremental = flag(INCREMENTAL, { extension: true });

/** A row that makes one PDF from another for the standard price. `suffix`: of the output's name. */
export const made = (suffix: string) =>
  ({ ...PAID, outputs: { pdf: { kind: 'bytes', mediaType: PDF, stem: { suffix } } }, extension: true }) as const;

/** As `made`, with a limit on the input's bytes. */
export const edited = (suffix: string) => ({ ...made(suffix), limits: { inputBytes: OWN_LIMITS.editInput } }) as const;

/** A row that reads a PDF free of charge and answers with a record. `text`: the key of the record to show people. */
export const shown = (record: string, text?: string) =>
  ({
    ...OWN,
    cost: { credits: 0 },
    outputs: { record: { kind: 'record', mediaType: JSON_TYPE, record, ...(text === undefined ? {} : { text }) } },
    failures: ['usage', 'unauthenticated', 'too_large', 'unprocessable'],
    replay: 'free',
    work: 'copy',
  }) as const;
