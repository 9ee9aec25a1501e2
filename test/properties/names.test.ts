// What holds for names that collide, for waves of objects sorted by place, and for rows of a table.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sortByPlace } from '../../src/pdf/file/read/order.ts';
import { COMPRESSED, PLAIN, XrefTable } from '../../src/pdf/file/read/xref-table.ts';
import { xrefRows } from '../../src/pdf/file/write/xref-rows.ts';
import { Unique } from '../../src/pdf/structure/unique.ts';

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

it('objects are sorted by place, those of one place as they came', () => {
  const entry = fc.record({ packed: fc.boolean(), place: fc.double({ min: 0, max: 2 ** 35, noNaN: true }) });
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 300 }), (entries) => {
      const table = new XrefTable();
      for (const [i, { packed, place }] of entries.entries()) {
        // The first three are streams; what is packed stands in one of them, or in one that is not there.
        if (packed && i > 2) table.set(i, COMPRESSED, place % 4 < 3 ? Math.floor(place % 4) : 1e6, 0);
        else table.set(i, PLAIN, Math.floor(place), 0);
      }
      const { kind, place } = table;
      const key = (num: number): number => (kind[num] === COMPRESSED ? (place[place[num]!] ?? 0) : place[num]!);
      const nums = Int32Array.from(entries.keys()).reverse();
      const expected = [...nums].sort((a, b) => key(a) - key(b));
      sortByPlace(nums, table);
      expect([...nums]).toEqual(expected);
    }),
  );
});

it('rows of a cross-reference stream say what they were given, predicted or not', () => {
  const entry = fc.record({
    kind: fc.constantFrom(0, PLAIN, COMPRESSED),
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
