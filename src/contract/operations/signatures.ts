import { file, optionalFile } from '../field.ts';
import { OWN_LIMITS } from '../limits.ts';
import { JSON_TYPE, PDF, PEM } from '../media.ts';
import { operation } from '../operation.ts';
import { PAID } from './edited.ts';

export const verify = operation({
  ...PAID,
  extension: true,
  name: 'verify',
  group: 'edit',
  path: '/api/v1/verify-signatures',
  summary: 'Check the signatures and timestamps of a PDF',
  description:
    'Tells of each signature and timestamp who made it and when, which revision it covers, what was changed afterwards and whether its certificate leads to a trusted one. It asks nobody on the network. It ends with 0 where all are intact and trusted and with 3 where one is not, or where there is none',
  work: 'copy',
  input: {
    file: file('The signed PDF', { types: [PDF] }),
    trust: optionalFile('Certificates to trust besides those of the system, in PEM', { types: [PEM] }),
  },
  limits: { inputBytes: OWN_LIMITS.toImagesInput },
  outputs: { signatures: { kind: 'record', mediaType: JSON_TYPE, record: 'signatures', text: 'summary' } },
  verdict: { key: 'valid', exit: 'unmet' },
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large', 'unprocessable', 'password', 'unavailable'],
  tools: { verify_signatures: { when: 'Use it before relying on who signed a document.' } },
});
