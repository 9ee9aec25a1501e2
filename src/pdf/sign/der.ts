// Writes and reads ASN.1 values in DER (ITU-T X.690), for the few messages made here.

/** A value: its tag and contents. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const hex = body.length.toString(16);
  const length = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body]);
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
export const octets = (bytes: Uint8Array): Buffer => der(0x04, bytes);
export const NULL = der(0x05);

/** A set, whose members are in byte order. */
export function derSet(...parts: readonly Uint8Array[]): Buffer {
  return der(0x31, ...parts.toSorted(Buffer.compare));
}

/** A non-negative integer, from its bytes. */
export function derInteger(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const body = first < 0 ? Buffer.from([0]) : bytes.subarray(first);
  return der(0x02, (body[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), body]) : body);
}

export function small(value: number): Buffer {
  return derInteger(Buffer.from([value]));
}

/** An object identifier, such as `1.2.840.113549.1.7.2`. */
export function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((part) => {
    const digits = [part & 0x7f];
    for (let left = Math.floor(part / 128); left > 0; left = Math.floor(left / 128))
      digits.unshift((left & 0x7f) | 0x80);
    return digits;
  });
  return der(0x06, Buffer.from(bytes));
}

/** Where a value's contents begin in DER, and where it ends. */
function measure(bytes: Uint8Array, at: number): { from: number; end: number } {
  const first = bytes[at + 1] ?? 0;
  const count = first < 0x80 ? 0 : first & 0x7f;
  let length = count === 0 ? first : 0;
  for (let i = 0; i < count; i++) length = length * 256 + (bytes[at + 2 + i] ?? 0);
  const from = at + 2 + count;
  if (first === 0x80 || from + length > bytes.length) throw new RangeError('a value of ASN.1 does not end');
  return { from, end: from + length };
}

/** The first value, without what follows it, such as the zeros behind a signature. */
export function firstOf(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, measure(bytes, 0).end);
}

export function membersOf(bytes: Uint8Array): Uint8Array[] {
  const { from, end } = measure(bytes, 0);
  const members: Uint8Array[] = [];
  for (let at = from; at < end; ) {
    const next = measure(bytes, at).end;
    members.push(bytes.subarray(at, next));
    at = next;
  }
  return members;
}

/** The contents of a value, without its tag and length. */
export function derContents(bytes: Uint8Array): Uint8Array {
  const { from, end } = measure(bytes, 0);
  return bytes.subarray(from, end);
}

/** The fields of a certificate, each with its tag. */
export function fieldsOf(certificate: Uint8Array) {
  const fields = membersOf(membersOf(certificate)[0] ?? new Uint8Array()).filter((one) => one[0] !== 0xa0);
  const [serial, , issuer, , subject, publicKey] = fields;
  if (serial === undefined || issuer === undefined || subject === undefined || publicKey === undefined) {
    throw new RangeError('it is no certificate');
  }
  return { serial, issuer, subject, publicKey };
}
