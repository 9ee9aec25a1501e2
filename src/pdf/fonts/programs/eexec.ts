// The two ciphers of a Type 1 font program (Adobe Type 1 Font Format, chapter 7) and where the encrypted part begins.

const EEXEC_KEY = 55665;
const CHARSTRING_KEY = 4330;
const EEXEC_LEAD = 4;

/** Undoes one of the ciphers and drops the `lead` random bytes in front. */
function decrypt(bytes: Uint8Array, key: number, lead: number): Uint8Array {
  const out = new Uint8Array(bytes.length);
  let r = key;
  for (let i = 0; i < bytes.length; i++) {
    const cipher = bytes[i]!;
    out[i] = cipher ^ (r >> 8);
    r = ((cipher + r) * 52845 + 22719) & 0xffff;
  }
  return out.subarray(lead);
}

/** A charstring as it is interpreted. `lenIV` is the font's number of leading random bytes; -1 means not encrypted. */
export function decryptCharstring(bytes: Uint8Array, lenIV: number): Uint8Array {
  return lenIV < 0 ? bytes : decrypt(bytes, CHARSTRING_KEY, lenIV);
}

/** Both parts of a font program as plain PostScript; undefined where no encrypted part is found. */
export function splitProgram(program: Uint8Array): { clear: Uint8Array; secret: Uint8Array } | undefined {
  const bytes = joinSegments(program);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  // The word may also stand in a comment or a string before the operator, so every place is tried.
  for (let at = text.indexOf('eexec'); at >= 0; at = text.indexOf('eexec', at + 1)) {
    let start = at + 5;
    while (isSpace(bytes[start])) start += 1;
    const body = bytes.subarray(start);
    const secret = decrypt(isHex(body) ? fromHex(body) : body, EEXEC_KEY, EEXEC_LEAD);
    if (Buffer.from(secret.buffer, secret.byteOffset, secret.length).includes('/CharStrings'))
      return { clear: bytes.subarray(0, at), secret };
  }
  return undefined;
}

/** A font stream should hold no PFB segment headers, but some writers leave them in. */
function joinSegments(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x80) return bytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const segments: Uint8Array[] = [];
  for (let at = 0; at + 6 <= bytes.length && bytes[at] === 0x80 && bytes[at + 1] !== 3; ) {
    const size = view.getUint32(at + 2, true);
    segments.push(bytes.subarray(at + 6, at + 6 + size));
    at += 6 + size;
  }
  return Buffer.concat(segments);
}

/** The encrypted part is hexadecimal when its first four bytes are (section 7.2 forbids such bytes in the binary form). */
function isHex(bytes: Uint8Array): boolean {
  for (let i = 0; i < 4; i++) if (hexDigit(bytes[i]) < 0) return false;
  return true;
}

function fromHex(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length >> 1);
  let length = 0;
  let high = -1;
  for (const byte of bytes) {
    const digit = hexDigit(byte);
    if (digit < 0) {
      if (isSpace(byte)) continue;
      break;
    }
    if (high < 0) high = digit;
    else {
      out[length++] = (high << 4) | digit;
      high = -1;
    }
  }
  return out.subarray(0, length);
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 48 && byte <= 57) return byte - 48;
  const letter = byte | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 32 || byte === 9 || byte === 10 || byte === 13;
}
