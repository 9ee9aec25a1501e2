// The description: a valid OpenAPI 3.1 document of the eight operations, what is added marked, the same with and without a server.

import SwaggerParser from '@apidevtools/swagger-parser';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { OPERATIONS, SERVICE_OPERATIONS } from '../../src/contract/operations/all.ts';
import { describeApi } from '../../src/derive/openapi.ts';
import { folder, pdftool } from '../e2e/pdftool.ts';

type Tree = Record<string, Record<string, Record<string, unknown>>>;
const document = describeApi(OPERATIONS);
const paths = document.paths as Tree;

/** SERVICE.md: "It covers". */
const COVERED = [
  'account',
  'pdf-info',
  'extract-text',
  'pdf-structured-markdown',
  'pdf-to-json',
  'compress',
  'merge-compress',
  'images-to-pdf-compress',
];

describe('openapi.json', () => {
  it('is valid, by a validator from outside', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('is valid for two more, which resolve references and lint', async () => {
    await SwaggerParser.validate(structuredClone(document) as never);
    const config = await createConfig({ extends: ['recommended'] });
    const source = JSON.stringify(document);
    const problems = await lintFromString({ source, config, absoluteRef: 'openapi.json' });
    expect(problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`)).toEqual(
      [],
    );
    const broken = source.replace('"x-pdftool-extension":true', '"extension":true');
    expect(await lintFromString({ source: broken, config, absoluteRef: 'openapi.json' })).not.toEqual([]);
  });

  it('is refused by that validator when a required member is missing: the check can fail', async () => {
    const { info: _, ...broken } = structuredClone(document);
    expect((await new Validator().validate(broken)).valid).toBe(false);
  });

  it('declares OpenAPI 3.1.0 and document version 1.0.0', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } });
  });

  it('tells that a comparison is a record, or the page that was asked for', () => {
    const answers = (path: string) => paths[path]?.post?.responses as Record<string, { content: object }>;
    expect(Object.keys(answers('/api/v1/compare-pdfs')[200]?.content ?? {})).toEqual(['application/json', 'text/html']);
    // The words that ocr writes beside its PDF are no answer.
    expect(Object.keys(answers('/api/v1/ocr-pdf')[200]?.content ?? {})).toEqual(['application/pdf']);
  });

  it('marks every operation beyond the eight of SERVICE.md as an addition, and none of them', () => {
    const unmarked = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap((operation) => (operation['x-pdftool-extension'] === true ? [] : [path])),
    );
    expect(unmarked.toSorted()).toEqual(COVERED.map((name) => `/api/v1/${name}`).toSorted());
  });

  it('marks fields that the service does not have', () => {
    const schema = (path: string) => {
      const body = paths[path]?.post?.requestBody as { content: Record<string, { schema: { properties: Tree } }> };
      return body.content['multipart/form-data']?.schema.properties;
    };
    expect(schema('/api/v1/compress')?.lossless).toHaveProperty('x-pdftool-extension', true);
    expect(schema('/api/v1/compress')?.target_bytes).not.toHaveProperty('x-pdftool-extension');
    const records = (document.components as { schemas: Record<string, { properties: Tree; required: string[] }> })
      .schemas;
    expect(records['pdf-info']?.properties.details).toHaveProperty('x-pdftool-extension', true);
    expect(records['pdf-info']?.required).toEqual(['ok', 'page_count', 'credits_remaining']);
  });

  it('has the codes of SERVICE.md for each operation', () => {
    const codes = (path: string, method: string) => {
      const responses = paths[path]?.[method]?.responses as Record<string, { $ref?: string }>;
      return Object.keys(responses).filter((key) => key !== 'default' && !isOurs(responses[key]?.$ref));
    };
    const shared = (document.components as { responses: Record<string, object> }).responses;
    const isOurs = (ref = '') => 'x-pdftool-extension' in (shared[ref.split('/').at(-1) ?? ''] ?? {});
    expect(codes('/api/v1/account', 'get')).toEqual(['200', '401', '403']);
    expect(codes('/api/v1/pdf-info', 'post')).toEqual(['200', '400', '401', '413']);
    expect(codes('/api/v1/pdf-structured-markdown', 'post')).toEqual(['200', '400', '401', '402', '413', '422']);
    expect(codes('/api/v1/compress', 'post')).toEqual(['200', '400', '401', '402', '413']);
    expect(codes('/api/v1/pdf-to-speech', 'post')).toContain('202');
  });

  it('names what else may come: 429 with Retry-After, 501 where there is no engine, 503', () => {
    const answers = (path: string, method = 'post') => Object.keys(paths[path]?.[method]?.responses as object);
    expect(answers('/api/v1/merge')).toEqual(expect.arrayContaining(['429', '503']));
    expect(answers('/api/v1/merge')).not.toContain('501');
    expect(answers('/api/v1/translate-and-speak')).toContain('501');
    expect(answers('/api/v1/workflow-jobs')).toEqual(expect.arrayContaining(['429', '501', '503']));
    expect(JSON.stringify(document)).toContain('"Retry-After"');
  });

  it('tells credit headers where they are sent, and nowhere else', () => {
    const told = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap((operation) => {
        const responses = operation.responses as Record<string, { headers?: object }>;
        return 'X-Credits-Used' in (responses['200']?.headers ?? {}) ? [path] : [];
      }),
    );
    const working = [...COVERED.slice(1), 'merge', 'split', 'rotate', 'images-to-pdf', 'voice-preview'];
    // Rows that SERVICE.md does not have come and go; those it has are named here.
    const extensions = SERVICE_OPERATIONS.filter(({ extension }) => extension === true).map(
      ({ path }) => path as string,
    );
    const specified = told.filter((path) => !extensions.includes(path));
    expect(specified.toSorted()).toEqual(working.map((name) => `/api/v1/${name}`).toSorted());
  });

  it('has one path for a job and its upload, whose id each method explains', () => {
    const { get, post } = paths['/api/v1/workflow-jobs/{id}'] ?? {};
    expect(get?.parameters).toEqual([expect.objectContaining({ name: 'id', in: 'path', description: 'Job id' })]);
    expect(post?.parameters).toEqual([expect.objectContaining({ name: 'id', in: 'path', description: 'Upload id' })]);
    expect(Object.keys(paths).filter((path) => path.startsWith('/api/v1/workflow-jobs/'))).toHaveLength(1);
  });

  it('is what openapi --local prints, without a server', async () => {
    using here = folder();
    const run = await pdftool(['openapi', '--local'], { cwd: here.path });
    expect(run.exitCode).toBe(0);
    expect(JSON.parse(run.stdout)).toEqual(JSON.parse(JSON.stringify(document)));
  });
});
