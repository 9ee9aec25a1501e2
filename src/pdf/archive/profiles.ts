// Makes the colour profile of sRGB, computed from its definition (IEC 61966-2-1) in the layout of ICC.1:2001: free of
// anybody's rights.

/** Primaries and white of sRGB, adapted to D50 by Bradford's method (IEC 61966-2-1, amendment 1). */
const COLORANTS = {
  wtpt: [0.9505, 1, 1.0891],
  rXYZ: [0.43607, 0.22249, 0.01392],
  gXYZ: [0.38515, 0.71687, 0.09708],
  bXYZ: [0.14307, 0.06061, 0.7141],
} as const;
const CURVE_POINTS = 1024;
const HEADER = 128;

/** A profile of version 2, for monitors. */
export function srgbProfile(): Uint8Array {
  const tags: [names: readonly string[], data: Buffer][] = [
    [['desc'], description('sRGB')],
    [['cprt'], Buffer.from('text\0\0\0\0CC0 1.0\0', 'latin1')],
    ...Object.entries(COLORANTS).map(([name, xyz]): [string[], Buffer] => [[name], xyzTag(xyz)]),
    [['rTRC', 'gTRC', 'bTRC'], curve()],
  ];
  const rows = tags.flatMap(([names]) => names).length;
  const parts: Buffer[] = [];
  const table = Buffer.alloc(4 + 12 * rows);
  table.writeUInt32BE(rows);
  let at = HEADER + table.length;
  let row = 4;
  for (const [names, data] of tags) {
    const padded = Buffer.concat([data, Buffer.alloc(-data.length & 3)]);
    for (const name of names) {
      table.write(name, row, 'latin1');
      table.writeUInt32BE(at, row + 4);
      table.writeUInt32BE(data.length, row + 8);
      row += 12;
    }
    parts.push(padded);
    at += padded.length;
  }
  const header = Buffer.alloc(HEADER);
  header.writeUInt32BE(at);
  header.writeUInt32BE(0x02400000, 8);
  header.write('mntrRGB XYZ ', 12, 'latin1');
  [2026, 1, 1].forEach((value, i) => {
    header.writeUInt16BE(value, 24 + 2 * i);
  });
  header.write('acsp', 36, 'latin1');
  xyzNumbers([0.9642, 1, 0.82491]).copy(header, 68);
  return Buffer.concat([header, table, ...parts]);
}

function xyzNumbers(xyz: readonly number[]): Buffer {
  const bytes = Buffer.alloc(12);
  xyz.forEach((value, i) => {
    bytes.writeInt32BE(Math.round(value * 65536), 4 * i);
  });
  return bytes;
}

function xyzTag(xyz: readonly number[]): Buffer {
  return Buffer.concat([Buffer.from('XYZ \0\0\0\0', 'latin1'), xyzNumbers(xyz)]);
}

function description(text: string): Buffer {
  const bytes = Buffer.alloc(12 + text.length + 1 + 78);
  bytes.write('desc', 0, 'latin1');
  bytes.writeUInt32BE(text.length + 1, 8);
  bytes.write(text, 12, 'latin1');
  return bytes;
}

function curve(): Buffer {
  const bytes = Buffer.alloc(12 + 2 * CURVE_POINTS);
  bytes.write('curv', 0, 'latin1');
  bytes.writeUInt32BE(CURVE_POINTS, 8);
  for (let i = 0; i < CURVE_POINTS; i++) {
    const value = i / (CURVE_POINTS - 1);
    const linear = value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    bytes.writeUInt16BE(Math.round(linear * 65535), 12 + 2 * i);
  }
  return bytes;
}
