// Bold and italic words and footnotes, judged by the reference parser of CommonMark.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HtmlRenderer, Parser } from 'commonmark';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Span } from '../../src/pdf/text/lines/spans.ts';
import { emphasised } from '../../src/pdf/text/output/emphasis.ts';
import { extractText, markdown } from '../local.ts';
import { context, draw, type Pen, sourceOf } from './drawing.ts';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../fixtures', name));

async function markdownOf(bytes: Uint8Array, mode: 'developer' | 'rag' = 'developer'): Promise<string> {
  const result = await markdown({ file: sourceOf(bytes), mode }, context());
  if (result.kind !== 'record' || !('record' in result)) throw new Error('expected a record');
  return String(result.record.markdown);
}

const html = (text: string) => new HtmlRenderer().render(new Parser().parse(text));

function withoutTags(text: string): string {
  return text
    .replace(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

describe('bold and italic words', () => {
  it('of a manual are what its fonts say', async () => {
    const text = html(await markdownOf(fixture('guide.pdf')));
    expect(text).toContain(
      'Passing a page options object to the <strong>PDFDocument</strong> constructor will set the default paper size',
    );
    expect(text).toContain('<strong>align</strong> - horizontally align the image');
    expect(text.match(/<strong>/g)?.length).toBeGreaterThan(300);
    expect(text).not.toMatch(/<h\d>[^\n]*<(strong|em)>/);
    // A mark that is no mark would stand in the text.
    expect(withoutTags(text).match(/\*\*/g)).toBeNull();
  });

  it('are not in text for retrieval or in plain text', async () => {
    const bytes = fixture('guide.pdf');
    expect(await markdownOf(bytes, 'rag')).toContain('options object to the PDFDocument constructor');
    const { record } = await extractText({ file: sourceOf(bytes) }, context());
    expect(record.text).not.toContain('**PDFDocument');
  });

  it('go on over the ends of lines, and nest', async () => {
    const text = await markdownOf(
      await draw((pen) => {
        pen.row(72, 80, ['A paragraph of some text whose words in bold '], ['go on over the end', 'bold']);
        pen.row(72, 93, ['of a line,', 'bold'], [' and whose others are '], ['set in italics', 'italic'], [' here.']);
      }),
    );
    expect(html(text)).toBe(
      '<p>A paragraph of some text whose words in bold <strong>go on over the end of a line,</strong> and whose others are <em>set in italics</em> here.</p>\n',
    );
  });

  it('leave single letters, which are variables, labels that stand alone and asterisks of the text', async () => {
    const page = await draw((pen) => {
      pen.row(72, 80, ['Where '], ['n', 'italic'], [' is the number of *cases* that a '], ['study', 'bold'], [' has']);
      pen.text('56%', 300, 200, { font: 'bold' });
    });
    const text = await markdownOf(page);
    expect(html(text)).toContain('<p>Where n is the number of *cases* that a <strong>study</strong> has</p>');
    expect(text).toContain('\n56%\n');
  });

  it('are marked so that the text is the same, whatever it is', () => {
    const text = fc.string({
      unit: fc.constantFrom(...[...'ab c d.,:("*强调é —“”'], '𝑥', '¹'),
      minLength: 1,
      maxLength: 24,
    });
    const span = fc.record({
      from: fc.nat(23),
      length: fc.integer({ min: 1, max: 12 }),
      bold: fc.boolean(),
      italic: fc.boolean(),
    });
    fc.assert(
      fc.property(text, fc.array(span, { maxLength: 5 }), (given, list) => {
        const line = `x ${given.replace(/\s+/g, ' ').trim()} x`;
        let at = 0;
        const spans: Span[] = [];
        for (const { from, length, bold, italic } of list.sort((a, b) => a.from - b.from)) {
          const start = Math.max(at, from);
          at = Math.min(line.length, start + length);
          if (start < at) spans.push({ from: start, to: at, bold, italic, raised: false });
        }
        const marked = emphasised({ lines: [line], spans: [spans] }, new Set(), ['bold', 'italic']);
        expect(withoutTags(html(marked))).toBe(`${line}\n`);
      }),
      { numRuns: 20_000 },
    );
  });
});

describe('footnotes', () => {
  it('of a journal in three columns are tied to their marks', async () => {
    const bytes = fixture('documents/federal-register--2020-17221-p2-3.pdf');
    const text = await markdownOf(bytes);
    const notes = [...text.matchAll(/^\[\^(\w+)\]: /gm)].map(([, label]) => label);
    expect(notes).toEqual(
      ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12', '13', '14', '15'].filter((label) =>
        notes.includes(label),
      ),
    );
    expect(notes.length).toBeGreaterThanOrEqual(14);
    for (const label of notes) expect(text.match(new RegExp(`\\[\\^${label}\\](?!:)`, 'g'))).toHaveLength(1);
    expect(text).toContain('flight control laws [^10] associated with MCAS');
    expect(text).toMatch(/^\[\^10\]: A flight control law generates commands/m);
    expect(await markdownOf(bytes, 'rag')).not.toContain('[^');
  });

  it('are unique where each page counts anew, and left where one end is missing', async () => {
    const page = (name: string, sign: string) => (pen: Pen) => {
      const mark = (text: string) => [text, 'regular', 6, 4] as const;
      pen.row(72, 80, [`The first page of ${name} has a sentence with a note`], mark(sign), [' that ends in its']);
      pen.row(72, 93, ['second line and has a mark'], mark('7'), [' of a note that is nowhere on the page.']);
      pen.row(72, 750, [sign, 'regular', 5, 3], [` A note on ${name}`, 'regular', 7]);
    };
    const text = await markdownOf(await draw(page('apples', '1'), page('pears', '1'), page('plums', '*')));
    expect([...text.matchAll(/^\[\^(.*)\]: A note on (\w+)/gm)].map(([, label, name]) => [label, name])).toEqual([
      ['1', 'apples'],
      ['p2-1', 'pears'],
      ['p3-1', 'plums'],
    ]);
    expect(text.match(/note ?\[\^(1|p2-1|p3-1)\] that/g)).toHaveLength(3);
    expect(text).not.toContain('[^7]');
  });
});
