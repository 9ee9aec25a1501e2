// Two rows that no release has: new-row.test.ts adds them to a copy of the program, the way a new operation is added.
import { file, flag, required, secret } from '../../../src/contract/field.ts';
import { JSON_TYPE, PDF, PNG, ZIP } from '../../../src/contract/media.ts';
import { localOperation, operation } from '../../../src/contract/operation.ts';

const input = {
  file: file('The PDF', { types: [PDF] }),
  seal_word: required(secret('Word to seal it with', { environment: 'PDFTOOL_SEAL_WORD' })),
  second_word: secret('Another word, which may be left out', { environment: 'PDFTOOL_SECOND_WORD' }),
  loud: flag('Say it loud'),
};
const outputs = {
  parts: { kind: 'parts', mediaType: ZIP, partTypes: [PNG, JSON_TYPE], stem: { suffix: '-sealed' } },
} as const;

/** Runs on this machine alone. */
export const seal = localOperation({
  name: 'seal',
  group: 'edit',
  summary: 'Seal a PDF with a word',
  work: 'copy',
  input,
  outputs,
});

/** An extension of `pdftool serve`. */
export const sealThere = operation({
  name: 'seal-there',
  group: 'pictures',
  method: 'POST',
  path: '/api/v1/seal-there',
  summary: 'Seal a PDF with a word, here or on a server',
  work: 'copy',
  cost: { credits: 2 },
  body: 'multipart',
  input,
  outputs,
  success: 200,
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large', 'unprocessable'],
  replay: 'never',
  local: true,
  extension: true,
});
