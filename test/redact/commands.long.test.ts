// redact on this machine: what is found, what is refused, and what comes out, judged by qpdf, poppler and mupdf.
import { createHash } from 'node:crypto';
import { appendFileSync, copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { deflateSync } from 'node:zlib';
import { execa } from 'execa';
import { afterAll, describe, expect, it } from 'vitest';
import { folder, pdftool } from '../e2e/pdftool.ts';

const FIXTURES = resolve(import.meta.dirname, '../fixtures');
const BOOK = `${FIXTURES}/lorem-ipsum.pdf`;
const here = folder();
afterAll(() => here[Symbol.dispose]());

const redact = (...args: string[]) => pdftool(['redact', ...args], { cwd: here.path });
const text = async (name: string) => (await execa('pdftotext', ['-layout', here.at(name), '-'])).stdout;
const hash = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

interface Regions {
  readonly reviewed: boolean;
  readonly sourceSha256: string;
  readonly page_count: number;
  readonly regions: readonly { page: number; x: number; y: number; w: number; h: number; kind: string }[];
  readonly counts: Readonly<Record<string, number>>;
  readonly pages_without_text: readonly number[];
}

/** Writes regions that somebody has looked at. */
function reviewed(name: string, source: string, regions: readonly object[]): string {
  writeFileSync(here.at(name), JSON.stringify({ reviewed: true, sourceSha256: hash(source), regions }));
  return name;
}

/** A document of one page with Helvetica as F1 and whatever else it is given. */
function page(
  content: string,
  {
    entries = '',
    resources = '',
    more = [],
  }: { entries?: string; resources?: string; more?: (string | Buffer)[] } = {},
): Buffer {
  const stream = deflateSync(Buffer.from(content, 'latin1'));
  const objects: (string | Buffer)[] = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]${entries}/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>${resources}>>>>`,
    Buffer.concat([
      Buffer.from(`<</Length ${stream.length}/Filter/FlateDecode>>\nstream\n`),
      stream,
      Buffer.from('\nendstream'),
    ]),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    ...more,
  ];
  let length = 9;
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const rows = objects.map((object, i) => {
    const at = length;
    const bytes = Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]);
    parts.push(bytes);
    length += bytes.length;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

/** Levels of a page in grey, a pixel a point, and where they are. */
async function levels(name: string) {
  const { stdout } = await execa('pdftoppm', ['-r', '72', '-gray', '-cropbox', here.at(name)], { encoding: 'buffer' });
  const image = Buffer.from(stdout);
  const [, width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(image.subarray(0, 40).toString('latin1')) ?? [];
  const pixels = image.subarray(image.length - Number(width) * Number(height));
  return {
    width: Number(width),
    height: Number(height),
    at: (x: number, y: number) => pixels[Math.floor(y) * Number(width) + Math.floor(x)] ?? -1,
  };
}

describe('inspect', () => {
  it('finds terms, expressions and kinds, and says nothing of what they are', async () => {
    const lines = [
      'Write to jane.doe@example.com or call +44 20 7946 0958 today.',
      'Card 4111 1111 1111 1111, not 4111 1111 1111 1112.',
      'Account DE89 3704 0044 0532 0130 00, not DE88 3704 0044 0532 0130 00.',
      'Number 123-45-6789, not 000-45-6789. Case AB-1234.',
    ];
    const content = lines.map((line, i) => `BT /F1 11 Tf 50 ${700 - 30 * i} Td (${line}) Tj ET`).join('\n');
    writeFileSync(here.at('kinds.pdf'), page(content));
    const args = ['--kinds', 'email,phone,card,iban,ssn', '--regex', '[A-Z]{2}-\\d{4}', '--find', 'jane.doe'];
    const run = await redact('inspect', 'kinds.pdf', '--local', ...args, '-o', 'kinds.json');
    expect(run.exitCode).toBe(0);
    const said = readFileSync(here.at('kinds.json'), 'utf8');
    const found = JSON.parse(said) as Regions;
    expect(found.regions.map(({ kind }) => kind).sort()).toEqual([
      'card',
      'email',
      'iban',
      'phone',
      'regex',
      'ssn',
      'text',
    ]);
    expect(found.reviewed).toBe(false);
    expect(found.sourceSha256).toBe(hash(here.at('kinds.pdf')));
    for (const secret of ['jane', 'example', '7946', '4111', '3704', '6789', 'AB-'])
      expect([said, run.stdout, run.stderr].join(), secret).not.toContain(secret);
    // Each box is where poppler sees the words.
    const { stdout } = await execa('pdftotext', ['-bbox', here.at('kinds.pdf'), '-']);
    const [, xMin = '', yMin = '', xMax = ''] =
      /xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)"[^>]*>jane/.exec(stdout) ?? [];
    const email = found.regions.find(({ kind }) => kind === 'email');
    expect(Math.abs(email!.x * 612 - Number(xMin))).toBeLessThan(2);
    expect(Math.abs((email!.x + email!.w) * 612 - Number(xMax))).toBeLessThan(2);
    expect(Math.abs(email!.y * 792 - Number(yMin))).toBeLessThan(6);
  });

  it('stops an expression that takes forever, and refuses what is none', async () => {
    const long = page(`BT /F1 8 Tf 20 700 Td (${'a'.repeat(90)}b) Tj ET`);
    writeFileSync(here.at('long.pdf'), long);
    const slow = await redact('inspect', 'long.pdf', '--local', '--regex', '(a+)+$', '-o', 'slow.json');
    expect([slow.exitCode, slow.stderr]).toEqual([2, expect.stringContaining('took longer than 1 s')]);
    const bad = await redact('inspect', 'long.pdf', '--local', '--regex', '(', '-o', 'slow.json');
    expect([bad.exitCode, bad.stderr]).toEqual([2, expect.stringContaining('no regular expression')]);
    expect((await redact('inspect', 'long.pdf', '--local', '--kinds', 'names')).exitCode).toBe(2);
    expect((await redact('inspect', 'long.pdf', '--local')).exitCode).toBe(2);
    expect(existsSync(here.at('slow.json'))).toBe(false);
  });

  it('says which pages have no text', async () => {
    writeFileSync(here.at('empty.pdf'), page('0 0 100 100 re f'));
    await redact('inspect', 'empty.pdf', '--local', '--find', 'x', '-o', 'empty.json');
    expect((JSON.parse(readFileSync(here.at('empty.json'), 'utf8')) as Regions).pages_without_text).toEqual([1]);
  });
});

describe('apply refuses', () => {
  const region = { page: 1, x: 0.1, y: 0.1, w: 0.2, h: 0.1, kind: 'manual', id: 'r1' };
  const apply = (regions: string, ...more: string[]) =>
    redact('apply', BOOK, '--local', '--regions', regions, '-o', 'no.pdf', ...more);

  it.each([
    ['regions that nobody has reviewed', { reviewed: false }, 2, 'not reviewed'],
    ['another file', { sourceSha256: '0'.repeat(64) }, 6, 'another file'],
    ['no regions', { regions: [] }, 2, '1 to 2000 regions, found 0'],
    ['2,001 regions', { regions: Array.from({ length: 2_001 }, () => region) }, 6, 'found 2001'],
    ['a region beside its page', { regions: [{ ...region, x: 0.9 }] }, 2, 'lies outside page 1'],
    ['a region of no size', { regions: [{ ...region, w: 0 }] }, 2, 'more than 0'],
    ['a page that is not there', { regions: [{ ...region, page: 5 }] }, 2, 'there is no page 5'],
    ['a region that is none', { regions: ['all'] }, 2, 'region 1'],
  ])('%s', async (_, change, exit, says) => {
    const given = { reviewed: true, sourceSha256: hash(BOOK), regions: [region], ...change };
    writeFileSync(here.at('given.json'), JSON.stringify(given));
    const run = await apply('given.json');
    expect([run.exitCode, run.stderr]).toEqual([exit, expect.stringContaining(says)]);
    expect(existsSync(here.at('no.pdf'))).toBe(false);
  });

  it('a file that changed after it was inspected, and colours and labels that are none', async () => {
    copyFileSync(BOOK, here.at('book.pdf'));
    const regions = reviewed('book.json', here.at('book.pdf'), [region]);
    appendFileSync(here.at('book.pdf'), '\n');
    expect((await redact('apply', 'book.pdf', '--local', '--regions', regions)).exitCode).toBe(6);
    const good = reviewed('good.json', BOOK, [region]);
    expect((await apply(good, '--fill', 'blau')).stderr).toContain('--fill');
    expect((await apply(good, '--label', '\u4e2d')).stderr).toContain('--label');
    expect(existsSync(here.at('no.pdf'))).toBe(false);
  });

  it('takes --reviewed for a word of the person', async () => {
    writeFileSync(
      here.at('said.json'),
      JSON.stringify({ reviewed: false, sourceSha256: hash(BOOK), regions: [region] }),
    );
    expect(
      (await redact('apply', BOOK, '--local', '--regions', 'said.json', '--reviewed', '-o', 'said.pdf')).exitCode,
    ).toBe(0);
  });
});

/** Everything with a word on it, inspected and applied. */
async function applied(name: string, source: string, find: string, ...more: string[]) {
  const password = more.includes('--password-file')
    ? more.slice(more.indexOf('--password-file'), more.indexOf('--password-file') + 2)
    : [];
  const inspected = await redact('inspect', source, '--local', '--find', find, '-o', `${name}.json`, '-f', ...password);
  expect(inspected.stderr).not.toContain('error');
  const run = await redact(
    'apply',
    source,
    '--local',
    '--regions',
    `${name}.json`,
    '--reviewed',
    '-o',
    `${name}.pdf`,
    '-f',
    ...more,
  );
  return { ...run, found: JSON.parse(readFileSync(here.at(`${name}.json`), 'utf8')) as Regions };
}

describe('apply', () => {
  it('takes out what is in the regions and leaves the rest, byte by byte', async () => {
    const before = 'BT /F1 12 Tf 72 700 Td (Nothing of this is touched) Tj ET';
    writeFileSync(
      here.at('kept.pdf'),
      page(
        `${before}\nBT /F1 12 Tf 72 650 Td (The name is Quorlax and stays) Tj ET\n0.25 0.5 0.75 rg 72 600 33.5 12.25 re f`,
      ),
    );
    const { exitCode } = await applied('kept-out', 'kept.pdf', 'Quorlax');
    expect(exitCode).toBe(0);
    const { stdout } = await execa('qpdf', ['--qdf', '--object-streams=disable', here.at('kept-out.pdf'), '-']);
    expect(stdout).toContain(before);
    expect(stdout).toContain('0.25 0.5 0.75 rg 72 600 33.5 12.25 re f');
    expect(stdout).not.toContain('Quorlax');
    const said = await text('kept-out.pdf');
    expect(said).toContain('The name is');
    expect(said).toContain('and stays');
    expect(said).not.toContain('Quorlax');
  });

  it('hides how wide the text was: names of other lengths leave gaps that are alike', async () => {
    const gap = async (name: string) => {
      writeFileSync(here.at(`${name}.pdf`), page(`BT /F1 11 Tf 72 700 Td (Mr ${name} came) Tj ET`));
      await applied(`gap-${name}`, `${name}.pdf`, name);
      const { stdout } = await execa('pdftotext', ['-bbox', here.at(`gap-${name}.pdf`), '-']);
      const [, x = ''] = /xMin="([\d.]+)"[^>]*>came/.exec(stdout) ?? [];
      return Math.round(Number(x) * 100) / 100;
    };
    // 36.1 and 35.5 points wide.
    expect(await gap('Joanna')).toBe(await gap('Nathan'));
  });

  it('writes labels, fills as asked, blanks to the end of the line, makes pictures', { timeout: 60_000 }, async () => {
    writeFileSync(
      here.at('line.pdf'),
      page('BT /F1 12 Tf 72 700 Td (The name Quorlax and the rest) Tj 0 -40 Td (Another line) Tj ET'),
    );
    await applied('labelled', 'line.pdf', 'Quorlax', '--label', 'NAME', '--fill', '#ff0000');
    expect(await text('labelled.pdf')).toContain('NAME');
    const { stdout } = await execa('pdftoppm', ['-r', '72', here.at('labelled.pdf')], { encoding: 'buffer' });
    expect(Buffer.from(stdout).includes(Buffer.from([255, 0, 0, 255, 0, 0]))).toBe(true);
    await applied('strict', 'line.pdf', 'Quorlax', '--strict');
    const strict = await text('strict.pdf');
    expect(strict).not.toContain('rest');
    expect(strict).toContain('The name');
    expect(strict).toContain('Another line');
    const raster = await applied('raster', 'line.pdf', 'Quorlax', '--raster');
    expect(raster.stderr).toContain('all 1 pages became pictures');
    expect((await execa('pdfimages', ['-list', here.at('raster.pdf')])).stdout).toMatch(/image\s+1700\s+2200/);
    const words = await text('raster.pdf');
    expect(words).toContain('Another line');
    expect(words).not.toContain('Quorlax');
    for (const name of ['labelled', 'strict', 'raster']) await execa('qpdf', ['--check', here.at(`${name}.pdf`)]);
  });

  it('keeps what a region has in common with what is left: other words of the same letters stay', async () => {
    writeFileSync(
      here.at('twice.pdf'),
      page('BT /F1 12 Tf 72 700 Td (Quorlax here) Tj 0 -100 Td (Quorlax there) Tj ET'),
    );
    const regions = reviewed('twice.json', here.at('twice.pdf'), [{ page: 1, x: 0.1, y: 0.09, w: 0.2, h: 0.05 }]);
    const run = await redact('apply', 'twice.pdf', '--local', '--regions', regions, '-o', 'twice-out.pdf');
    expect([run.exitCode, run.stderr]).toEqual([0, expect.stringContaining('in 1 other places, which nobody marked')]);
    expect((await text('twice-out.pdf')).match(/Quorlax/g)).toHaveLength(1);
  });

  it('on a scan takes the pixels and the hidden text', async () => {
    const samples = deflateSync(Buffer.alloc(200 * 100, 0xcc));
    const image = Buffer.concat([
      Buffer.from(
        `<</Type/XObject/Subtype/Image/Width 200/Height 100/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/FlateDecode/Length ${samples.length}>>\nstream\n`,
      ),
      samples,
      Buffer.from('\nendstream'),
    ]);
    const content = 'q 612 0 0 792 0 0 cm /Im Do Q BT 3 Tr /F1 12 Tf 72 700 Td (Scanned Quorlax words) Tj ET';
    writeFileSync(here.at('scan.pdf'), page(content, { resources: '/XObject<</Im 6 0 R>>', more: [image] }));
    const { exitCode, found } = await applied('scan-out', 'scan.pdf', 'Quorlax');
    expect([exitCode, found.regions.length]).toEqual([0, 1]);
    const said = await text('scan-out.pdf');
    expect(said).not.toContain('Quorlax');
    expect(said).toContain('Scanned');
    await execa('pdfimages', ['-png', here.at('scan-out.pdf'), here.at('scan-image')]);
    const { stdout } = await execa(
      'qpdf',
      ['--qdf', '--object-streams=disable', '--decode-level=all', here.at('scan-out.pdf'), '-'],
      { encoding: 'buffer' },
    );
    const [region] = found.regions;
    const bytes = Buffer.from(stdout);
    const start = bytes.indexOf(Buffer.alloc(600, 0xcc));
    const at = (x: number, y: number) => bytes[start + Math.floor(y * 100) * 200 + Math.floor(x * 200)];
    expect(at(region!.x + region!.w / 2, region!.y + region!.h / 2)).toBe(0);
    expect(at(0.9, 0.9)).toBe(0xcc);
  });

  it.each([
    ['is to be seen elsewhere stays there, and that is said', '', true, 'drawn whole in 1 other places'],
    ['lies under something elsewhere goes there too', '1 g 90 90 220 120 re f', false, 'a covered picture'],
  ])('a picture that %s', async (_, after, stays, says) => {
    // No row is like another.
    const rows = Buffer.from(Array.from({ length: 200 * 100 }, (_, i) => (i * i * 31 + (i >> 3) * 7) % 251));
    const samples = deflateSync(rows);
    const image = Buffer.concat([
      Buffer.from(
        `<</Type/XObject/Subtype/Image/Width 200/Height 100/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/FlateDecode/Length ${samples.length}>>\nstream\n`,
      ),
      samples,
      Buffer.from('\nendstream'),
    ]);
    // Once where the region is, once clipped away, once further down.
    const content = [
      'q 200 0 0 100 100 500 cm /Im Do Q',
      'q 10 10 20 20 re W n 200 0 0 100 100 300 cm /Im Do Q',
      `q 200 0 0 100 100 100 cm /Im Do Q ${after}`,
    ].join('\n');
    writeFileSync(here.at('twice-drawn.pdf'), page(content, { resources: '/XObject<</Im 6 0 R>>', more: [image] }));
    const box = { page: 1, x: 90 / 612, y: (792 - 560) / 792, w: 220 / 612, h: 20 / 792 };
    const regions = reviewed('twice-drawn.json', here.at('twice-drawn.pdf'), [box]);
    const run = await redact('apply', 'twice-drawn.pdf', '--local', '--regions', regions, '-o', 'once.pdf', '-f');
    expect([run.exitCode, run.stderr]).toEqual([0, expect.stringContaining(says)]);
    const { stdout } = await execa(
      'qpdf',
      ['--qdf', '--object-streams=disable', '--decode-level=all', here.at('once.pdf'), '-'],
      { encoding: 'buffer' },
    );
    expect(Buffer.from(stdout).includes(rows.subarray(50 * 200, 51 * 200))).toBe(stays);
  });

  it.each([0, 90, 180, 270])('on a page turned by %i degrees and cropped takes the right place', async (rotate) => {
    const content = 'BT /F1 14 Tf 200 400 Td (Before Quorlax after) Tj ET BT /F1 14 Tf 200 300 Td (Second line) Tj ET';
    writeFileSync(
      here.at(`turn-${rotate}.pdf`),
      page(content, { entries: `/CropBox[100 150 500 650]/Rotate ${rotate}` }),
    );
    const { exitCode, found } = await applied(`turned-${rotate}`, `turn-${rotate}.pdf`, 'Quorlax');
    expect(exitCode).toBe(0);
    const said = (await execa('mutool', ['draw', '-q', '-F', 'txt', here.at(`turned-${rotate}.pdf`)])).stdout;
    expect(said).not.toContain('Quorlax');
    expect(said).toContain('Second line');
    const { width, height, at } = await levels(`turned-${rotate}.pdf`);
    expect([width, height]).toEqual(rotate % 180 === 0 ? [400, 500] : [500, 400]);
    const [region] = found.regions;
    expect(at((region!.x + region!.w / 2) * width, (region!.y + region!.h / 2) * height)).toBeLessThan(8);
    // The word stood 247 points to the right of the crop box's left edge, or so, and 250 above its bottom.
    const [x, y] = { 0: [170, 250], 90: [250, 170], 180: [230, 250], 270: [250, 230] }[rotate]!;
    expect(at(x!, y! - (rotate === 0 ? 4 : rotate === 180 ? -4 : 0))).toBeLessThan(8);
  });

  it('opens an encrypted file with its password, and says that the output is not encrypted', async () => {
    await execa('qpdf', ['--encrypt', 'secret', 'owner', '256', '--', BOOK, here.at('locked.pdf')]);
    writeFileSync(here.at('word.txt'), 'secret\n');
    expect((await redact('inspect', 'locked.pdf', '--local', '--find', 'lorem')).exitCode).toBe(7);
    const { exitCode, stderr } = await applied('unlocked', 'locked.pdf', 'lorem', '--password-file', 'word.txt');
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('was encrypted; the output is not')]);
    expect((await text('unlocked.pdf')).toLowerCase()).not.toContain('lorem');
  });

  it('repairs a damaged file and says so; says that a signature ends', { timeout: 60_000 }, async () => {
    const bytes = readFileSync(BOOK);
    writeFileSync(here.at('damaged.pdf'), bytes.subarray(0, bytes.length - 60));
    const damaged = await applied('repaired', 'damaged.pdf', 'lorem');
    expect([damaged.exitCode, damaged.stderr]).toEqual([0, expect.stringContaining('is damaged and was repaired')]);
    await execa('qpdf', ['--check', here.at('repaired.pdf')]);
    const signed = `${FIXTURES}/signed-twice.pdf`;
    const regions = reviewed('signed.json', signed, [{ page: 1, x: 0.1, y: 0.1, w: 0.3, h: 0.1 }]);
    const run = await redact('apply', signed, '--local', '--regions', regions, '-o', 'signed.pdf');
    expect([run.exitCode, run.stderr]).toEqual([0, expect.stringContaining('the signature does not hold')]);
  });

  it('gives the same bytes for the same wish', async () => {
    await applied('one', BOOK, 'dolor');
    await applied('two', BOOK, 'dolor');
    expect(hash(here.at('one.pdf'))).toBe(hash(here.at('two.pdf')));
  });

  it('leaves nothing beside its output', () => {
    expect(readdirSync(here.path).filter((name) => name.startsWith('.') || /tmp|draft/i.test(name))).toEqual([]);
  });
});

describe('review', () => {
  it('draws numbered outlines in a copy', async () => {
    await redact('inspect', BOOK, '--local', '--find', 'lorem', '-o', 'view.json', '-f');
    const run = await redact('review', BOOK, '--regions', 'view.json', '-o', 'view.pdf');
    expect([run.exitCode, run.stdout]).toEqual([0, 'view.pdf\n']);
    expect((await text('view.pdf')).toLowerCase()).toContain('lorem');
    const { stdout } = await execa('qpdf', ['--qdf', '--object-streams=disable', here.at('view.pdf'), '-']);
    const { regions } = JSON.parse(readFileSync(here.at('view.json'), 'utf8')) as Regions;
    expect(stdout.match(/0\.85 0 0 RG/g)).toHaveLength(regions.length);
    expect(stdout).toContain(`(${regions.length}) Tj`);
    const other = await redact('review', `${FIXTURES}/guide.pdf`, '--regions', 'view.json', '-o', 'other.pdf');
    expect(other.exitCode).toBe(6);
  });
});

describe('check', () => {
  const check = async (name: string, ...more: string[]) => {
    const run = await redact('check', name, ...more);
    return {
      exit: run.exitCode,
      whats: (JSON.parse(run.stdout) as { leaks: { what: string }[] }).leaks.map(({ what }) => what),
    };
  };

  it.each([
    [
      'a box over live text',
      'BT /F1 12 Tf 72 700 Td (Secret) Tj ET 0 g 70 695 60 16 re f',
      'text under a box or a picture',
    ],
    ['white on white', 'BT 1 g /F1 12 Tf 72 700 Td (Secret) Tj ET', 'text in the colour of what is behind it'],
    [
      'black on black',
      '0 g 70 695 60 16 re f BT 0 g /F1 12 Tf 72 700 Td (Secret) Tj ET',
      'text in the colour of what is behind it',
    ],
    ['text beside the page', 'BT /F1 12 Tf 72 900 Td (Secret) Tj ET', 'text beside the page'],
  ])('finds %s', async (_, content, what) => {
    writeFileSync(here.at('bad.pdf'), page(content));
    expect(await check('bad.pdf')).toEqual({ exit: 3, whats: [what] });
  });

  it('finds hidden layers, earlier versions, and words wherever they are', async () => {
    const layered = page('/OC /L BDC BT /F1 12 Tf 72 700 Td (Secret) Tj ET EMC', {
      resources: '/Properties<</L 6 0 R>>',
      more: ['<</Type/OCG/Name(Off)>>'],
    });
    const text = layered
      .toString('latin1')
      .replace(
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[6 0 R]/D<</OFF[6 0 R]>>>>>>',
      );
    writeFileSync(here.at('layer.pdf'), Buffer.from(text, 'latin1'));
    expect((await check('layer.pdf')).whats).toContain('text in a hidden layer');
    const versions = await check(`${FIXTURES}/signed-twice.pdf`);
    expect([versions.exit, versions.whats]).toEqual([3, expect.arrayContaining(['earlier versions of the document'])]);
    expect(await check(BOOK, '--find', 'dolor')).toMatchObject({ exit: 3 });
  });

  it('finds nothing in a sound document, nor in what apply wrote', async () => {
    expect(await check(BOOK)).toEqual({ exit: 0, whats: [] });
    await applied('sound', BOOK, 'dolor');
    expect(await check('sound.pdf', '--regions', 'sound.json', '--find', 'dolor')).toEqual({ exit: 0, whats: [] });
  });
});
