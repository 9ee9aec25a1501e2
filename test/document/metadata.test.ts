// Holds that metadata says the same in both of its places, as poppler and qpdf read them, and that nothing else changes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { clearMetadata, setMetadata, showMetadata } from '../../src/local/document/metadata.ts';
import { createContext } from '../properties/context.ts';
import { pdfOf } from '../structure/run.ts';
import { edit, FIXTURES, open, pixels, said } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'metadata-'));
afterAll(() => rmSync(folder, { recursive: true }));
const out = join(folder, 'out.pdf');
const show = async (path: string) => (await showMetadata({ file: open(path) }, createContext())).record;

const PACKET = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:d="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" pdf:Producer="Old &amp; tired" xmp:CreateDate="2001-02-03T04:05:06Z"><d:title><rdf:Alt><rdf:li xml:lang="x-default">Old title</rdf:li><rdf:li xml:lang="de">Alt</rdf:li></rdf:Alt></d:title><d:subject><rdf:Bag><rdf:li>old</rdf:li></rdf:Bag></d:subject><own:kept xmlns:own="urn:own">kept</own:kept></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

/** With a packet whose namespaces have other prefixes, attributes for elements, and a title in two languages. */
function withPacket(): string {
  const path = join(folder, 'packet.pdf');
  const text = pdfOf([
    '<</Type/Catalog/Pages 2 0 R/Metadata 4 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>',
    `<</Type/Metadata/Subtype/XML/Length ${PACKET.length}>>stream\n${PACKET}\nendstream`,
    '<</Title(Old title)/Producer(Old & tired)/CreationDate(D:20010203040506Z)/Company(Own)>>',
  ]);
  writeFileSync(path, text.replace('/Root 1 0 R', '/Root 1 0 R/Info 5 0 R'), 'latin1');
  return path;
}

const VALUES = {
  title: 'Jahresbericht <2026> & mehr – “ß”',
  author: 'Jane Doe',
  subject: 'Numbers',
  keywords: 'money, 2026',
  creator: 'Writer 3',
  producer: 'Printer',
  created: '2026-11-22T21:40:00+01:00',
  modified: '2026-11-22',
};

describe.each(['lorem-ipsum.pdf', 'outlines.pdf', 'documents/pypdf--git.pdf', 'object-streams.pdf', 'packet'])(
  '%s',
  (name) => {
    const path = () => (name === 'packet' ? withPacket() : join(FIXTURES, name));

    it('says what was set in both places', async () => {
      await edit(setMetadata, path(), VALUES, out);
      expect(await show(out)).toMatchObject({ ...VALUES, xmp: true });
      expect(await show(out)).not.toHaveProperty('differ');
      const info = said('pdfinfo', '-isodates', out);
      expect(info).toMatch(/^Title: +Jahresbericht <2026> & mehr – “ß”$/m);
      expect(info).toMatch(/^Keywords: +money, 2026$/m);
      // The zone it is printed in is that of the machine.
      expect(Date.parse(`${/^CreationDate: +(\S+?)(:00)?$/m.exec(info)?.[1]}:00`)).toBe(Date.parse(VALUES.created));
      const packet = said('pdfinfo', '-meta', out);
      expect(packet).toContain('Jahresbericht &lt;2026&gt; &amp; mehr – “ß”');
      expect(packet).not.toMatch(/Old title|Alt</);
      expect(pixels(out)).toBe(pixels(path()));
    });

    it('keeps what was not given', async () => {
      const before = await show(path());
      await edit(setMetadata, path(), { author: 'Jane Doe' }, out);
      expect(await show(out)).toMatchObject({ title: before.title, producer: before.producer, author: 'Jane Doe' });
      expect(await show(out)).not.toHaveProperty('differ');
    });

    it('loses all, or what is named', async () => {
      await edit(setMetadata, path(), VALUES, out);
      const some = join(folder, 'some.pdf');
      await edit(clearMetadata, out, { fields: 'author, Producer' }, some);
      expect(await show(some)).toMatchObject({ ...VALUES, author: null, producer: null });
      expect(said('pdfinfo', '-meta', some)).not.toMatch(/Jane|Printer/);
      await edit(clearMetadata, out, {}, some);
      expect(await show(some)).toMatchObject({ title: null, author: null, created: null, xmp: false });
      expect(said('pdfinfo', some)).not.toMatch(/^(Title|Author|Producer|Creator|CreationDate|Keywords)/m);
      expect(said('qpdf', '--qdf', some, '-')).not.toMatch(/\/Info|\/Metadata/);
    });
  },
);

describe('a packet', () => {
  it('keeps what nobody asked about, and tells where it differs', async () => {
    await edit(setMetadata, withPacket(), { title: 'New', keywords: 'a; b' }, out);
    const packet = said('pdfinfo', '-meta', out);
    expect(packet).toContain('<own:kept xmlns:own="urn:own">kept</own:kept>');
    expect(packet).toMatch(/<dc:subject><rdf:Bag><rdf:li>a<\/rdf:li><rdf:li>b<\/rdf:li>/);
    expect(await show(out)).toMatchObject({ title: 'New', producer: 'Old & tired', custom: { Company: 'Own' } });
  });

  it('that differs from the dictionary is told of', async () => {
    const path = withPacket();
    writeFileSync(path, said('cat', path).replace('/Title(Old title)', '/Title(Older one)'), 'latin1');
    expect(await show(path)).toMatchObject({ title: 'Older one', differ: { title: 'Old title' } });
  });

  it('of a million tags costs no minute', async () => {
    const path = join(folder, 'tags.pdf');
    const packet = `<rdf:RDF>${'<dc:title/>'.repeat(300_000)}${'<dc:title>'.repeat(100_000)}</rdf:RDF>`;
    const text = pdfOf([
      '<</Type/Catalog/Pages 2 0 R/Metadata 4 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>',
      `<</Type/Metadata/Subtype/XML/Length ${packet.length}>>stream\n${packet}\nendstream`,
    ]);
    writeFileSync(path, text, 'latin1');
    const began = performance.now();
    await edit(setMetadata, path, { title: 'New' }, out);
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(said('pdfinfo', out)).toMatch(/^Title: +New$/m);
  });
});

it.each([
  [
    () => setMetadata({ file: open(withPacket()), incremental: false, created: 'yesterday' }, createContext()),
    /created: expected a date, found yesterday/,
  ],
  [
    () => clearMetadata({ file: open(withPacket()), fields: 'authors' }, createContext()),
    /there is no metadata named 'authors'/,
  ],
])('refuses what it does not know', async (run, says) => {
  await expect(run()).rejects.toMatchObject({ code: 'usage', message: expect.stringMatching(says) });
});
