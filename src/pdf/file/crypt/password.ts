// Passwords as revision 5 and 6 take them (ISO 32000-2, 7.6.4.3.3): prepared by SASLprep (RFC 4013), in UTF-8, 127 bytes.

const MOST_BYTES = 127;
/** RFC 3454, tables C.1.2 and B.1: other kinds of space, and characters that are not shown. */
const SPACES = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/gu;
const UNSEEN = /\u00ad|\u034f|\u1806|\u200c|\u200d|\u2060|\ufeff|\p{Variation_Selector}/gu;

/** The bytes of a new password: the same however a keyboard writes its letters. */
export function preparedPassword(password: string): Uint8Array {
  const plain = password.replace(SPACES, ' ').replace(UNSEEN, '').normalize('NFKC');
  return Buffer.from(plain, 'utf8').subarray(0, MOST_BYTES);
}

/** Forms of a given password to try: many writers use it without SASLprep. */
export function passwordForms(password: string): Uint8Array[] {
  const raw = Buffer.from(password, 'utf8').subarray(0, MOST_BYTES);
  const prepared = preparedPassword(password);
  return raw.equals(prepared) ? [raw] : [raw, prepared];
}
