import fc from 'fast-check';

/** One blow. Places are fractions of the file, so that shrinking a file keeps them inside. */
export type Blow =
  | { readonly kind: 'flip'; readonly at: number; readonly bit: number }
  | { readonly kind: 'put'; readonly at: number; readonly text: string }
  | { readonly kind: 'cut'; readonly at: number; readonly length: number }
  | { readonly kind: 'end'; readonly at: number }
  | { readonly kind: 'copy'; readonly at: number; readonly from: number; readonly length: number }
  | { readonly kind: 'number'; readonly at: number; readonly value: string };

const place = fc.double({ min: 0, max: 1, noNaN: true });
/** Words that mean something to a reader, put where they do not belong. */
const word = fc.constantFrom(
  ...[
    'obj',
    'endobj',
    'stream\n',
    'endstream',
    'xref',
    'trailer',
    'startxref',
    '<<',
    '>>',
    '[',
    ']',
    '(',
    ')',
    '<',
    '>',
  ],
  ...['/Length', '/Kids', '/Count', '/Parent', '/Type/ObjStm', '/Prev', '/Root', ' 0 R', '%', '%PDF-', '\0', '#', '\\'],
);
const number = fc.constantFrom('0', '-1', '1', '99', '2147483647', '4294967296', '99999999999999999999', '1e9', '0.5');

export const anyBlow: fc.Arbitrary<Blow> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('flip' as const), at: place, bit: fc.nat(7) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('number' as const), at: place, value: number }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('put' as const), at: place, text: word }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cut' as const), at: place, length: fc.nat(200) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('copy' as const), at: place, from: place, length: fc.nat(400) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end' as const), at: place }) },
);

/** The file after the blows, in order. */
export function damage(bytes: Uint8Array, blows: readonly Blow[]): Uint8Array {
  return blows.reduce<Uint8Array>(strike, bytes);
}

function strike(bytes: Uint8Array, blow: Blow): Uint8Array {
  const at = Math.floor(blow.at * bytes.length);
  const splice = (from: number, drop: number, add: Uint8Array): Uint8Array =>
    Buffer.concat([bytes.subarray(0, from), add, bytes.subarray(from + drop)]);
  switch (blow.kind) {
    case 'flip': {
      const flipped = bytes.slice();
      if (at < flipped.length) flipped[at] = flipped[at]! ^ (1 << blow.bit);
      return flipped;
    }
    case 'put':
      return splice(at, blow.text.length, Buffer.from(blow.text, 'latin1'));
    case 'cut':
      return splice(at, blow.length, Buffer.alloc(0));
    case 'end':
      return bytes.slice(0, at);
    case 'copy': {
      const from = Math.floor(blow.from * bytes.length);
      return splice(at, 0, bytes.subarray(from, from + blow.length));
    }
    case 'number':
      return replaceNumber(bytes, at, blow.value);
  }
}

/** The first number at or behind a place, replaced. */
function replaceNumber(bytes: Uint8Array, at: number, value: string): Uint8Array {
  const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;
  let start = at;
  while (start < bytes.length && !isDigit(bytes[start])) start++;
  let end = start;
  while (isDigit(bytes[end])) end++;
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(value), bytes.subarray(end)]);
}
