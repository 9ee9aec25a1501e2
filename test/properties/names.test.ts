// Owns what holds for lists of names, for waves of objects sorted by place, and for rows of a table: each against the plain way.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sortByPlace } from '../../src/pdf/file/order.ts';
import { Parser } from '../../src/pdf/file/parse.ts';
import { PdfString } from '../../src/pdf/file/values.ts';
import { PACKED, PLAIN, XrefTable } from '../../src/pdf/file/xref.ts';
import { xrefRows } from '../../src/pdf/file/xref-rows.ts';
import { areDistinct, hashOf, NameList } from '../../src/pdf/structure/name-list.ts';
import { NameTable } from '../../src/pdf/structure/name-table.ts';
import { renamesOf } from '../../src/pdf/structure/renames.ts';
import { StringReader } from '../../src/pdf/structure/string-reader.ts';
import { nameOf } from '../../src/pdf/structure/trees.ts';
import { Unique } from '../../src/pdf/structure/unique.ts';

const name = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
  maxLength: 6,
});

it('a list leaves the first of a name given twice, and is sorted by the bytes of names', () => {
  fc.assert(
    fc.property(fc.array(name, { maxLength: 200 }), (names) => {
      const list = new NameList();
      for (const [i, each] of names.entries()) list.refer(Buffer.from(each, 'latin1'), 0, each.length, i);
      list.settle();
      const distinct = [...new Set(names)];
      expect(distinct.map((_, i) => list.text(i))).toEqual(distinct);
      expect(list.count).toBe(distinct.length);
      expect(distinct.map((_, i) => list.reference(i))).toEqual(distinct.map((each) => names.indexOf(each)));
      const order = Array.from(list.sorted(), (i) => Buffer.from(list.text(i), 'latin1'));
      expect(order).toEqual(order.toSorted(Buffer.compare));
    }),
  );
});

const inputs = fc.array(
  fc.uniqueArray(fc.constantFrom('a', 'a-2', 'a-3', 'b', '\xfe\xff\0a', '\xff\xfea\0', '\xfe', '')),
  {
    minLength: 2,
    maxLength: 4,
  },
);

it('of names that collide all are kept, distinct, the first as it was', () => {
  fc.assert(
    fc.property(inputs, (all) => {
      const unique = new Unique('-');
      for (const [i, names] of all.entries()) unique.know(names, i);
      const renames = all.map((names, i) => unique.rename(names, i));
      const output = all.flatMap((names, i) => names.map((each) => renames[i]!.get(each) ?? each));
      expect(new Set(output).size).toBe(output.length);
      expect(output.slice(0, all[0]!.length)).toEqual(all[0]);
    }),
  );
});

it('names of lists are renamed as the same names are that are no lists', () => {
  fc.assert(
    fc.property(inputs, (all) => {
      const unique = new Unique('-');
      for (const [i, names] of all.entries()) unique.know(names, i);
      const expected = all.map((names, i) => unique.rename(names, i));
      // Half of the names of each input are in one list, half in another.
      const lists = all.map((names) => [listOf(names.slice(1)), listOf(names.slice(0, 1))]);
      const renames = renamesOf(new Map(lists.entries()));
      for (const [i, names] of all.entries()) {
        const found = names.map((each) => renames.get(i)?.get(each));
        expect(found.map((each) => each !== undefined)).toEqual(names.map((each) => expected[i]!.has(each)));
      }
      const output = all.flatMap((names, i) => names.map((each) => renames.get(i)?.get(each) ?? each));
      expect(new Set(output).size).toBe(output.length);
      expect(areDistinct(lists.flat())).toBe(new Set(all.flat()).size === all.flat().length);
    }),
  );
});

it('a table finds what a map would, also names that were made to have one slot', () => {
  const table = new NameTable(300);
  const list = listOf(crowd(200));
  const others = listOf(Array.from({ length: 100 }, (_, i) => `other ${i}`));
  for (const each of [list, others]) {
    for (let i = 0; i < each.count; i++) expect(table.add(each, i, i)).toBe(-1);
    for (let i = 0; i < each.count; i++) expect(table.add(each, i, 1000)).toBe(i);
  }
  expect(table.size).toBe(300);
  const absent = Buffer.from('absent');
  expect(table.get(absent, 0, absent.length)).toBe(-1);
});

it('a string with escapes is read as its bytes', () => {
  const reader = new StringReader();
  const piece = fc.constantFrom('a', ' ', '\\040', '\\377', '\\12', '\\n', '\\\n', '\\)', '(b)', '\r');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const bytes = Buffer.from(`(${pieces.join('')}) `, 'latin1');
      const value = new Parser(bytes).value();
      expect(reader.read(bytes, 0, bytes.length)).toBe(true);
      expect(reader.text()).toBe(value instanceof PdfString ? nameOf(value) : undefined);
      expect(reader.behind).toBe(bytes.length - 1);
    }),
  );
});

function listOf(names: readonly string[]): NameList {
  const list = new NameList();
  for (const each of names) list.refer(Buffer.from(each, 'latin1'), 0, each.length, 0);
  return list;
}

/** So many names whose hashes end in the same bits, as somebody may look for who wants a reader to take long. */
function crowd(count: number): string[] {
  const found: string[] = [];
  for (let i = 0; found.length < count; i++) {
    const bytes = Buffer.from(`name ${i}`);
    if ((hashOf(bytes, 0, bytes.length) & 1023) === 7) found.push(`name ${i}`);
  }
  return found;
}

it('objects are sorted by place, those of one place as they came', () => {
  const entry = fc.record({ packed: fc.boolean(), place: fc.double({ min: 0, max: 2 ** 35, noNaN: true }) });
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 300 }), (entries) => {
      const table = new XrefTable();
      for (const [i, { packed, place }] of entries.entries()) {
        // The first three are streams; what is packed stands in one of them, or in one that is not there.
        if (packed && i > 2) table.set(i, PACKED, place % 4 < 3 ? Math.floor(place % 4) : 1e6, 0);
        else table.set(i, PLAIN, Math.floor(place), 0);
      }
      const { kind, place } = table;
      const key = (num: number): number => (kind[num] === PACKED ? (place[place[num]!] ?? 0) : place[num]!);
      const nums = Int32Array.from(entries.keys()).reverse();
      const expected = [...nums].sort((a, b) => key(a) - key(b));
      sortByPlace(nums, table);
      expect([...nums]).toEqual(expected);
    }),
  );
});

it('rows of a cross-reference stream say what they were given, predicted or not', () => {
  const entry = fc.record({
    kind: fc.constantFrom(0, PLAIN, PACKED),
    place: fc.integer({ min: 0, max: 2 ** 47 }),
    index: fc.integer({ min: 0, max: 65_535 }),
  });
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 50 }), fc.boolean(), (entries, predicted) => {
      const rows = xrefRows(
        {
          kind: Uint8Array.from(entries, ({ kind }) => kind),
          place: Float64Array.from(entries, ({ place }) => place),
          index: Uint16Array.from(entries, ({ index }) => index),
        },
        [0, entries.length],
        { wide: 6, last: 2 },
        predicted,
      );
      const width = predicted ? 10 : 9;
      const above = new Uint8Array(9);
      const found = entries.map((_, i) => {
        const row = Buffer.from(rows.subarray(i * width + width - 9, (i + 1) * width));
        if (predicted) {
          expect(rows[i * width]).toBe(2);
          for (let at = 0; at < 9; at++) row[at]! += above[at]!;
          above.set(row);
        }
        return [row[0], row.readUIntBE(1, 6), row.readUInt16BE(7)];
      });
      expect(found).toEqual(
        entries.map(({ kind, place, index }, i) => {
          if (i === 0 || kind === 0) return [0, 0, 255];
          return kind === PLAIN ? [1, place, 0] : [2, place, index];
        }),
      );
    }),
  );
});
