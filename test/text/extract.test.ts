import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/contract/base/failure.ts';
import { OP } from '../../src/pdf/text/content/operators.ts';
import { extractText, toJson } from '../local.ts';
import { context, draw, sourceOf } from './drawing.ts';

const LEFT = [
  'Left one begins a column of',
  'prose that goes on for some',
  'lines and ends down here at',
  'the foot of its own column.',
];
const RIGHT = [
  'Right one is read after all',
  'of the left column has been',
  'read, although it stands at',
  'the same height as that.',
];

async function textOf(bytes: Uint8Array): Promise<string> {
  const { record } = await extractText({ file: sourceOf(bytes) }, context());
  return String(record.text);
}

describe('extract-text', () => {
  it('reads words as another reader does', async () => {
    const bytes = await draw((pen) =>
      pen.lines(['One line of words.', 'Another, with 12,345 and (brackets).'], 72, 72),
    );
    const folder = mkdtempSync(join(tmpdir(), 'pdftool-text-'));
    try {
      writeFileSync(join(folder, 'in.pdf'), bytes);
      const other = execFileSync('pdftotext', ['-enc', 'UTF-8', join(folder, 'in.pdf'), '-'], { encoding: 'utf8' });
      expect((await textOf(bytes)).split(/\s+/).filter(Boolean)).toEqual(other.split(/\s+/).filter(Boolean));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('reads columns one after the other', async () => {
    const text = await textOf(
      await draw((pen) => {
        pen.lines(LEFT, 72, 100);
        pen.lines(RIGHT, 320, 100);
      }),
    );
    expect(text).toBe(`${LEFT.join('\n')}\n\n${RIGHT.join('\n')}\n`);
  });

  it('leaves a line empty between paragraphs, and none between lines that are equally far apart', async () => {
    const bytes = await draw(
      (pen) => {
        pen.lines(['Second'], 72, pen.lines(['First', 'goes on', 'and ends'], 72, 72) + 12);
      },
      (pen) => {
        for (const [i, each] of ['one', 'two', 'three'].entries()) pen.text(each, 72, 72 + 40 * i);
      },
    );
    expect(await textOf(bytes)).toBe('First\ngoes on\nand ends\n\nSecond\n\none\ntwo\nthree\n');
  });

  it('keeps words that overlap themselves once', async () => {
    const text = await textOf(
      await draw((pen) => {
        pen.text('Doubled', 72, 72);
        pen.text('Doubled', 72.3, 72);
      }),
    );
    expect(text).toBe('Doubled\n');
  });

  it('reads a page that is drawn twice once, where words repeat too', async () => {
    const line = 'Data Storage and Data Engineering';
    const bytes = await draw((pen) => {
      for (const shift of [0, 0.4]) pen.lines([line, line], 72 + shift, 72);
    });
    expect((await textOf(bytes)).trim()).toBe(`${line}\n${line}`);
  });

  it('reads a number once that a shadow repeats without its point', async () => {
    const bytes = await draw((pen) => {
      for (const text of ['5', ' 914', '5,914']) pen.text(text, 72, 72);
    });
    expect((await textOf(bytes)).trim()).toBe('5,914');
  });

  it('refuses a document without text, unless empty text is allowed', async () => {
    const file = sourceOf(await draw((pen) => pen.rule(10, 10, 100, 10)));
    await expect(extractText({ file }, context())).rejects.toMatchObject({ code: 'unprocessable', kind: 'no-text' });
    const { record } = await extractText({ file, allow_empty: true }, context());
    expect(record).toEqual({ ok: true, text: '', page_count: 1 });
  });

  it.each([
    ['nothing at all', '', 'empty'],
    ['other bytes', 'PK\x03\x04 no document', 'not-pdf'],
    ['a header alone', '%PDF-1.7\nnothing else\n', 'damaged'],
  ])('refuses %s', async (_name, content, kind) => {
    const file = sourceOf(Buffer.from(content, 'latin1'));
    const failure = await extractText({ file }, context()).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({ code: 'unprocessable', kind });
  });

  it('stops between pages when it is told to', async () => {
    const stop = new AbortController();
    const file = sourceOf(
      await draw(
        ...Array.from(
          { length: 5 },
          () => (pen: { text(t: string, x: number, y: number): void }) => pen.text('Page', 72, 72),
        ),
      ),
    );
    const ctx = context(stop.signal);
    const seen: number[] = [];
    const watched = {
      ...ctx,
      progress({ done }: { done: number }) {
        seen.push(done);
        if (done === 2) stop.abort();
      },
    };
    await expect(extractText({ file }, watched)).rejects.toThrow(/abort/i);
    expect(Math.max(...seen)).toBe(2);
  });
});

describe('to-json', () => {
  it('gives every page with its length, and a note on pages without text', async () => {
    const bytes = await draw(
      (pen) => pen.text('First', 72, 72),
      () => undefined,
      (pen) => pen.text('Third', 72, 72),
    );
    const { record } = await toJson({ file: sourceOf(bytes) }, context());
    expect(record).toMatchObject({
      ok: true,
      page_count: 3,
      text: 'First\n\nThird',
      extraction_mode: 'pdfjs_text_layer',
      pages: [
        { page_number: 1, text: 'First', char_count: 5 },
        { page_number: 2, text: '', char_count: 0 },
        { page_number: 3, text: 'Third', char_count: 5 },
      ],
      note: 'No text layer on page 2. Run OCR first: the operation ocr, or the option ocr here.',
    });
  });
});

it('names operators by the numbers of the library', () => {
  const theirs: Record<string, number> = OPS;
  for (const [name, number] of Object.entries(OP)) expect(theirs[name], name).toBe(number);
});
