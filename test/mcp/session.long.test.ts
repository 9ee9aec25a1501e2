import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { ERAS, fixture, Session } from './client.ts';

/** Tools of SERVICE.md, typed by hand. */
const NAMES =
  `account pdf_info merge_pdfs split_pdf rotate_pdf compress_pdf compress_pdf_to_target compress_pdf_to_100kb
  compress_pdf_to_200kb compress_pdf_to_500kb compress_pdf_to_1mb pdf_to_images images_to_pdf extract_text pdf_to_json
  pdf_structured_markdown ocr_pdf estimate_speech_cost voice_preview pdf_to_speech pdf_to_audiobook generate_audiobook
  translate_and_speak presentation_narration job_status get_speech_job download_audio first_run_checklist workflow_submit
  workflow_status workflow_download`.split(/\s+/);

describe.each(ERAS)('a session of a %s client', (era) => {
  it('sees every tool of the service, each with what a client asks of it', async () => {
    await using session = await Session.open({ era });
    const { tools } = await session.client.listTools();
    const names = tools.map(({ name }) => name.replace(/^pdftool_/, ''));
    expect(names.filter((name) => NAMES.includes(name)).sort()).toEqual([...NAMES].sort());
    expect(new Set(names).size).toBe(names.length);
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const compile = (schema: object | undefined) => ajv.compile(schema as AnySchemaObject);
    for (const { name, title, description, inputSchema, outputSchema, annotations } of tools) {
      expect(name).toMatch(/^pdftool_[a-z0-9_]{1,50}$/);
      expect(title, name).toMatch(/\S/);
      expect(description?.length, name).toBeGreaterThan(40);
      expect(description, name).toMatch(/costs nothing|Not available here|costs \d+ credit/);
      expect(() => compile(inputSchema), name).not.toThrow();
      expect(() => compile(outputSchema), name).not.toThrow();
      expect(
        Object.values(annotations ?? {}).filter((value) => typeof value === 'boolean'),
        name,
      ).toHaveLength(4);
    }
    // With the local engine nothing leaves the machine, and nothing is replaced.
    expect(tools.filter(({ annotations }) => annotations?.destructiveHint || annotations?.openWorldHint)).toEqual([]);
    const readOnly = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);
    expect(readOnly).toContain('pdftool_pdf_info');
    expect(readOnly).not.toContain('pdftool_merge_pdfs');
  });

  it('calls every local tool on real files, and reads results by their links', async () => {
    await using session = await Session.open({ era });
    session.bring('guide.pdf', 'outlines.pdf', 'lorem-ipsum.pdf');
    session.bringPng();
    const { tools } = await session.client.listTools();
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const compile = (schema: object | undefined) => ajv.compile(schema as AnySchemaObject);
    const calls: [string, Record<string, unknown>, pages?: number][] = [
      ['pdf_info', { path: 'guide.pdf' }],
      ['merge_pdfs', { paths: ['guide.pdf', 'outlines.pdf'] }, 116],
      ['rotate_pdf', { path: 'lorem-ipsum.pdf', angle: 90 }, 4],
      ['compress_pdf', { path: 'lorem-ipsum.pdf' }, 4],
      ['compress_pdf_to_target', { path: 'lorem-ipsum.pdf', target_bytes: 40_000 }, 4],
      ['compress_pdf_to_100kb', { path: 'lorem-ipsum.pdf' }, 4],
      ['compress_pdf_to_200kb', { path: 'lorem-ipsum.pdf' }, 4],
      ['compress_pdf_to_500kb', { path: 'lorem-ipsum.pdf' }, 4],
      ['compress_pdf_to_1mb', { path: 'lorem-ipsum.pdf' }, 4],
      ['images_to_pdf', { paths: ['dot.png'] }, 1],
      ['extract_text', { path: 'lorem-ipsum.pdf' }],
      ['pdf_to_json', { path: 'lorem-ipsum.pdf' }],
      ['pdf_structured_markdown', { path: 'lorem-ipsum.pdf' }],
      ['estimate_speech_cost', { path: 'lorem-ipsum.pdf', page_range: '1-2' }],
      ['first_run_checklist', {}],
    ];
    for (const [name, args, pages] of calls) {
      const { isError, text, record, links } = await session.call(name, args);
      expect(isError, `${name}: ${text}`).toBe(false);
      expect(record.ok, name).toBe(true);
      expect(JSON.parse(text), name).toEqual(record);
      const schema = tools.find((tool) => tool.name === `pdftool_${name}`)?.outputSchema;
      const validate = compile(schema);
      expect(validate(record), `${name}: ${JSON.stringify(validate.errors)}`).toBe(true);
      if (pages === undefined) continue;
      const [link] = links;
      const file = readFileSync(record.path);
      expect(record, name).toMatchObject({ bytes: file.length, sha256: sha256(file), pages, engine: 'local' });
      expect(link, name).toMatchObject({ mimeType: 'application/pdf', size: file.length });
      const { contents } = await session.client.readResource({ uri: link?.uri ?? '' });
      const [content] = contents as { blob: string }[];
      expect(Buffer.from(content?.blob ?? '', 'base64').equals(file), name).toBe(true);
      // Judged by another program: it opens, and has as many pages.
      if (hasQpdf)
        expect(execFileSync('qpdf', ['--show-npages', record.path]).toString().trim(), name).toBe(String(pages));
    }
    const { resources } = await session.client.listResources();
    expect(resources.length).toBe(calls.filter(([, , pages]) => pages !== undefined).length);
    await expect(session.client.readResource({ uri: `file://${session.here.at('guide.pdf')}` })).rejects.toThrow();
  });

  it('gets a folder of files, with a link to each', async () => {
    await using session = await Session.open({ era });
    session.bring('guide.pdf');
    const { record, links } = await session.call('split_pdf', { path: 'guide.pdf', ranges: '1-2,z' });
    expect(record).toMatchObject({ path: session.here.at('guide-pages'), pages: 3 });
    expect(record.files.map(({ path, pages }: { path: string; pages: number }) => [path, pages])).toEqual([
      [session.here.at('guide-pages/pages-001-002.pdf'), 2],
      [session.here.at('guide-pages/pages-086.pdf'), 1],
    ]);
    expect(links).toHaveLength(2);
    const zip = await session.call('split_pdf', { path: 'guide.pdf', ranges: '1-2,z', output: 'cut.zip' });
    expect(zip.record).toMatchObject({ path: session.here.at('cut.zip'), files: [{ media_type: 'application/zip' }] });
  });

  it('gets pictures of pages', async () => {
    await using session = await Session.open({ era });
    session.bring('lorem-ipsum.pdf');
    const { record, text, isError } = await session.call('pdf_to_images', {
      path: 'lorem-ipsum.pdf',
      pages: '1-2',
      dpi: 36,
    });
    expect(isError, text).toBe(false);
    expect(record.files).toHaveLength(2);
    expect(record.files[0].media_type).toBe('image/png');
    expect(readFileSync(record.files[0].path).subarray(1, 4).toString()).toBe('PNG');
    // One picture under the name of a picture is that file, several are a folder.
    const one = await session.call('pdf_to_images', {
      path: 'lorem-ipsum.pdf',
      pages: '1',
      dpi: 36,
      output: 'one.png',
    });
    expect(one.record.path).toBe(session.here.at('one.png'));
    const two = await session.call('pdf_to_images', {
      path: 'lorem-ipsum.pdf',
      pages: '1-2',
      dpi: 36,
      output: 'two.png',
    });
    expect(two.record.path).toBe(session.here.at('two'));
  });

  it('sees progress that only rises', async () => {
    await using session = await Session.open({ era });
    session.bring('guide.pdf');
    const steps: number[] = [];
    await session.call('extract_text', { path: 'guide.pdf' }, { onprogress: ({ progress }) => steps.push(progress) });
    expect(steps.length).toBeGreaterThan(1);
    expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b));
  });

  it('cancels work at once, and nothing of it stays', async () => {
    await using session = await Session.open({ era });
    session.bring('guide.pdf');
    const cancel = new AbortController();
    const began = Date.now();
    const call = session.call(
      'extract_text',
      { path: 'guide.pdf', output: 'all.txt' },
      {
        signal: cancel.signal,
        onprogress: ({ progress }) => progress > 0 && cancel.abort('no longer wanted'),
      },
    );
    await expect(call).rejects.toThrow(/no longer wanted|abort/i);
    // The server is free: it answers at once, and what was cancelled has left nothing.
    const { record } = await session.call('pdf_info', { path: 'guide.pdf' });
    expect(record.page_count).toBe(86);
    expect(Date.now() - began).toBeLessThan(20_000);
    expect(session.here.list()).toEqual(['guide.pdf']);
  });
});

describe('an answer', () => {
  it('that is too long goes to a file, with how it begins', async () => {
    await using session = await Session.open();
    session.bring('guide.pdf');
    const { record, links } = await session.call('extract_text', { path: 'guide.pdf' });
    expect(record).toMatchObject({ path: session.here.at('guide.txt'), page_count: 86, media_type: 'text/plain' });
    expect(record.preview).toMatch(/^PDFKit Guide/);
    const { contents } = await session.client.readResource({ uri: links[0]?.uri ?? '' });
    const [content] = contents as { text: string }[];
    expect(content?.text).toBe(readFileSync(record.path, 'utf8'));
    expect(content?.text).toContain('Version 0.18.0');
  });

  it('gets a free name where nobody has named the output, and replaces nothing', async () => {
    await using session = await Session.open();
    session.bring('lorem-ipsum.pdf');
    writeFileSync(session.here.at('lorem-ipsum-rotated.pdf'), 'mine');
    const { record } = await session.call('rotate_pdf', { path: 'lorem-ipsum.pdf', angle: 90 });
    expect(record.path).toBe(session.here.at('lorem-ipsum-rotated-2.pdf'));
    const named = await session.call('rotate_pdf', {
      path: 'lorem-ipsum.pdf',
      angle: 90,
      output: 'lorem-ipsum-rotated.pdf',
    });
    expect(named).toMatchObject({ isError: true, record: { error: { code: 'output_exists', charged: 'no' } } });
    const asked = await session.call('rotate_pdf', {
      path: 'lorem-ipsum.pdf',
      angle: 90,
      output: 'lorem-ipsum-rotated.pdf',
      overwrite: true,
    });
    expect(asked).toMatchObject({ isError: true, record: { error: { code: 'usage' } } });
    expect(readFileSync(session.here.at('lorem-ipsum-rotated.pdf'), 'utf8')).toBe('mine');
  });

  it('replaces a file where the server allows it and the call asks for it', async () => {
    await using session = await Session.open({ args: ['--allow-overwrite'] });
    session.bring('lorem-ipsum.pdf');
    const { tools } = await session.client.listTools();
    expect(tools.find(({ name }) => name === 'pdftool_rotate_pdf')?.annotations?.destructiveHint).toBe(true);
    const { record, isError } = await session.call('rotate_pdf', {
      path: 'lorem-ipsum.pdf',
      angle: 90,
      output: 'lorem-ipsum.pdf',
      overwrite: true,
    });
    expect(isError).toBe(false);
    expect(record).toMatchObject({ path: session.here.at('lorem-ipsum.pdf'), pages: 4 });
    expect(session.here.list()).toEqual(['lorem-ipsum.pdf']);
  });

  it.each([
    ['a missing argument', 'rotate_pdf', { path: 'lorem-ipsum.pdf' }, 'usage', /angle/],
    ['an argument that is not there', 'pdf_info', { path: 'lorem-ipsum.pdf', file: 'x' }, 'usage', /no argument file/],
    ['a wrong value', 'rotate_pdf', { path: 'lorem-ipsum.pdf', angle: 45 }, 'usage', /90, 180, 270/],
    ['a wrong range', 'split_pdf', { path: 'lorem-ipsum.pdf', ranges: '1-' + '9999' }, 'usage', /4 pages/],
    [
      'two that exclude each other',
      'split_pdf',
      { path: 'lorem-ipsum.pdf', ranges: '1', at_pages: '1' },
      'usage',
      /exclude/,
    ],
    ['a file that is not there', 'pdf_info', { path: 'missing.pdf' }, 'not_found', /no such file/],
    ['a file that is no PDF', 'pdf_info', { path: 'text.pdf' }, 'unprocessable', /text\.pdf/],
    ['a name that is no PDF', 'rotate_pdf', { path: 'lorem-ipsum.pdf', angle: 90, output: 'run.sh' }, 'usage', /\.pdf/],
    ['a hidden name', 'rotate_pdf', { path: 'lorem-ipsum.pdf', angle: 90, output: '.x.pdf' }, 'usage', /hidden/],
    ['a tool without an engine', 'account', {}, 'unavailable', /service/],
    [
      'a tool that is disabled',
      'translate_and_speak',
      { path: 'lorem-ipsum.pdf', target_language: 'hi' },
      'unavailable',
      /disabled/,
    ],
  ])('about %s says what was expected, and that nothing was charged', async (_, name, args, code, message) => {
    await using session = await Session.open();
    session.bring('lorem-ipsum.pdf');
    writeFileSync(session.here.at('text.pdf'), 'only text');
    const { isError, text, record } = await session.call(name, args);
    expect(isError).toBe(true);
    expect(record).toMatchObject({ ok: false, error: { code, charged: 'no' } });
    expect(record.error.message).toMatch(message);
    expect(text).toContain(record.error.message);
    expect(text).toContain('Nothing was charged.');
    // Nothing in it is for the command line.
    expect(record.error.hint ?? '').not.toMatch(/(^|\s)-(o|-force|-password)/);
  });

  it('to a tool that nobody knows is an error of the protocol', async () => {
    await using session = await Session.open();
    await expect(session.call('no_such_tool')).rejects.toThrow(/Unknown tool/);
  });

  it('opens an encrypted file with its password, which is not in the answer', async () => {
    if (!hasQpdf) return;
    await using session = await Session.open();
    execFileSync('qpdf', [
      '--encrypt',
      'sesame',
      'owner',
      '256',
      '--',
      fixture('lorem-ipsum.pdf'),
      session.here.at('locked.pdf'),
    ]);
    expect(await session.call('pdf_info', { path: 'locked.pdf' })).toMatchObject({
      record: { error: { code: 'password' } },
    });
    const { record, text } = await session.call('extract_text', { path: 'locked.pdf', file_password: 'sesame' });
    expect(record.page_count).toBe(4);
    expect(text).not.toContain('sesame');
    expect(session.told).not.toContain('sesame');
  });
});

describe('names', () => {
  it('begin with the prefix that is set', async () => {
    await using session = await Session.open({ args: ['--prefix', 'acme-'] });
    const { tools } = await session.client.listTools();
    expect(tools.every(({ name }) => name.startsWith('acme-'))).toBe(true);
  });
});

const hasQpdf = existsSync('/usr/bin/qpdf');

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
