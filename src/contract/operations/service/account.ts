import { JSON_TYPE } from '../../media.ts';
import { operation } from '../../operation.ts';
import { ASKED } from '../../shared-entries.ts';

export const account = operation({
  ...ASKED,
  name: 'account',
  group: 'service',
  summary: 'Show credits left and used',
  input: {},
  outputs: { record: { kind: 'record', mediaType: JSON_TYPE, record: 'account' } },
  failures: ['unauthenticated', 'forbidden'],
  tools: {
    account: {
      when: 'Use it before charged work, and to see whether a call with a lost answer was charged.',
    },
  },
  local: 'credits belong to the service; the local engine has none to count',
  described: true,
});

export const openapi = operation({
  ...ASKED,
  name: 'openapi',
  group: 'service',
  path: '/openapi.json',
  summary: 'Print the machine-readable description (OpenAPI 3.1)',
  input: {},
  outputs: { record: { kind: 'record', mediaType: JSON_TYPE, record: 'openapi', document: true } },
  failures: ['unauthenticated'],
  local: true,
});
