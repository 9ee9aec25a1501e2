// Forms that are filled in show the same to two programs, and other programs read the values.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { degrees, PDFDict, PDFDocument, PDFName, PDFStream, PDFString, rgb } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formFill as fill, formFlatten as flatten, formShow as show } from '../local.ts';
import { bytesOf, createContext, sourceOf } from '../properties/context.ts';
import { look } from '../structure/judges.ts';
import { apart, Bench, byMupdf, byPdfium, byPoppler, bytesIn, dark, open, type Pixels, textOf } from './bench.ts';

const ACROFORM = resolve(import.meta.dirname, '../fixtures/documents/pdfbox--acroform.pdf');
const bench = new Bench();
afterAll(() => bench.close());
const FORM = bench.at('form.pdf');

/** Left, bottom, width, height of what can be filled in, on a page of 400 by 500 points. */
const PLACES = {
  'person.name': [50, 440, 200, 20],
  'person.address': [50, 360, 200, 60],
  code: [50, 330, 120, 20],
  agreed: [50, 300, 15, 15],
  country: [50, 230, 120, 20],
  langs: [50, 150, 120, 60],
} as const;

beforeAll(async () => {
  const document = await PDFDocument.create();
  const page = document.addPage([400, 500]);
  const turned = document.addPage([400, 300]);
  turned.setRotation(degrees(90));
  const form = document.getForm();
  const at = (name: keyof typeof PLACES) => {
    const [x, y, width, height] = PLACES[name];
    return { x, y, width, height };
  };
  form.createTextField('person.name').addToPage(page, at('person.name'));
  const address = form.createTextField('person.address');
  address.enableMultiline();
  address.addToPage(page, at('person.address'));
  const code = form.createTextField('code');
  code.setMaxLength(6);
  code.enableCombing();
  code.addToPage(page, at('code'));
  form.createCheckBox('agreed').addToPage(page, at('agreed'));
  const colour = form.createRadioGroup('colour');
  colour.addOptionToPage('red', page, { x: 50, y: 270, width: 15, height: 15 });
  colour.addOptionToPage('green', page, { x: 80, y: 270, width: 15, height: 15 });
  const country = form.createDropdown('country');
  country.setOptions(['France', 'Germany', 'Spain']);
  country.addToPage(page, at('country'));
  const langs = form.createOptionList('langs');
  langs.setOptions(['en', 'de', 'fr']);
  langs.enableMultiselect();
  langs.addToPage(page, at('langs'));
  const second = form.createTextField('second');
  second.setText('kept');
  second.addToPage(turned, { x: 50, y: 100, width: 150, height: 20, rotate: degrees(90) });
  writeFileSync(FORM, await document.save());
});

const VALUES = {
  'person.name': 'Ada Lovelace',
  'person.address': "12 St James's Square\nLondon SW1Y 4JH, and on, in a line that is too long for the box that it has",
  code: 'A1B2C3',
  agreed: true,
  colour: 'green',
  country: 'germany',
  langs: ['de', 'fr'],
};

/** The dark pixels within a field, less its border. */
function inkIn(picture: Pixels, name: keyof typeof PLACES): number {
  const [x, y, width, height] = PLACES[name];
  return dark(picture, [(x + 2) / 400, 1 - (y + height - 2) / 500, (x + width - 2) / 400, 1 - (y + 2) / 500], 200);
}

describe('form fill', () => {
  it('fills every kind of field, as two programs draw and a third one reads', async () => {
    const { path } = await bench.make(fill, { file: open(FORM), values: VALUES });
    const { record } = await show({ file: open(path) }, createContext());
    expect(record.values).toEqual({ ...VALUES, country: 'Germany', second: 'kept' });
    for (const draw of [byPoppler, byMupdf]) {
      const [before, after] = [draw(FORM), draw(path)];
      for (const name of Object.keys(PLACES) as (keyof typeof PLACES)[]) {
        expect(inkIn(after, name), `${name} by ${draw.name}`).toBeGreaterThan(inkIn(before, name) + 8);
      }
    }
  });

  it('shows letters that the standard fonts lack', async () => {
    const values = { 'person.name': 'Łukasz Żak', 'person.address': 'Αθήνα\nМосква', langs: ['de'] };
    for (const isFlat of [false, true]) {
      const { path } = await bench.make(fill, { file: open(FORM), values, flatten: isFlat });
      for (const text of ['Łukasz Żak', 'Αθήνα', 'Москва']) expect(textOf(path)).toContain(text);
      for (const draw of JUDGES) expect(inkIn(await draw(path), 'person.name'), draw.name).toBeGreaterThan(30);
      expect(bytesIn(path).length).toBeLessThan(50_000);
    }
  });

  it('looks nearly the same to both programs', async () => {
    const { path } = await bench.make(fill, { file: open(FORM), values: VALUES });
    const [one, other] = [byPoppler(path), byMupdf(path)];
    for (const name of ['person.name', 'code', 'country'] as const) {
      const [a, b] = [inkIn(one, name), inkIn(other, name)];
      expect(Math.abs(a - b)).toBeLessThan(0.4 * Math.max(a, b));
    }
  });

  it('empties fields', async () => {
    const full = await bench.make(fill, { file: open(FORM), values: VALUES });
    const none = { 'person.name': '', agreed: false, colour: '', country: '', langs: [] };
    const { path } = await bench.make(fill, { file: open(full.path), values: none });
    const { record } = await show({ file: open(path) }, createContext());
    expect(record.values).toMatchObject(none);
    expect(inkIn(byPoppler(path), 'agreed')).toBe(inkIn(byPoppler(FORM), 'agreed'));
  });

  it.each([
    [{ nme: 'x' }, /there is no field nme$/],
    [{ 'person.nme': 'x' }, /did you mean person\.name\?/],
    [{ name: 'x' }, /did you mean person\.name\?/],
    [{ country: 'Spian' }, /expected one of France, Germany, Spain, found Spian; did you mean Spain\?/],
    [{ agreed: 'maybe' }, /agreed: expected one of true, false, found maybe/],
    [{ colour: 'gren' }, /did you mean green\?/],
    [{ code: '1234567' }, /code: it takes 6 characters, found 7/],
    [{ country: ['France', 'Spain'] }, /country: it takes one value, found 2/],
    [{ 'person.name': '漢' }, /person\.name: neither Helvetica nor Liberation Sans has the character/],
    [{ 'person.name': { deep: 1 } }, /person\.name: expected text/],
  ])('refuses %j, and says what fits', async (values, message) => {
    await expect(fill({ file: open(FORM), values }, createContext())).rejects.toThrow(message);
  });

  it('takes JSON, the record of form show, CSV and FDF', async () => {
    const fdf =
      '%FDF-1.2\n1 0 obj\n<</FDF<</Fields[<</T(person)/Kids[<</T(name)/V(Grace)>>]>><</T(agreed)/V/Yes>>]>>>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF';
    const { record } = await show({ file: open(FORM) }, createContext());
    const shown = { ...record, values: { 'person.name': 'Grace', agreed: 'on' } };
    for (const [name, text] of [
      ['a.json', '{"person.name":"Grace","agreed":true}'],
      ['show.json', JSON.stringify(shown)],
      ['a.csv', '\ufeff"person.name";agreed\r\n"Grace";yes\r\n'],
      ['a.fdf', fdf],
    ] as const) {
      const data = sourceOf(name, Buffer.from(text));
      const { path } = await bench.make(fill, { file: open(FORM), data });
      const found = await show({ file: open(path) }, createContext());
      expect(found.record.values, name).toMatchObject({ 'person.name': 'Grace', agreed: true });
    }
  });

  it('makes one PDF for each line of a CSV, with names of its own', async () => {
    const csv = 'person.name,code\n"Ada, Countess",1\nGrace,2\nGrace,3\n';
    const data = sourceOf('a.csv', Buffer.from(csv));
    const result = await fill({ file: open(FORM), data, each: true, name: '{person.name}' }, createContext());
    if (result.kind !== 'parts') throw new Error('expected parts');
    expect(result.parts.map(({ name }) => name)).toEqual(['Ada- Countess.pdf', 'Grace.pdf', 'Grace-2.pdf']);
    const path = bench.keep('third.pdf', await bytesOf(result.parts[2]!.body));
    const { record } = await show({ file: open(path) }, createContext());
    expect(record.values).toMatchObject({ 'person.name': 'Grace', code: '3' });
    await expect(fill({ file: open(FORM), data }, createContext())).rejects.toThrow(/3 sets of values for one PDF/);
  });

  it('draws what was filled in before, where the form leaves that to viewers', async () => {
    const document = await PDFDocument.load(readFileSync(FORM));
    const form = document.getForm();
    form.acroForm.dict.set(PDFName.of('NeedAppearances'), document.context.obj(true));
    const field = form.getTextField('person.name');
    field.acroField.dict.set(PDFName.of('V'), document.context.obj('Bare'));
    for (const widget of field.acroField.getWidgets()) widget.dict.delete(PDFName.of('AP'));
    const bare = bench.keep('bare.pdf', await document.save({ updateFieldAppearances: false }));
    const { path } = await bench.make(fill, { file: open(bare), values: { code: '1' } });
    expect(inkIn(byPoppler(path), 'person.name')).toBeGreaterThan(20);
    expect(inkIn(byMupdf(path), 'person.name')).toBeGreaterThan(20);
    expect(bytesIn(path).toString('latin1')).not.toContain('NeedAppearances');
  });

  it('names the fields that scripts would compute anew', async () => {
    const document = await PDFDocument.load(readFileSync(FORM));
    const form = document.getForm();
    const [total, sum] = ['code', 'second'].map((name) => form.getTextField(name).acroField);
    const script = { S: 'JavaScript', JS: 'AFSimple_Calculate("SUM", ["a"]);' };
    total?.dict.set(PDFName.of('AA'), document.context.obj({ C: script }));
    form.acroForm.dict.set(PDFName.of('CO'), document.context.obj([total?.ref, sum?.ref].map((ref) => ref ?? null)));
    const path = bench.keep('computing.pdf', await document.save());
    const warned = async (values: Record<string, unknown>) =>
      (await bench.make(fill, { file: open(path), values })).warnings.join('\n');
    expect(await warned({ agreed: true })).toMatch(/not computed anew, as its scripts would do: code, second$/);
    expect(await warned({ code: '12' })).toMatch(/would do: second$/);
    expect(await warned({ code: '12', second: 'x' })).not.toMatch(/computed/);
  });

  it('calls a document signed where a signature field has a value, and only there', async () => {
    const warnedOf = async (isSigned: boolean, hasRights = false): Promise<string> => {
      const document = await PDFDocument.load(readFileSync(FORM));
      const { acroForm } = document.getForm();
      acroForm.dict.set(PDFName.of('SigFlags'), document.context.obj(3));
      const field = document.context.obj({ FT: 'Sig', T: PDFString.of('signature') });
      if (isSigned) field.set(PDFName.of('V'), document.context.obj({ Type: 'Sig', Filter: 'Adobe.PPKLite' }));
      acroForm.addField(document.context.register(field));
      const rights = document.context.register(document.context.obj({ Type: 'Sig', Filter: 'Adobe.PPKLite' }));
      if (hasRights) document.catalog.set(PDFName.of('Perms'), document.context.obj({ UR3: rights }));
      const path = bench.keep('signature.pdf', await document.save());
      const made = await bench.make(fill, { file: open(path), values: { code: '1' } });
      // Adobe Reader complains of rights that were granted for other bytes.
      const written = await PDFDocument.load(readFileSync(made.path));
      const left = written.catalog.lookupMaybe(PDFName.of('Perms'), PDFDict)?.lookup(PDFName.of('UR3'));
      expect(left).not.toBeInstanceOf(PDFDict);
      return made.warnings.join();
    };
    expect(await warnedOf(false)).toBe('');
    expect(await warnedOf(true)).toMatch(/is signed; the signature does not/);
    expect(await warnedOf(false, true)).toBe(
      'signature.pdf has usage rights for Adobe Reader, which do not hold for the new file',
    );
  });

  it('fills a form of another maker', async () => {
    const { record } = await show({ file: open(ACROFORM) }, createContext());
    const fields = record.fields as { name: string; type: string }[];
    const texts = fields.filter(({ type }) => type === 'text').map(({ name }) => name);
    expect(texts.length).toBeGreaterThan(0);
    const values = Object.fromEntries(texts.map((name, i) => [name, `v${i}`]));
    const { path } = await bench.make(fill, { file: open(ACROFORM), values });
    const again = await show({ file: open(path) }, createContext());
    expect(again.record.values).toMatchObject(values);
  });
});

const JUDGES = [byPoppler, byMupdf, byPdfium];

describe('form flatten', () => {
  it('keeps how pages look, and leaves no field', async () => {
    const full = await bench.make(fill, { file: open(FORM), values: VALUES });
    const { path } = await bench.make(flatten, { file: open(full.path) });
    for (const draw of JUDGES)
      for (const page of [1, 2])
        expect(apart(await draw(full.path, page), await draw(path, page)), draw.name).toBeLessThan(20);
    expect(look(path).fields).toEqual([]);
    expect(textOf(path)).toContain('Ada Lovelace');
    await expect(flatten({ file: open(path) }, createContext())).rejects.toThrow(/has no form fields/);
  });

  it('draws appearances that do not say that they are forms', async () => {
    const full = await bench.make(fill, { file: open(FORM), values: VALUES });
    const document = await PDFDocument.load(readFileSync(full.path));
    for (const field of document.getForm().getFields())
      for (const { dict } of field.acroField.getWidgets()) {
        const normal = dict.lookup(PDFName.of('AP'), PDFDict).lookup(PDFName.of('N'));
        const streams =
          normal instanceof PDFDict ? normal.values().map((ref) => document.context.lookup(ref)) : [normal];
        for (const stream of streams)
          if (stream instanceof PDFStream) for (const key of ['Type', 'Subtype']) stream.dict.delete(PDFName.of(key));
      }
    const bare = bench.keep('untyped.pdf', await document.save({ updateFieldAppearances: false }));
    const { path } = await bench.make(flatten, { file: open(bare) });
    for (const draw of JUDGES) expect(apart(await draw(full.path), await draw(path)), draw.name).toBeLessThan(20);
  });

  it.each([true, false])('keeps boxes, colours and captions of fields that have no appearance (%s)', async (asks) => {
    const document = await PDFDocument.create();
    const page = document.addPage([400, 300]);
    const form = document.getForm();
    const look = (y: number) => ({
      ...{ x: 50, y, width: 120, height: 24, borderWidth: 2 },
      ...{ backgroundColor: rgb(0.5, 0.5, 0.7), borderColor: rgb(0, 0, 0.5) },
    });
    form.createTextField('empty').addToPage(page, look(250));
    form.createDropdown('choice').addToPage(page, look(210));
    form.createCheckBox('tick').addToPage(page, { ...look(170), width: 24 });
    form.createButton('push').addToPage('Press', page, look(130));
    if (asks) form.acroForm.dict.set(PDFName.of('NeedAppearances'), document.context.obj(true));
    for (const field of form.getFields())
      for (const { dict } of field.acroField.getWidgets()) dict.delete(PDFName.of('AP'));
    const bare = bench.keep('bare-boxes.pdf', await document.save({ updateFieldAppearances: false }));
    const { path } = await bench.make(flatten, { file: open(bare) });
    for (const draw of JUDGES) {
      const [before, after] = [await draw(bare), await draw(path)];
      // PDFium alone draws the arrow of a choice; borders of two viewers are a pixel apart.
      expect(apart(before, after), draw.name).toBeLessThan(700);
      for (const y of [250, 210, 170, 130]) {
        const middle = Math.round(after.width * (300 - y - 12)) + 56;
        expect(Math.abs((after.pixels[middle] ?? 0) - (before.pixels[middle] ?? 0)), `${draw.name} ${y}`).toBeLessThan(
          3,
        );
        expect(after.pixels[middle]).toBeLessThan(160);
      }
    }
    expect(textOf(path)).toContain('Press');
  });

  it('is done at once by form fill --flatten', async () => {
    const { path } = await bench.make(fill, { file: open(FORM), values: VALUES, flatten: true });
    expect(look(path).fields).toEqual([]);
    expect(textOf(path)).toContain('London SW1Y 4JH');
  });
});
