// Holds that valid PDF/A stays valid, as veraPDF judges, or loses its claim and says so.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ByteSource, BytesResult, Part } from '../../src/contract/base/ports.ts';
import { PDF } from '../../src/contract/media.ts';
import { take } from '../../src/local/pages/pages.ts';
import { openSource } from '../../src/pdf/file/open.ts';
import { claimsOf, claimText, decoded } from '../../src/pdf/file/read/claims.ts';
import { memorySource } from '../../src/pdf/file/read/memory-source.ts';
import { openSound } from '../../src/pdf/file/read/open-by-table.ts';
import { Pace } from '../../src/pdf/file/read/pace.ts';
import { Update } from '../../src/pdf/file/write/update.ts';
import { LayerWriter } from '../../src/pdf/text-layer/write-layers.ts';
import { folder } from '../e2e/pdftool.ts';
import {
  attachAdd,
  blank,
  compress,
  crop,
  encrypt,
  formFill,
  formFlatten,
  merge,
  metaClear,
  metaSet,
  number,
  nup,
  ocr,
  optimize,
  overlay,
  rotate,
  split,
  stamp,
} from '../local.ts';
import { bytesOf, createContext, sourceOf } from '../properties/context.ts';
import { judge, judgeClasses } from './judge.mjs';

const FOLDER = join(import.meta.dirname, '../fixtures/conformance');
const NAMES = ['pdfa-1b', 'pdfa-2b', 'pdfa-4', 'pdfua-1'] as const;
const FLAVOURS = { 'pdfa-1b': '1b', 'pdfa-2b': '2b', 'pdfa-4': '4', 'pdfua-1': 'ua1' };
const LETTERS = join(import.meta.dirname, '../../node_modules/pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf');

const open = (name: string): ByteSource => sourceOf(`${name}.pdf`, readFileSync(join(FOLDER, `${name}.pdf`)));
const font = (): ByteSource => sourceOf('letters.ttf', readFileSync(LETTERS));

/** Operations after which a document is still what it claims. */
const KEEP: Readonly<Record<string, (file: ByteSource) => Promise<BytesResult>>> = {
  rotate: (file) => rotate({ file, angle: 90 }, createContext()) as Promise<BytesResult>,
  crop: (file) => crop({ file, margin: 3 }, createContext()) as Promise<BytesResult>,
  compress: (file) => compress({ file, lossless: true }, createContext()) as Promise<BytesResult>,
  linearize: (file) => optimize({ file, linearize: true }, createContext()) as Promise<BytesResult>,
  meta: (file) => metaSet({ file, author: 'Somebody' }, createContext()) as Promise<BytesResult>,
  merge: (file) => merge({ file: [file, file] }, createContext()) as Promise<BytesResult>,
  split: async (file) => {
    const { parts } = await split({ file, every: 1 }, createContext());
    const [{ body }] = parts as [Part, ...Part[]]; // a document has a page
    return { kind: 'bytes', mediaType: PDF, body };
  },
  blank: (file) => blank({ file, first: true }, createContext()) as Promise<BytesResult>,
  Courier: (file) => number({ file, font: 'Courier-Bold' }, createContext()) as Promise<BytesResult>,
  Symbol: (file) => stamp({ file, text: '\u03b1', font: 'Symbol' }, createContext()) as Promise<BytesResult>,
  Times: (file) =>
    stamp({ file, text: '\u20ac \u2018fi\u2019', font: 'Times-Italic' }, createContext()) as Promise<BytesResult>,
};

const picture = (name: string): ByteSource => sourceOf(name, readFileSync(join(FOLDER, '../pictures', name)));

/** The same on one document. */
const ONCE: Readonly<Record<string, readonly [flavour: string, run: () => Promise<BytesResult>]>> = {
  'an opaque picture in part 1': [
    '1b',
    () =>
      stamp({ file: open('pdfa-1b'), image: picture('image-rs--cat.jpg') }, createContext()) as Promise<BytesResult>,
  ],
  'a faint stamp and an empty list of output intents': [
    '2b',
    () => stamp({ file: open('pdfa-2b-rights'), text: 'Draft', opacity: 0.3 }, createContext()) as Promise<BytesResult>,
  ],
  'a transparent picture and no output intent': [
    '4',
    () =>
      stamp(
        { file: withoutIntent(), image: picture('pdfbox--png_alpha_gray.png') },
        createContext(),
      ) as Promise<BytesResult>,
  ],
  'a faint text and no output intent': [
    '4',
    () => stamp({ file: withoutIntent(), text: 'x', opacity: 0.5 }, createContext()) as Promise<BytesResult>,
  ],
};

/** Tagged documents on which an operation leaves tags, whole and alone. */
const TAGGED: typeof ONCE = {
  'pages taken of a table with empty cells': [
    'ua1',
    () => take({ file: open('ua1-table'), pages: 'z-1' }, createContext()),
  ],
  'pages taken with links to tags': ['ua2', () => take({ file: open('ua2-links'), pages: 'z-1' }, createContext())],
  'a merge in part 2 of PDF-UA': [
    'ua2',
    () => merge({ file: [open('pdfua-2'), open('pdfua-2')] }, createContext()) as Promise<BytesResult>,
  ],
  'a page laid over another, with tags in its forms': [
    'ua1',
    () => overlay({ file: open('ua1-picture'), pdf: open('ua1-picture') }, createContext()) as Promise<BytesResult>,
  ],
  'words read from a picture': ['ua1', withWords],
};

/** What `ocr` appends, without its run of tesseract. */
async function withWords(): Promise<BytesResult> {
  const ctx = createContext();
  const source = await openSource(open('ua1-picture'), ctx);
  const draft = ctx.temp.create('read.pdf');
  const update = await Update.begin(source.file, draft, new Pace(ctx));
  const word = { text: 'PDF', x: 50, y: 100, width: 30, size: 12, angle: 0 };
  new LayerWriter(source.file, update).add(source.tree.pages[0]!, { lines: [[word]] });
  await update.close('00');
  return { kind: 'bytes', mediaType: PDF, body: draft.finish() };
}

function withoutIntent(): ByteSource {
  const bytes = readFileSync(join(FOLDER, 'pdfa-4.pdf')).toString('latin1');
  return sourceOf('bare.pdf', Buffer.from(bytes.replace('/OutputIntents', '/OutputNothing'), 'latin1'));
}

async function claims(result: BytesResult): Promise<readonly string[]> {
  const bytes = await bytesOf(result.body);
  return claimsOf(await openSound(memorySource(bytes, 'out.pdf'))).map(claimText);
}

const classes = judgeClasses();

describe.skipIf(classes.path === undefined)(`veraPDF (${classes.why ?? 'is here'})`, () => {
  const verdicts = new Map<string, string>();

  beforeAll(async () => {
    using here = folder();
    const files: [string, string][] = [];
    const names: string[] = [];
    for (const name of NAMES) {
      for (const [operation, run] of Object.entries(KEEP)) {
        const path = here.at(`${name}-${operation}.pdf`);
        writeFileSync(path, await bytesOf((await run(open(name))).body));
        files.push([FLAVOURS[name], path]);
        names.push(`${operation} ${name}`);
      }
    }
    for (const [name, [flavour, run]] of Object.entries({ ...ONCE, ...TAGGED })) {
      const path = here.at(`${name}.pdf`);
      writeFileSync(path, await bytesOf((await run()).body));
      files.push([flavour, path]);
      names.push(name);
    }
    for (const [i, { verdict, rules }] of (await judge(files, classes)).entries()) {
      verdicts.set(names[i] ?? '', `${verdict} ${rules}`.trim());
    }
  }, 180_000);

  const each = NAMES.flatMap((name) => Object.keys(KEEP).map((operation) => `${operation} ${name}`));
  it.each([...each, ...Object.keys(ONCE), ...Object.keys(TAGGED)])('%s', (name) => {
    expect(verdicts.get(name)).toBe('PASS');
  });
});

describe('a claim', () => {
  it.each(NAMES)('of %s is read from its packet', async (name) => {
    const file = await openSound(memorySource(readFileSync(join(FOLDER, `${name}.pdf`)), name));
    const said = claimsOf(file).map(claimText);
    expect(said).toEqual([
      { 'pdfa-1b': 'PDF/A-1b', 'pdfa-2b': 'PDF/A-2b', 'pdfa-4': 'PDF/A-4', 'pdfua-1': 'PDF/UA-1' }[name],
    ]);
  });

  it('is taken out where the output is encrypted, and that is said', async () => {
    const ctx = { ...createContext(), random: (length: number) => new Uint8Array(length).fill(7) };
    const result = (await encrypt({ file: open('pdfa-2b'), owner_password: 'o' }, ctx)) as BytesResult;
    expect(result.warnings).toContainEqual(expect.stringMatching(/claims PDF\/A-2b; the output no longer claims it/));
    expect(await claims(result)).toEqual([]);
  });

  it('of tags goes with them, and what needs none stays: sheets have none', async () => {
    const tagged = (await nup({ file: open('pdfua-1'), per_sheet: 2 }, createContext())) as BytesResult;
    expect(tagged.warnings?.join()).toMatch(/no longer claims it: its tags are not in the output/);
    const higher = readFileSync(join(FOLDER, 'pdfa-2b.pdf'))
      .toString('latin1')
      .replace(/(conformance(?:="|>))B/, '$1A');
    const file = sourceOf('a.pdf', Buffer.from(higher, 'latin1'));
    const sheets = (await nup({ file, per_sheet: 2 }, createContext())) as BytesResult;
    expect(sheets.warnings?.join()).toMatch(/claims PDF\/A-2a; the output claims PDF\/A-2u instead: its tags/);
    expect([await claims(tagged), await claims(sheets)]).toEqual([[], ['PDF/A-2u']]);
  });

  it('is taken out of a merge with a document that makes none, and stays where all make the same', async () => {
    const mixed = (await merge({ file: [open('pdfa-2b'), open('pdfua-1')] }, createContext())) as BytesResult;
    expect(mixed.warnings?.join()).toMatch(/no longer claims it: pdfua-1.pdf claims none/);
    expect((await claims(mixed)).filter((claim) => claim.startsWith('PDF/A'))).toEqual([]);
    const same = (await merge({ file: [open('pdfa-2b'), open('pdfa-2b')] }, createContext())) as BytesResult;
    expect([same.warnings, await claims(same)]).toEqual([[], ['PDF/A-2b']]);
  });

  it('stands with any of the fourteen fonts and with that of a file', async () => {
    for (const font of ['Courier', 'Times-Roman', 'Symbol', 'ZapfDingbats'] as const) {
      const text = font === 'Symbol' ? 'α' : font === 'ZapfDingbats' ? '✂' : 'x';
      const standard = (await stamp({ file: open('pdfa-2b'), text, font }, createContext())) as BytesResult;
      expect([standard.warnings, await claims(standard)]).toEqual([[], ['PDF/A-2b']]);
    }
    const embedded = (await stamp(
      { file: open('pdfa-2b'), text: 'Draft', font_file: font() },
      createContext(),
    )) as BytesResult;
    expect([embedded.warnings, await claims(embedded)]).toEqual([[], ['PDF/A-2b']]);
  });

  it('of part 1 comes out with a classic table and without object streams', async () => {
    const result = (await merge({ file: [open('pdfa-1b'), open('pdfa-1b')] }, createContext())) as BytesResult;
    const text = Buffer.from(await bytesOf(result.body)).toString('latin1');
    expect(text).toMatch(/\nxref\n0 /);
    expect(text).not.toMatch(/\/ObjStm|\/XRef\b/);
  });

  it('of PDF/UA goes with the title, and is kept where that is asked for', async () => {
    const cleared = (await metaClear({ file: open('pdfua-1'), fields: 'title' }, createContext())) as BytesResult;
    expect(cleared.warnings?.join()).toMatch(/claims PDF\/UA-1; the output no longer claims it: it has no title/);
    expect(await claims(cleared)).toEqual([]);
    const kept = metaClear({ file: open('pdfua-1'), fields: 'title' }, { ...createContext(), keepConformance: true });
    await expect(kept).rejects.toThrow(/claims PDF\/UA-1, which the output would not be: it has no title/);
  });

  it('of tags goes where fields become content', async () => {
    const why = /claims PDF\/UA-1; the output no longer claims it: its fields become content without tags/;
    const flat = (await formFlatten({ file: open('ua1-form') }, createContext())) as BytesResult;
    expect([flat.warnings?.join(), await claims(flat)]).toEqual([expect.stringMatching(why), []]);
    const input = { file: open('ua1-form'), values: {} };
    const filled = (await formFill({ ...input, flatten: true }, createContext())) as BytesResult;
    expect([filled.warnings?.join(), await claims(filled)]).toEqual([expect.stringMatching(why), []]);
    const unflat = (await formFill(input, createContext())) as BytesResult;
    expect([unflat.warnings, await claims(unflat)]).toEqual([[], ['PDF/UA-1']]);
    const kept = formFlatten({ file: open('ua1-form') }, { ...createContext(), keepConformance: true });
    await expect(kept).rejects.toThrow(/claims PDF\/UA-1, which the output would not be: its fields/);
  });

  it('of PDF/UA goes where a page is laid over a document without a language', async () => {
    const bytes = readFileSync(join(FOLDER, 'pdfua-1.pdf')).toString('latin1');
    const mute = sourceOf('mute.pdf', Buffer.from(bytes.replace(/\/Lang\b/, '/Lung'), 'latin1'));
    for (const run of [overlay, stamp]) {
      const over = (await run({ file: mute, pdf: open('pdfua-1') }, createContext())) as BytesResult;
      expect([over.warnings?.join(), await claims(over)]).toEqual([expect.stringMatching(/it names no language/), []]);
      const clear = (await run({ file: open('pdfua-1'), pdf: mute }, createContext())) as BytesResult;
      expect([clear.warnings, await claims(clear)]).toEqual([[], ['PDF/UA-1']]);
    }
  });

  it('of tags would go where text is read again', async () => {
    const { body } = await withWords();
    const kept = ocr({ file: body, redo: true }, { ...createContext(), keepConformance: true });
    await expect(kept).rejects.toThrow(/claims PDF\/UA-1, which the output would not be: its text is read again/);
  });

  it('goes with the packet that makes it, and that is said', async () => {
    const cleared = (await metaClear({ file: open('pdfa-2b') }, createContext())) as BytesResult;
    expect(cleared.warnings?.join()).toMatch(/claims PDF\/A-2b; the output no longer claims it: its metadata/);
  });

  it('falls with a picture in the colours of a printer, and in part 1 with a transparent one', async () => {
    const print = (await stamp(
      { file: open('pdfa-2b'), image: picture('pdfbox--jpegcmyk.jpg') },
      createContext(),
    )) as BytesResult;
    expect([print.warnings?.join(), await claims(print)]).toEqual([expect.stringMatching(/colours of a printer/), []]);
    const clear = (await stamp(
      { file: open('pdfa-1b'), image: picture('pdfbox--png_alpha_gray.png') },
      createContext(),
    )) as BytesResult;
    expect([clear.warnings?.join(), await claims(clear)]).toEqual([expect.stringMatching(/no transparency/), []]);
  });

  it('falls where a signature stays that does not cover the output, and in part 4 with an information dictionary', async () => {
    const turned = (await rotate({ file: open('pdfa-2b-signed'), angle: 90 }, createContext())) as BytesResult;
    expect([turned.warnings?.join(), await claims(turned)]).toEqual([expect.stringMatching(/does not cover it/), []]);
    const small = (await compress({ file: open('pdfa-4-info'), lossless: true }, createContext())) as BytesResult;
    expect([small.warnings?.join(), await claims(small)]).toEqual([
      expect.stringMatching(/information dictionary/),
      [],
    ]);
  });

  it('of part 4f falls with the attachments where a page still has a note of a file', async () => {
    const { parts, warnings } = await split({ file: open('pdfa-4f-note'), every: 1 }, createContext());
    const [{ body }] = parts as [Part, ...Part[]];
    expect(claimsOf(await openSound(memorySource(await bytesOf(body), 'part.pdf')))).toEqual([]);
    expect(warnings?.join()).toMatch(/claims PDF\/A-4f; the output no longer claims it: its attachments/);
  });

  it('of part 4 falls where pages that say how they are blended are drawn into others', async () => {
    const bytes = readFileSync(join(FOLDER, 'pdfa-4.pdf')).toString('latin1');
    const grouped = sourceOf('g.pdf', Buffer.from(bytes.replace(/\/Type\s*\/Page\b(?!s)/, '$& /Group<<>>'), 'latin1'));
    const over = (await overlay({ file: open('pdfa-4'), pdf: grouped }, createContext())) as BytesResult;
    expect([over.warnings?.join(), await claims(over)]).toEqual([expect.stringMatching(/how they are blended/), []]);
  });

  it('stands with an attachment in part 3 and in PDF/UA: its relation and a description are written', async () => {
    const notes = sourceOf('notes.txt', Buffer.from('notes'));
    for (const name of ['pdfa-3b', 'pdfua-2']) {
      const result = (await attachAdd({ file: [open(name), notes] }, createContext())) as BytesResult;
      const text = Buffer.from(await bytesOf(result.body)).toString('latin1');
      expect(text, name).toMatch(name === 'pdfa-3b' ? /\/AFRelationship\/Unspecified/ : /\/Desc</);
      expect(await claims(result)).toHaveLength(1);
    }
  });

  it('of a higher level becomes the lower one of a merge', async () => {
    const bytes = readFileSync(join(FOLDER, 'pdfa-2b.pdf')).toString('latin1');
    expect(bytes).toMatch(/conformance(="|>)B/);
    const other = sourceOf('u.pdf', Buffer.from(bytes.replace(/(conformance(?:="|>))B/, '$1U'), 'latin1'));
    const merged = (await merge({ file: [other, open('pdfa-2b')] }, createContext())) as BytesResult;
    expect(merged.warnings?.join()).toMatch(/u\.pdf claims PDF\/A-2u; the output claims PDF\/A-2b instead/);
    expect(await claims(merged)).toEqual(['PDF/A-2b']);
  });

  it('stays where an update has nothing to add: not a byte comes behind the end', async () => {
    const bytes = readFileSync(join(FOLDER, 'pdfa-2u.pdf'));
    const ctx = createContext();
    const draft = ctx.temp.create('updated.pdf');
    const file = await openSound(memorySource(bytes, 'pdfa-2u.pdf'));
    (await Update.begin(file, draft, new Pace(ctx))).finish('00');
    expect(await bytesOf(draft.finish())).toEqual(new Uint8Array(bytes));
  });

  it('is read in UTF-16 and UTF-32, with and without a mark', () => {
    const text = '<x:xmpmeta/>\u00e4';
    const wide = (order: 'LE' | 'BE') => {
      const bytes = Buffer.alloc(4 * text.length);
      for (let i = 0; i < text.length; i++) bytes[`writeUInt32${order}`](text.charCodeAt(i), 4 * i);
      return bytes;
    };
    const narrow = Buffer.from(text, 'utf16le');
    const swapped = Buffer.from(narrow).swap16();
    for (const bytes of [Buffer.from(text), narrow, swapped, wide('LE'), wide('BE')]) expect(decoded(bytes)).toBe(text);
    expect(decoded(Buffer.from(`\ufeff${text}`, 'utf16le'))).toContain(text);
  });
});
