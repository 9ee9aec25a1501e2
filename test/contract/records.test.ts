// The records of SERVICE.md by example: what the schemas must accept, must refuse, and must leave alone.
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { RECORDS } from '../../src/contract/records.ts';

type Value = Readonly<Record<string, unknown>>;

interface Cases {
  /** A record with every field SERVICE.md shows. */
  readonly whole: Value;
  /** Keys that may be left out. */
  readonly optional: readonly string[];
  /** Keys that may be null as well. */
  readonly nullable?: readonly string[];
  /** Changes of the whole record that are no such record. */
  readonly wrong: readonly Value[];
}

const CHUNK = { chunk_id: 'c-0001', text: 'words', page_number: 1, page_anchor: 'page-1' };
const JSON_PAGE = { page_number: 1, text: 'words', char_count: 5 };
const INFO_TEXTS = ['title', 'author', 'subject', 'keywords', 'producer', 'creator'];

const CASES: Readonly<Record<keyof typeof RECORDS, Cases>> = {
  metadata: {
    whole: { ok: true, title: 'T', author: null, custom: { Company: 'C' }, xmp: true, differ: { title: null } },
    optional: ['title', 'author', 'custom', 'differ'],
    nullable: ['title', 'author'],
    wrong: [{ ok: false }, { title: 7 }, { xmp: 'yes' }, { custom: { Company: 1 } }, { differ: { title: 7 } }],
  },
  bookmarks: {
    whole: { ok: true, bookmarks: [{ level: 1, title: 'T', page: 2 }], text: 'T\t2\n' },
    optional: [],
    nullable: [],
    wrong: [
      { ok: false },
      { bookmarks: 'T' },
      { bookmarks: [{ level: 0, title: 'T' }] },
      { bookmarks: [{ level: 1 }] },
      { bookmarks: [{ level: 1, title: 'T', page: 0 }] },
      { text: null },
    ],
  },
  labels: {
    whole: { ok: true, labels: [{ page: 1, style: 'roman', prefix: null, start: 1 }], text: '1:r\n' },
    optional: [],
    nullable: [],
    wrong: [
      { ok: false },
      { labels: '1:r' },
      { labels: [{ page: 0, start: 1 }] },
      { labels: [{ page: 1 }] },
      { text: null },
    ],
  },
  attachments: {
    whole: { ok: true, attachments: [{ name: 'a.csv', bytes: 3 }], table: 'name\na.csv' },
    optional: [],
    nullable: [],
    wrong: [{ ok: false }, { attachments: ['a.csv'] }, { attachments: [{ name: 'a', bytes: -1 }] }, { table: 7 }],
  },
  account: {
    whole: {
      ok: true,
      credits_remaining: 17.5,
      credits_lifetime_used: 3,
      free_tier_resets_at: '2026-08-01T00:00:00.000Z',
      api_key: { id: 'key_1', label: null },
    },
    optional: ['free_tier_resets_at'],
    nullable: ['free_tier_resets_at'],
    wrong: [
      { ok: false },
      { credits_remaining: '17' },
      { credits_lifetime_used: null },
      { free_tier_resets_at: 'tomorrow' },
      { api_key: 'key_1' },
      { api_key: { label: 'laptop' } },
      { api_key: { id: 'key_1', label: 7 } },
    ],
  },
  'pdf-info': {
    whole: {
      ok: true,
      page_count: 3,
      title: 'T',
      author: 'A',
      subject: 'S',
      keywords: 'k',
      producer: 'P',
      creator: 'C',
      credits_remaining: 20,
    },
    // SERVICE.md requires credits_remaining; the schema does not, because the local engine has no credits to tell.
    optional: [...INFO_TEXTS, 'credits_remaining'],
    nullable: INFO_TEXTS,
    wrong: [{ ok: false }, { page_count: 0 }, { page_count: 1.5 }, { page_count: '3' }, { title: 7 }],
  },
  text: {
    whole: { ok: true, text: '', page_count: 1 },
    optional: [],
    wrong: [{ ok: false }, { text: null }, { page_count: 0 }],
  },
  'structured-markdown': {
    whole: {
      ok: true,
      markdown: '# T',
      page_count: 1,
      mode: 'rag',
      pages: [{ anything: 1 }],
      chunks: [CHUNK],
      capabilities: { tables: false },
      warnings: ['w'],
    },
    optional: [],
    wrong: [
      { mode: 'fast' },
      { markdown: null },
      { page_count: 0 },
      { pages: {} },
      { pages: ['1'] },
      { chunks: [{ ...CHUNK, chunk_id: 1 }] },
      { chunks: [{ ...CHUNK, page_number: 0 }] },
      { chunks: [{ chunk_id: 'c', text: 't', page_number: 1 }] },
      { capabilities: 'all' },
      { warnings: 'w' },
      { warnings: [1] },
    ],
  },
  'pdf-json': {
    whole: {
      ok: true,
      page_count: 1,
      metadata: { Title: 'T' },
      pages: [JSON_PAGE],
      text: 'words',
      extraction_mode: 'pdfjs_text_layer',
      note: 'n',
    },
    optional: ['note'],
    wrong: [
      { metadata: 'T' },
      { pages: [{ ...JSON_PAGE, char_count: -1 }] },
      { pages: [{ ...JSON_PAGE, page_number: 0 }] },
      { pages: [{ page_number: 1, text: 'words' }] },
      { text: null },
      { extraction_mode: 'ocr' },
      { note: 1 },
    ],
  },
  error: {
    whole: { ok: false, error: 'no credits left', _meta: { request_id: 'r1' } },
    optional: ['_meta'],
    wrong: [{ ok: true }, { error: { code: 'x' } }, { error: null }, { _meta: 'r1' }],
  },
  'speech-job-created': {
    whole: { job_id: 'j1', status_url: '/api/v1/jobs/j1' },
    optional: [],
    wrong: [{ job_id: 1 }, { status_url: null }],
  },
  'job-status': {
    whole: { status: 'failed', result_url: 'https://host/x', error_code: 'e', error_message: 'm' },
    optional: ['result_url', 'error_code', 'error_message'],
    nullable: ['result_url', 'error_code', 'error_message'],
    wrong: [{ status: 2 }, { result_url: 1 }],
  },
  'workflow-job': {
    whole: { jobId: 'w1', upload: { session_uri: 'https://host/u' } },
    optional: ['jobId', 'upload'],
    wrong: [],
  },
  'redaction-regions': {
    whole: {
      reviewed: false,
      sourceSha256: '0'.repeat(64),
      page_count: 1,
      regions: [{ page: 1, x: 0.1, y: 0.2, w: 0.3, h: 0.4, kind: 'text', id: 'r1' }],
      counts: { layers: 0 },
      pages_without_text: [],
      pages_to_picture: [1],
    },
    optional: [],
    wrong: [{ reviewed: 'no' }, { regions: [{ page: 0 }] }, { counts: { layers: -1 } }, { pages_without_text: [0] }],
  },
  'redaction-findings': {
    whole: {
      ok: true,
      page_count: 1,
      readable: true,
      passed: false,
      leaks: [{ page: 1, what: 'text in a region', count: 1 }],
      notes: [{ what: 'scripts', count: 1 }],
    },
    optional: [],
    wrong: [
      { ok: false },
      { readable: 1 },
      { passed: 1 },
      { leaks: [{ count: 1 }] },
      { notes: [{ what: 'scripts', count: -1 }] },
    ],
  },
  pictures: {
    whole: { ok: true, pictures: [{ page: 1, number: 1, width: 4, height: 3 }], table: 'page' },
    optional: [],
    wrong: [{ pictures: [{ page: 0, number: 1, width: 4, height: 3 }] }, { table: 4 }],
  },
  tables: {
    whole: {
      ok: true,
      page_count: 2,
      tables: [
        {
          page: 1,
          number: 1,
          box: [72, 80, 200, 120],
          rows: 1,
          columns: 1,
          cells: [
            { row: 1, column: 1, rowspan: 1, colspan: 1, text: '12.50', value: 12.5, box: [72, 80, 90, 92] },
            { row: 2, column: 1, rowspan: 1, colspan: 1, text: '' },
          ],
        },
      ],
      warnings: [],
    },
    optional: [],
    wrong: [{ tables: [{ page: 0 }] }, { tables: 'none' }, { page_count: 0 }, { warnings: [1] }],
  },
  signatures: {
    whole: {
      ok: true,
      valid: false,
      signatures: [
        {
          field: 'Signature1',
          kind: 'signature',
          verdict: 'changed',
          reasons: ['after signing: page 1 (/Contents)'],
          signer: 'Alice',
          signing_time: '2026-11-23T12:00:00.000Z',
          revision: 1,
          covers_whole_file: false,
        },
      ],
      summary: 'signature Signature1 by Alice: changed after signing',
    },
    optional: [],
    wrong: [
      { valid: 'yes' },
      { signatures: [{ field: 'A', kind: 'seal', verdict: 'valid', reasons: [] }] },
      { signatures: [{ field: 'A', kind: 'signature', verdict: 'good', reasons: [] }] },
    ],
  },
  conformance: {
    whole: {
      ok: true,
      conforms: null,
      checked: [
        {
          standard: 'PDF/A-2b',
          judge: 'pdftool',
          conforms: null,
          rules_looked_at: 60,
          rules: 144,
          findings: [{ rule: '6.2.11.4.1', what: 'the font Arial is not embedded', page: 1, object: 7 }],
        },
      ],
      lines: 'a.pdf: PDF/A-2b: nothing found (60 of 144 rules looked at)',
    },
    optional: [],
    nullable: ['conforms'],
    wrong: [{ conforms: 'yes' }, { checked: [{ standard: 'PDF/A-2b' }] }, { lines: 7 }],
  },
  invoice: {
    whole: {
      ok: true,
      file: 'factur-x.xml',
      bytes: 7,
      root: 'CrossIndustryInvoice',
      profile: 'urn:cen.eu:en16931:2017',
      level: 'en16931',
      declared: 'EN 16931',
      text: 'file: factur-x.xml',
    },
    optional: ['profile', 'level', 'declared'],
    wrong: [{ file: 7 }, { bytes: -1 }, { level: 1 }],
  },
  comparison: {
    whole: {
      ok: true,
      same: false,
      pages: [1, 2],
      differences: [{ page: 1, what: 'pixels 1 %', pixels: 3, share: 0.01, removed: ['a'], added: [] }],
      summary: 'a.pdf and b.pdf: 1 page differs',
    },
    optional: [],
    wrong: [
      { same: 'yes' },
      { pages: ['one', 'two'] },
      { differences: [{ page: 0, what: '', removed: [], added: [] }] },
    ],
  },
  'form-fields': {
    whole: {
      ok: true,
      fields: [{ name: 'Name', type: 'text', value: 'Ada' }],
      values: { Name: 'Ada' },
      table: 'Name  text  Ada',
    },
    optional: [],
    wrong: [{ fields: [{ name: 'Name', type: 'word', value: 'Ada' }] }, { values: 'Ada' }, { table: 4 }],
  },
  openapi: { whole: { openapi: '3.1.0', info: { version: '1.0.0' } }, optional: ['info'], wrong: [{ openapi: 3.1 }] },
};

describe.each(Object.entries(CASES))('record %s', (name, { whole, optional, nullable = [], wrong }) => {
  const schema = RECORDS[name as keyof typeof RECORDS]; // the keys of CASES are those of RECORDS
  const takes = (value: unknown) => v.safeParse(schema, value).success;

  it('takes what SERVICE.md shows and keeps what it does not', () => {
    const more = { ...whole, unheard_of: { deep: [1] } };
    const { success, output } = v.safeParse(schema, more);
    expect(success).toBe(true);
    expect(output).toEqual(more);
    for (const other of [null, 'text', 1, true]) expect(takes(other)).toBe(false);
  });

  it('misses required keys, and only those', () => {
    for (const key of Object.keys(whole)) {
      const { [key]: _, ...rest } = whole;
      expect([key, takes(rest)]).toEqual([key, optional.includes(key)]);
    }
  });

  it('takes null where SERVICE.md allows it, and only there', () => {
    for (const key of name === 'workflow-job' ? [] : Object.keys(whole).filter((each) => each !== 'info')) {
      expect([key, takes({ ...whole, [key]: null })]).toEqual([key, nullable.includes(key)]);
    }
  });

  it.each(wrong.map((change) => [JSON.stringify(change), change] as const))('refuses %s', (_, change) => {
    expect(takes({ ...whole, ...change })).toBe(false);
  });
});

it('keeps unknown keys inside of records too', () => {
  const { output } = v.safeParse(RECORDS.account, {
    ...CASES.account.whole,
    api_key: { id: 'k', label: 'l', scopes: ['all'] },
  });
  expect(output).toHaveProperty(['api_key', 'scopes'], ['all']);
});
