// Owns what holds for names kept as bytes, for waves of objects sorted by place, and for rows of a table: each against the plain way.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sortByPlace } from '../../src/pdf/file/order.ts';
import { PACKED, PLAIN, XrefTable } from '../../src/pdf/file/xref.ts';
import { xrefRows } from '../../src/pdf/file/xref-rows.ts';
import { NameList } from '../../src/pdf/structure/name-list.ts';
import { NameTable } from '../../src/pdf/structure/name-table.ts';
import { renameCollisions } from '../../src/pdf/structure/renames.ts';

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const name = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
  maxLength: 6,
});

it('a table finds each name under one number, and has them in the order of their bytes', () => {
  fc.assert(
    fc.property(fc.array(name, { maxLength: 600 }), (names) => {
      const table = new NameTable();
      const numbers = new Map<string, number>();
      for (const each of names) {
        expect(table.findText(each)).toBe(numbers.get(each) ?? -1);
        numbers.set(each, table.addText(each));
      }
      expect(table.size).toBe(new Set(names).size);
      for (const [each, number] of numbers) {
        expect(table.text(number)).toBe(each);
        expect(table.find(bytes(`(${each})`), 1, 1 + each.length)).toBe(number);
      }
      const sorted = [...numbers.values()].sort((a, b) => table.compare(a, b));
      expect(sorted.map((number) => table.text(number))).toEqual([...numbers.keys()].sort((a, b) => (a < b ? -1 : 1)));
    }),
  );
});

it('names that are made to have one hash are found all the same, and soon', () => {
  // In a hash that multiplies by 31, Aa and BB are one.
  const names = Array.from({ length: 1 << 14 }, (_, i) =>
    Array.from({ length: 14 }, (_, bit) => (((i >> bit) & 1) === 0 ? 'Aa' : 'BB')).join(''),
  );
  const table = new NameTable();
  const began = performance.now();
  const numbers = names.map((each) => table.addText(each));
  expect(numbers).toEqual(names.map((_, i) => i));
  expect(names.map((each) => table.findText(each))).toEqual(numbers);
  // Each compared with each would take minutes.
  expect(performance.now() - began).toBeLessThan(5000);
});

it('of names that collide all are kept, distinct, the first as it was', () => {
  const inputs = fc.array(fc.uniqueArray(fc.constantFrom('a', 'a-2', 'a-3', 'b', '\xfe\xff\0a', '')), {
    minLength: 2,
    maxLength: 4,
  });
  fc.assert(
    fc.property(inputs, (all) => {
      const table = new NameTable();
      const lists = all.map((names) => {
        const list = new NameList<null>(table);
        for (const each of names) list.refer(table.addText(each), 1);
        return [list];
      });
      const renames = renameCollisions(table, lists, '-');
      const output = all.flatMap((names, i) => names.map((each) => renames[i]!.get(each) ?? each));
      expect(new Set(output).size).toBe(output.length);
      expect(output.slice(0, all[0]!.length)).toEqual(all[0]);
    }),
  );
});

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
        [1, 6, 2],
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
