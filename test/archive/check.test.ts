// Holds that check finds what is broken without a judge, never says "valid" then, and that invoices go in and come out.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ByteSource, BytesResult, Part, RecordResult } from '../../src/contract/base/ports.ts';
import { invoiceClaimIn, invoiceIn } from '../../src/pdf/archive/invoice.ts';
import { claimsOf, claimText } from '../../src/pdf/file/read/claims.ts';
import { memorySource } from '../../src/pdf/file/read/memory-source.ts';
import { openSound } from '../../src/pdf/file/read/open-by-table.ts';
import { readXmp } from '../../src/pdf/structure/metadata.ts';
import { archive, check, invoiceAttach, invoiceShow, split } from '../local.ts';
import { bytesOf, createContext, sourceOf } from '../properties/context.ts';
import { rawPdf } from '../text/raw-pdf.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const fixture = (name: string): ByteSource => sourceOf(name, readFileSync(join(FIXTURES, name)));

type Checked = { conforms: boolean | null; checked: { findings: object[] }[]; lines: string };
const checked = async (file: ByteSource, standard?: Parameters<typeof check>[0]['for']): Promise<Checked> =>
  ((await check({ file, for: standard }, createContext())) as RecordResult).record as Checked;

/** A tagged page with a link, a figure and headings that break rules of PDF/UA. */
const TAGGED = sourceOf(
  'tagged.pdf',
  rawPdf([
    '<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>/StructTreeRoot 5 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Annots[9 0 R]/Resources<</Font<</F 10 0 R>>>>>>',
    { dict: '', stream: 'BT /F 20 Tf 20 100 Td (Hello) Tj ET' },
    '<</Type/StructTreeRoot/K[6 0 R 7 0 R 8 0 R]/RoleMap<</Picture/Figure>>>>',
    '<</Type/StructElem/S/H1/P 5 0 R/Pg 3 0 R>>',
    '<</Type/StructElem/S/H3/P 5 0 R/Pg 3 0 R>>',
    '<</Type/StructElem/S/Picture/P 5 0 R/Pg 3 0 R>>',
    '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/F 4>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]),
);

describe('check', () => {
  it('finds nothing in valid files, and does not call them valid', async () => {
    for (const name of ['pdfa-1b', 'pdfa-2b', 'pdfa-4', 'pdfua-1']) {
      const record = await checked(fixture(`conformance/${name}.pdf`));
      expect(record.conforms).toBeNull();
      expect(record.lines).toMatch(/nothing found \(\d+ of \d+ rules looked at; install veraPDF/);
    }
  });

  it('names rule, page and object of what it finds', async () => {
    const record = await checked(fixture('guide.pdf'), 'pdfa-2b');
    expect(record.conforms).toBe(false);
    expect(record.lines).toMatch(
      /^guide\.pdf: page \d+: error: .*Helvetica is not embedded \[PDF\/A-2b 6\.2\.11\.4\.1\]/m,
    );
    expect(record.lines).toMatch(/does not say that it is \[PDF\/A-2b 6\.6\.4\]/);
    const { body } = (await archive({ file: fixture('guide.pdf') }, createContext())) as BytesResult;
    expect((await checked(sourceOf('made.pdf', await bytesOf(body)))).checked[0]?.findings).toEqual([]);
  });

  it('reports what keeps people from reading a document aloud', async () => {
    const { lines } = await checked(TAGGED, 'pdfua-1');
    for (const what of [
      'its metadata has no title',
      'readers are to show the name of the file, not its title',
      'it does not say its language',
      'page 1: error: the tabulator key does not follow the tags',
      'page 1: error: a link does not say where it leads',
      'page 1: error: a heading of level 3 follows one of level 1',
      'page 1: error: a figure has no alternative text',
      'Helvetica is not embedded',
    ])
      expect(lines).toContain(what);
    expect(lines).not.toContain('it is not tagged');
  });

  it('wants to know what a file without a claim is to be', async () => {
    await expect(checked(fixture('guide.pdf'))).rejects.toThrow(/claims to be neither PDF\/A nor PDF\/UA/);
  });
});

const XML = (profile: string): string =>
  `<?xml version="1.0"?><!-- <Invoice> --><rsm:CrossIndustryInvoice xmlns:rsm="r" xmlns:ram="m"><rsm:ExchangedDocumentContext>
<ram:GuidelineSpecifiedDocumentContextParameter> <ram:ID>${profile}</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter>
</rsm:ExchangedDocumentContext><rsm:ExchangedDocument><ram:ID>A-17</ram:ID></rsm:ExchangedDocument></rsm:CrossIndustryInvoice>`;
const xml = (profile: string): ByteSource => sourceOf('any.xml', Buffer.from(XML(profile)));

describe('invoice', () => {
  const attach = async (profile: string, level?: 'minimum') =>
    (await invoiceAttach({ file: [fixture('inherited.pdf'), xml(profile)], level }, createContext())) as BytesResult;

  it.each([
    ['urn:factur-x.eu:1p0:minimum', 'minimum', 'MINIMUM', 'data', 'factur-x.xml'],
    ['urn:cen.eu:en16931:2017', 'en16931', 'EN 16931', 'alternative', 'factur-x.xml'],
    [
      'urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended',
      'extended',
      'EXTENDED',
      'alternative',
      'factur-x.xml',
    ],
    [
      'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0',
      'xrechnung',
      'XRECHNUNG',
      'alternative',
      'xrechnung.xml',
    ],
  ])('of %s goes in and comes out', async (profile, level, declared, relationship, file) => {
    const bytes = await bytesOf((await attach(profile)).body);
    const made = sourceOf('made.pdf', bytes);
    const shown = (await invoiceShow({ file: made }, createContext())) as RecordResult;
    expect(shown.record).toMatchObject({ file, profile, level, declared, relationship, number: 'A-17' });
    const out = (await invoiceShow({ file: made, xml: true }, createContext())) as BytesResult;
    expect(Buffer.from(await bytesOf(out.body)).toString()).toBe(XML(profile));
    expect((await checked(made, 'pdfa-3b')).checked[0]?.findings).toEqual([]);
    // Another run keeps what the metadata says of it.
    const again = (await archive({ file: made, to: 'pdfa-3b' }, createContext())) as BytesResult;
    const kept = (await invoiceShow(
      { file: sourceOf('a.pdf', await bytesOf(again.body)) },
      createContext(),
    )) as RecordResult;
    expect(kept.record).toMatchObject({ declared });
  });

  it('is refused where it is another level, no invoice, or there is one already', async () => {
    await expect(attach('urn:cen.eu:en16931:2017', 'minimum')).rejects.toThrow(/of the level en16931, not minimum/);
    await expect(attach('urn:somebody')).rejects.toThrow(/urn:somebody, which is no known level/);
    const text = sourceOf('a.xml', Buffer.from('<note/>'));
    const none = invoiceAttach({ file: [fixture('inherited.pdf'), text] }, createContext());
    await expect(none).rejects.toThrow(/a\.xml is no invoice/);
    const once = sourceOf('once.pdf', await bytesOf((await attach('urn:cen.eu:en16931:2017')).body));
    const twice = invoiceAttach({ file: [once, xml('urn:cen.eu:en16931:2017')] }, createContext());
    await expect(twice).rejects.toThrow(/has an attachment named factur-x\.xml already/);
    await expect(invoiceShow({ file: fixture('guide.pdf') }, createContext())).rejects.toThrow(/holds no invoice/);
  });

  it('is left behind by a part of the document, which claims PDF/A and no invoice', async () => {
    const file = sourceOf('once.pdf', await bytesOf((await attach('urn:cen.eu:en16931:2017')).body));
    const { parts } = await split({ file, every: 1 }, createContext());
    const [{ body }] = parts as [Part, ...Part[]]; // a document has a page
    const part = await openSound(memorySource(await bytesOf(body), 'part.pdf'));
    expect(claimsOf(part).map(claimText)).toEqual(['PDF/A-3b']);
    const packet = readXmp(part, part.dict(part.xref.trailer.get('Root'))?.get('Metadata')) ?? '';
    expect(packet).toContain('pdfaid:part');
    expect(invoiceClaimIn(packet)).toBeUndefined();
  });

  it('of earlier rules and other kinds is known', () => {
    const facts = (text: string) => invoiceIn(Buffer.from(text));
    const old =
      '<CrossIndustryDocument><GuidelineSpecifiedDocumentContextParameter><ID>urn:ferd:invoice:rc:comfort</ID>';
    expect(facts(old)).toMatchObject({ root: 'CrossIndustryDocument', level: 'comfort' });
    const ubl = '<ubl:Invoice><cbc:CustomizationID>urn:cen.eu:en16931:2017</cbc:CustomizationID><cbc:ID>7</cbc:ID>';
    expect(facts(ubl)).toMatchObject({ root: 'Invoice', level: 'en16931', number: '7' });
    expect(facts('<html>')).toBeUndefined();
  });
});
