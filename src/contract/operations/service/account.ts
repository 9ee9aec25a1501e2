import { JSON_TYPE } from '../../media.ts';
import { operation } from '../../operation.ts';

export const account = operation({
  name: 'account',
  group: 'service',
  method: 'GET',
  summary: 'Show credits left and used',
  work: 'none',
  cost: { credits: 0 },
  body: 'none',
  input: {},
  outputs: { record: { kind: 'record', mediaType: JSON_TYPE, record: 'account' } },
  success: 200,
  failures: ['unauthenticated', 'forbidden'],
  replay: 'safe',
  tools: {
    account: {
      when: 'Use it before charged work, and to see whether a call with a lost answer was charged.',
    },
  },
  local: 'credits belong to the service; the local engine has none to count',
  described: true,
});

export const openapi = operation({
  name: 'openapi',
  group: 'service',
  method: 'GET',
  path: '/openapi.json',
  summary: 'Print the machine-readable description (OpenAPI 3.1)',
  work: 'none',
  cost: { credits: 0 },
  body: 'none',
  input: {},
  outputs: { record: { kind: 'record', mediaType: JSON_TYPE, record: 'openapi', document: true } },
  success: 200,
  failures: ['unauthenticated'],
  replay: 'safe',
  local: true,
});
