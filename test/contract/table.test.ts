// The table of operations against SERVICE.md typed by hand, both ways.
import { describe, expect, it } from 'vitest';
import { FAILURES } from '../../src/contract/base/failure.ts';
import type { Field } from '../../src/contract/field.ts';
import type { Cost, Output, ServiceOperation } from '../../src/contract/operation.ts';
import { OPERATIONS, SERVICE_OPERATIONS } from '../../src/contract/operations/all.ts';
import { RECORDS } from '../../src/contract/records.ts';
import { AT_ONCE, type SpecField } from './specification.ts';
import { JOBS } from './specification-jobs.ts';

const SPEC = { ...AT_ONCE, ...JOBS };
/** What `pdftool serve` has beyond SERVICE.md is held apart. */
const SPECIFIED = SERVICE_OPERATIONS.filter((op) => op.extension !== true);
const rowOf = (endpoint: string): ServiceOperation => {
  const row = SPECIFIED.find(({ method, path }) => `${method} ${path}` === endpoint);
  if (row === undefined) throw new Error(`no row has ${endpoint}`);
  return row;
};

it('has a row for every endpoint of SERVICE.md, and no other', () => {
  const rows = SPECIFIED.map(({ method, path }) => `${method} ${path}`);
  expect(rows.toSorted()).toEqual(Object.keys(SPEC).toSorted());
});

it('gives every path, command and field name one meaning', () => {
  const paths = SERVICE_OPERATIONS.flatMap((op) => [op.path, ...op.pathAliases].map((path) => `${op.method} ${path}`));
  expect(new Set(paths).size).toBe(paths.length);
  const names = OPERATIONS.flatMap((op) => [op.name, ...op.aliases]);
  expect(new Set(names).size).toBe(names.length);
});

it('has its extensions below /api/v1, at addresses that SERVICE.md leaves free, and undescribed there', () => {
  const taken = Object.entries(SPEC).flatMap(([endpoint, { aliases = [] }]) => [
    endpoint.split(' ')[1],
    ...aliases.map(String),
  ]);
  for (const op of SERVICE_OPERATIONS.filter(({ extension }) => extension === true)) {
    expect(op.described).toBe(false);
    for (const path of [op.path, ...op.pathAliases]) {
      expect(path).toMatch(/^\/api\/v1\/[a-z-]+/);
      expect(taken).not.toContain(path);
    }
  }
});

describe.each(Object.entries(SPEC))('%s', (endpoint, spec) => {
  const row = rowOf(endpoint);

  it('has the aliases, body, fields and headers that SERVICE.md shows', () => {
    expect(row.pathAliases).toEqual(spec.aliases ?? []);
    expect(row.body).toBe(spec.body);
    const fields = Object.entries(row.input).filter(([, field]) => field.extension !== true);
    expect(Object.fromEntries(fields.map(([name, field]) => [name, shown(field)]))).toEqual(spec.fields ?? {});
    expect(Object.keys(row.headers ?? {})).toEqual(spec.headers ?? []);
  });

  it('has its path parameters among its fields', () => {
    const parameters = [...row.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
    if (row.body === 'none') expect(Object.keys(row.input)).toEqual(parameters);
    else expect(parameters).toEqual([]);
  });

  it('costs what SERVICE.md says', () => {
    const words = typeof spec.cost === 'string' && spec.cost.endsWith(', disabled');
    expect(priced(row.cost)).toBe(words ? String(spec.cost).replace(', disabled', '') : spec.cost);
    expect(row.disabled !== undefined).toBe(words);
  });

  it('has the limits of SERVICE.md, and no other', () => {
    expect(row.limits ?? {}).toEqual(spec.limits ?? {});
  });

  it('answers with the content types that SERVICE.md shows', () => {
    const outputs = Object.entries(row.outputs).map(([name, output]) => [name, answered(output)]);
    expect(Object.fromEntries(outputs)).toEqual(spec.outputs);
    expect(row.outputBy).toBe(spec.outputBy);
    expect(row.success).toBe(spec.success);
    for (const output of Object.values(row.outputs))
      if ('record' in output) expect(RECORDS).toHaveProperty(output.record);
  });

  it('declares the status codes of SERVICE.md', () => {
    const codes = [...new Set([row.success, ...row.failures.map((code) => FAILURES[code].status)])].toSorted(ascending);
    if (spec.codes !== undefined) expect(codes).toEqual(spec.codes);
    // Every endpoint needs a key; every charged one can run out of credits.
    expect(codes).toContain(401);
    if (spec.cost !== 0) expect(codes).toContain(402);
  });

  it('may be sent twice only as DESIGN.md says', () => {
    expect({ safe: 'GET', free: 'free POST', never: 'charged POST', keyed: 'workflow' }[row.replay]).toBe(spec.replay);
  });

  it('is in the machine-readable description exactly where SERVICE.md says', () => {
    expect(row.described).toBe(spec.openapi === true);
  });
});

it('covers in OpenAPI the eight operations that SERVICE.md lists', () => {
  const described = SERVICE_OPERATIONS.filter((op) => op.described).map((op) => op.path.replace('/api/v1/', ''));
  expect(described.toSorted()).toEqual([
    'account',
    'compress',
    'extract-text',
    'images-to-pdf-compress',
    'merge-compress',
    'pdf-info',
    'pdf-structured-markdown',
    'pdf-to-json',
  ]);
});

it('names the commands and aliases of CLI.md that SERVICE.md has an endpoint for', () => {
  const commands = SPECIFIED.filter((op) => op.surface === 'command').map((op) => [op.name, ...op.aliases].join(' '));
  expect(commands.toSorted()).toEqual([
    'account',
    'audiobook pdf-to-audiobook pdf-to-speech generate-audiobook',
    'compress',
    'extract-text text',
    'images-to-pdf',
    'images-to-pdf-compress',
    'info pdf-info',
    'markdown pdf-structured-markdown',
    'merge',
    'merge-compress',
    'narrate presentation-narration',
    'openapi',
    'rotate',
    'split',
    'to-json pdf-to-json',
    'translate-and-speak',
    'voice-preview',
  ]);
});

/** A field of a row in the words of the specification. */
function shown(field: Field): SpecField {
  return {
    type: typeOf(field),
    ...(field.required && { required: true as const }),
    ...(field.kind === 'file' && { accepts: field.types }),
    ...(field.kind === 'files' && {
      accepts: field.types,
      repeated: field.max === undefined ? ([field.min] as const) : ([field.min, field.max] as const),
    }),
    ...(field.kind === 'choice' && { values: field.values }),
    ...('default' in field && isWord(field.default) && { default: field.default }),
    ...('seen' in field && field.seen !== undefined && { seen: field.seen }),
    ...('maxLength' in field && field.maxLength !== undefined && { maxLength: field.maxLength }),
    ...('min' in field && field.kind !== 'files' && field.min !== undefined && { min: field.min }),
    ...('max' in field && field.kind !== 'files' && field.max !== undefined && { max: field.max }),
  };
}

function isWord(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function typeOf(field: Field): SpecField['type'] {
  switch (field.kind) {
    case 'file':
    case 'files':
      return 'binary';
    case 'choice':
      return typeof field.values[0] === 'number' ? 'integer' : 'text';
    case 'size':
      return 'integer';
    case 'secret':
      return 'text';
    case 'pages':
      return 'page numbers';
    case 'ranges':
      return 'page ranges';
    default:
      return field.kind;
  }
}

function priced(cost: Cost): number | string {
  if ('credits' in cost) return cost.credits;
  if ('reserves' in cost) return `reserves ${cost.reserves}`;
  const others = Object.entries(cost.creditsPerMinuteBy ?? {}).map(([format, credits]) => `, ${format} ${credits}`);
  return `${cost.creditsPerMinute} a minute${others.join('')}`;
}

function answered(output: Output): string {
  return output.kind === 'bytes' && output.measured === true ? `${output.mediaType}, measured` : output.mediaType;
}

function ascending(a: number, b: number): number {
  return a - b;
}
