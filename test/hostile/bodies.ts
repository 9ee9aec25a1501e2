// Hostile bodies of requests: multipart forms and JSON that are malformed, endless, deep or of another type than they say.
export interface Body {
  readonly path: string;
  readonly type: string;
  readonly body: string | Buffer;
}

const FORM = 'multipart/form-data; boundary=XX';
const JSON_TYPE = 'application/json';
const part = (head: string, value = '%PDF-1.4') => `--XX\r\n${head}\r\n\r\n${value}\r\n`;
const file = (name: string, value?: string) =>
  part(`Content-Disposition: form-data; name="file"; filename="${name}"`, value);
const field = (name: string, value: string) => part(`Content-Disposition: form-data; name="${name}"`, value);
const END = '--XX--\r\n';
const nested = (open: string, close: string, levels: number) => `${open.repeat(levels)}1${close.repeat(levels)}`;

const FORMS: Readonly<Record<string, string>> = {
  'no parts': END,
  nothing: '',
  'no end': file('a.pdf'),
  'another boundary': file('a.pdf').replaceAll('XX', 'YY'),
  'a boundary in the file': file('a.pdf', '--XX--\r\n--XX\r\n') + END,
  'line ends without returns': (file('a.pdf') + END).replaceAll('\r\n', '\n'),
  '10,000 files': file('a.pdf').repeat(10_000) + END,
  '10,000 fields': field('a', 'b').repeat(10_000) + END,
  'one field 20 times': file('a.pdf') + field('angle', '90').repeat(20) + END,
  'a field of a megabyte': field('angle', '9'.repeat(1_000_000)) + END,
  'a name of a megabyte': field('n'.repeat(1_000_000), '1') + END,
  'a file name of a megabyte': file('n'.repeat(1_000_000)) + END,
  'headers of a megabyte': part(`X: ${'y'.repeat(1_000_000)}`) + END,
  '100,000 headers': part('X: y\r\n'.repeat(100_000)) + END,
  'a part without a name': part('Content-Type: text/plain') + END,
  'a file as text': field('file', '%PDF-1.4') + END,
  'text as a file': file('a.pdf') + part('Content-Disposition: form-data; name="angle"; filename="b"', '90') + END,
  'names of members of objects':
    file('a.pdf') + ['__proto__', 'constructor', 'toString'].map((name) => field(name, '{}')).join('') + END,
  'a path as the name': file('../../../../tmp/evil.pdf') + END,
  'NUL in the name': file('a\u0000b.pdf') + END,
  'ESC and line ends in the name': file('a\u001b[31m\\n.pdf') + END,
  'bytes that are no UTF-8': file('\ufffd\ud800.pdf') + field('angle', '\ud800') + END,
  'another encoding': part('Content-Disposition: form-data; name="file"; filename*=utf-16\'\'%00', 'x') + END,
  'a transfer encoding':
    part('Content-Disposition: form-data; name="file"; filename="a"\r\nContent-Transfer-Encoding: base64', 'JVBERi0=') +
    END,
  'ranges 5,000 deep': file('a.pdf') + field('ranges', nested('[', ']', 5_000)) + END,
  'pages of 100,000': file('a.pdf') + field('pages', '1,'.repeat(100_000)) + END,
};

const speak = (value: unknown) => JSON.stringify({ text: value, voice: 'x', language: 'en' });
const job = (more: object) =>
  JSON.stringify({ workflow: 'redaction', inputBytes: 9, maxCredits: 1, options: {}, ...more });
const apply = (region: object) =>
  job({
    options: {
      mode: 'apply',
      reviewed: true,
      sourceSha256: '0'.repeat(64),
      regions: [{ page: 1, x: 0, y: 0, w: 1, h: 1, ...region }],
    },
  });

const JSONS: Readonly<Record<string, string>> = {
  nothing: '',
  'a word': 'hello',
  null: 'null',
  'a list': '[]',
  'half of an object': '{"a":',
  'objects 1,200 deep': nested('{"a":', '}', 1_200),
  'objects 8,000 deep': nested('{"a":', '}', 8_000),
  'lists 100,000 deep': nested('[', ']', 100_000),
  'lists that never end': '['.repeat(100_000),
  'a megabyte of spaces': ' '.repeat(1_000_000),
  '5 megabytes': JSON.stringify({ a: 'x'.repeat(5_000_000) }),
  '100,000 members': JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`k${i}`, i]))),
  'one member twice': '{"workflow":"compress","workflow":"folder","inputBytes":1,"maxCredits":1}',
  'members of all objects': '{"__proto__":{"a":1},"constructor":{"prototype":{"a":1}}}',
  'a number of 100,000 digits': `{"inputBytes":${'9'.repeat(100_000)}}`,
  'a number of 1e999': job({}).replace('"inputBytes":9', '"inputBytes":1e999'),
  'a number below 0': job({ inputBytes: -1 }),
  'a half': job({ inputBytes: 0.5 }),
  'NUL in a word': speak('a\u0000b'),
  'half of a character': '{"text":"\\ud800","voice":"x"}',
  'a workflow of 100,000 letters': job({ workflow: 'w'.repeat(100_000) }),
  'a workflow of all objects': job({ workflow: '__proto__' }),
  'a term that is half of a character': job({ options: { mode: 'inspect', find: ['x\ud800'] } }),
  'an expression without an end': job({ options: { mode: 'inspect', regex: ['(a+)+$'.repeat(100)] } }),
  '201 terms': job({ options: { mode: 'inspect', find: Array(201).fill('a') } }),
  'a region 1,200 deep': apply({ more: JSON.parse(nested('[', ']', 1_200)) as unknown }),
  'a region with a member too many': apply({ more: 1 }),
  'a region of no page': apply({ page: 0 }),
  'a region of text': apply({ x: '0' }),
  '2,001 regions': job({
    options: {
      mode: 'apply',
      reviewed: true,
      sourceSha256: '0'.repeat(64),
      regions: Array(2_001).fill({ page: 1, x: 0, y: 0, w: 1, h: 1 }),
    },
  }),
};
const MESSAGES: Readonly<Record<string, string>> = {
  'a call of nothing': '{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
  'a call 8,000 deep': `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${nested('{"a":', '}', 8_000)}}`,
  'a tool of 60,000 letters': JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 't'.repeat(60_000) },
  }),
  '50 messages': JSON.stringify(Array(50).fill({ jsonrpc: '2.0', id: 1, method: 'tools/list' })),
  'a stream that stays open': '{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{}}',
};

export const BODIES: Readonly<Record<string, Body>> = {
  ...named('form of', FORMS, (body) => ({ path: '/api/v1/rotate', type: FORM, body })),
  ...named('paid job with', JSONS, (body) => ({ path: '/api/v1/workflow-jobs', type: JSON_TYPE, body })),
  ...named('words with', JSONS, (body) => ({ path: '/api/v1/voice-preview', type: JSON_TYPE, body })),
  ...named('message with', { ...JSONS, ...MESSAGES }, (body) => ({ path: '/mcp', type: JSON_TYPE, body })),
  'JSON as a form': { path: '/api/v1/rotate', type: JSON_TYPE, body: '{"angle":90}' },
  'a boundary of 10,000': {
    path: '/api/v1/rotate',
    type: `multipart/form-data; boundary=${'b'.repeat(9_000)}`,
    body: 'x',
  },
  'a boundary without letters': { path: '/api/v1/rotate', type: 'multipart/form-data; boundary=', body: 'x' },
  'a type of nothing': { path: '/api/v1/rotate', type: '', body: 'x' },
};

function named(
  what: string,
  texts: Readonly<Record<string, string>>,
  body: (text: string) => Body,
): Record<string, Body> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${what} ${name}`, body(text)]));
}
