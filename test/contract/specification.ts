// SERVICE.md as this project's people read it, typed by hand: every endpoint with its fields, limits and answers. It
// must not import a row, a limit or a schema: it is what those are judged by.

const PDF = ['application/pdf'];
const IMAGES = ['image/png', 'image/jpeg'];
const TARGET_BYTES = { type: 'integer', min: 1 } as const;

/** One field as SERVICE.md shows it. What it does not show is left out; `required` stands only where it is. */
export interface SpecField {
  readonly type: 'binary' | 'integer' | 'number' | 'text' | 'flag' | 'object' | 'page numbers' | 'page ranges';
  readonly required?: true;
  readonly values?: readonly (string | number)[];
  readonly default?: string | number;
  readonly min?: number;
  readonly max?: number;
  readonly maxLength?: number;
  /** Values seen in use where no list is shown. */
  readonly seen?: readonly string[];
  readonly accepts?: readonly string[];
  /** [least, most] parts of this name; no upper bound where the second is left out. */
  readonly repeated?: readonly [number, number?];
}

export interface SpecEndpoint {
  readonly aliases?: readonly string[];
  readonly cost: 0 | 1 | string;
  readonly body: string;
  readonly fields?: Readonly<Record<string, SpecField>>;
  readonly headers?: readonly string[];
  /** Bytes, pages and counts of the table "Limits". */
  readonly limits?: object;
  readonly outputs: Readonly<Record<string, string>>;
  readonly outputBy?: string;
  /** All codes, where SERVICE.md declares them. */
  readonly codes?: readonly number[];
  readonly success: 200 | 202;
  /** The row of DESIGN.md's table "Who may be sent twice". */
  readonly replay: 'GET' | 'free POST' | 'charged POST' | 'workflow';
  readonly openapi?: true;
}

const MEASURED_CODES = [200, 400, 401, 402, 413];

/** Account, metadata, text, pages, images and the description itself. */
export const AT_ONCE: Readonly<Record<string, SpecEndpoint>> = {
  'GET /api/v1/account': {
    cost: 0,
    body: 'none',
    outputs: { record: 'application/json' },
    codes: [200, 401, 403],
    success: 200,
    replay: 'GET',
    openapi: true,
  },
  'POST /api/v1/pdf-info': {
    cost: 0,
    body: 'multipart',
    fields: { file: { type: 'binary', required: true, accepts: PDF } },
    outputs: { record: 'application/json' },
    codes: [200, 400, 401, 413],
    success: 200,
    replay: 'free POST',
    openapi: true,
  },
  'POST /api/v1/extract-text': {
    cost: 1,
    body: 'multipart',
    fields: { file: { type: 'binary', required: true, accepts: PDF } },
    limits: { inputBytes: 12_582_912 },
    outputs: { record: 'application/json' },
    codes: [200, 400, 401, 402, 413],
    success: 200,
    replay: 'charged POST',
    openapi: true,
  },
  'POST /api/v1/pdf-to-json': {
    cost: 1,
    body: 'multipart',
    fields: { file: { type: 'binary', required: true, accepts: PDF } },
    outputs: { record: 'application/json' },
    codes: [200, 400, 401, 402, 413],
    success: 200,
    replay: 'charged POST',
    openapi: true,
  },
  'POST /api/v1/pdf-structured-markdown': {
    cost: 1,
    body: 'multipart',
    fields: {
      file: { type: 'binary', required: true, accepts: PDF },
      mode: { type: 'text', values: ['developer', 'academic', 'rag'], default: 'developer' },
      output_format: { type: 'text', values: ['json', 'markdown', 'jsonl', 'source-pack'], default: 'json' },
    },
    limits: {
      inputBytes: 12_582_912,
      when: [
        {
          field: 'output_format',
          value: 'source-pack',
          inputBytes: 12_582_912,
          pages: 100,
          derivativeBytes: 8_388_608,
          requires: { mode: 'rag' },
        },
      ],
    },
    outputs: {
      json: 'application/json',
      markdown: 'text/markdown',
      jsonl: 'application/x-ndjson',
      'source-pack': 'application/zip',
    },
    outputBy: 'output_format',
    codes: [200, 400, 401, 402, 413, 422],
    success: 200,
    replay: 'charged POST',
    openapi: true,
  },
  'POST /api/v1/merge': {
    cost: 1,
    body: 'multipart',
    fields: { file: { type: 'binary', required: true, accepts: PDF, repeated: [2] } },
    limits: { inputBytes: 20_971_520, outputBytes: 16_777_216 },
    outputs: { pdf: 'application/pdf' },
    success: 200,
    replay: 'charged POST',
  },
  'POST /api/v1/split': {
    cost: 1,
    body: 'multipart',
    fields: {
      file: { type: 'binary', required: true, accepts: PDF },
      at_pages: { type: 'page numbers' },
      ranges: { type: 'page ranges' },
    },
    limits: { pages: 150, segments: 25, outputBytes: 50_331_648 },
    outputs: { pages: 'application/zip' },
    success: 200,
    replay: 'charged POST',
  },
  'POST /api/v1/rotate': {
    cost: 1,
    body: 'multipart',
    fields: {
      file: { type: 'binary', required: true, accepts: PDF },
      angle: { type: 'integer', required: true, values: [90, 180, 270, -90, -180, -270] },
    },
    outputs: { pdf: 'application/pdf' },
    success: 200,
    replay: 'charged POST',
  },
  'POST /api/v1/compress': {
    cost: 1,
    body: 'multipart',
    fields: { file: { type: 'binary', required: true, accepts: PDF }, target_bytes: TARGET_BYTES },
    outputs: { pdf: 'application/pdf, measured' },
    codes: MEASURED_CODES,
    success: 200,
    replay: 'charged POST',
    openapi: true,
  },
  'POST /api/v1/merge-compress': {
    cost: 1,
    body: 'multipart',
    fields: {
      file: { type: 'binary', required: true, accepts: PDF, repeated: [2, 20] },
      target_bytes: TARGET_BYTES,
    },
    outputs: { pdf: 'application/pdf, measured' },
    codes: MEASURED_CODES,
    success: 200,
    replay: 'charged POST',
    openapi: true,
  },
  'POST /api/v1/images-to-pdf': {
    cost: 1,
    body: 'multipart',
    fields: { file: { type: 'binary', required: true, accepts: IMAGES, repeated: [1, 25] } },
    limits: { inputBytes: 31_457_280 },
    outputs: { pdf: 'application/pdf' },
    success: 200,
    replay: 'charged POST',
  },
  'POST /api/v1/images-to-pdf-compress': {
    cost: 1,
    body: 'multipart',
    fields: {
      file: { type: 'binary', required: true, accepts: IMAGES, repeated: [1, 25] },
      target_bytes: TARGET_BYTES,
    },
    outputs: { pdf: 'application/pdf, measured' },
    codes: MEASURED_CODES,
    success: 200,
    replay: 'charged POST',
    openapi: true,
  },
  'GET /openapi.json': {
    cost: 0,
    body: 'none',
    outputs: { record: 'application/json' },
    success: 200,
    replay: 'GET',
  },
};
