// Endpoints of pdftool serve that are not in SERVICE.md.
import { EXTENSION } from './json-schema.ts';

const error = { $ref: '#/components/responses/error' };
const refused = { 400: error, default: error };
const anyJson = { description: 'Done', content: { 'application/json': { schema: { type: 'object' } } } };

const signed = [
  { name: 'expires', in: 'query', required: true, schema: { type: 'integer' } },
  { name: 'signature', in: 'query', required: true, schema: { type: 'string' } },
];

function named(name: string) {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}

function open(operationId: string, summary: string, responses: object = { 200: anyJson, ...refused }) {
  return { get: { operationId, summary, security: [], responses, ...EXTENSION } };
}

const bytes = { schema: { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' } };

const results = {
  'application/pdf': bytes,
  'application/zip': bytes,
  'audio/mpeg': bytes,
  'audio/mp4': bytes,
  'video/mp4': bytes,
};

export const OWN_PATHS = {
  '/api/v1/capabilities': open('capabilities', 'What this server can do, at what cost and within which limits'),
  '/livez': open('livez', 'Whether the process is alive'),
  '/readyz': open('readyz', 'Whether work can be done now'),
  '/health': open('health', 'The same'),
  '/version': open('version', 'The version of the server'),
  '/metrics': open('metrics', 'Prometheus text', {
    200: { description: 'Done', content: { 'text/plain': { schema: { type: 'string' } } } },
    ...refused,
  }),
  '/mcp': {
    post: {
      operationId: 'mcp',
      summary:
        'Tools for agents (Model Context Protocol, Streamable HTTP): read-only, without a session and without a key',
      security: [],
      requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
      responses: {
        200: {
          description: 'The answer; older revisions of the protocol have it as a stream of one event',
          content: {
            'application/json': { schema: { type: 'object' } },
            'text/event-stream': { schema: { type: 'string' } },
          },
        },
        202: { description: 'Taken; a notification has no answer' },
        ...{ 403: error, 413: error, 429: error, ...refused },
      },
      ...EXTENSION,
    },
  },
  '/uploads/{uploadId}': {
    put: {
      operationId: 'upload',
      summary: 'Take the declared bytes of a workflow job (session_uri); resumable by Content-Range, without a key',
      security: [],
      parameters: [
        named('uploadId'),
        ...signed,
        {
          name: 'Content-Range',
          in: 'header',
          schema: { type: 'string' },
          description: '`bytes */N` asks how much is there',
        },
      ],
      requestBody: { content: { 'application/octet-stream': bytes } },
      responses: {
        200: anyJson,
        308: {
          description: 'More is to come; Range says what is there',
          headers: { Range: { schema: { type: 'string' } } },
        },
        ...refused,
      },
      ...EXTENSION,
    },
  },
  '/results/{jobId}': {
    get: {
      operationId: 'result',
      summary: 'Fetch the output of a job (result_url), with Range, without a key',
      security: [],
      parameters: [named('jobId'), ...signed],
      responses: {
        200: { description: 'Done', content: results },
        206: { description: 'A part', content: results },
        ...refused,
      },
      ...EXTENSION,
    },
  },
} as const;
