// Reads certificate revocation lists (RFC 5280, 5) by hand: a library's values for 100,000 entries take seconds. A list
// counts only if it is of this issuer, signed by it, in scope, and in force at the time in question.
import type { X509Certificate } from 'node:crypto';
import { algorithmOf, isSignatureOf, libraries, sameBytes } from './cms.ts';
import { derContents, fieldsOf, membersOf, oid } from './der.ts';

type Status = 'good' | 'revoked' | 'unknown';

/** Tags of ASN.1. */
const [BOOLEAN, INTEGER, OCTETS, SEQUENCE, UTC, GENERALIZED] = [0x01, 0x02, 0x04, 0x30, 0x17, 0x18];
const EXTENSIONS = 0xa0;
/** Extensions: the number of a list, the key of its issuer, and its scope. */
const [NUMBER, KEY, SCOPE] = [oid('2.5.29.20'), oid('2.5.29.35'), oid('2.5.29.28')];

/** The status of a certificate in a list, at a time. */
export async function statusInList(
  list: Uint8Array,
  certificate: X509Certificate,
  issuer: X509Certificate,
  at: Date,
): Promise<Status> {
  try {
    const [signed = list, algorithm = list, bits = list] = membersOf(list);
    const fields = membersOf(signed).filter((field) => field[0] !== INTEGER);
    const [, name = list, , ...rest] = fields;
    if (!sameBytes(name, fieldsOf(issuer.raw).subject)) return 'unknown';
    const { pki, parse } = await libraries();
    const how = algorithmOf(new pki.AlgorithmIdentifier({ schema: parse(algorithm).result }), '');
    // The signature's bits, behind the count of unused ones.
    if (!isSignatureOf(how, issuer.publicKey, signed, derContents(bits).subarray(1))) return 'unknown';
    const extensions = rest.find((field) => field[0] === EXTENSIONS);
    if (extensions !== undefined && !coversAll(extensions, certificate)) return 'unknown';
    const revoked = rest.find((field) => field[0] === SEQUENCE);
    const { serial } = fieldsOf(certificate.raw);
    const entry = membersOf(revoked ?? Uint8Array.of(SEQUENCE, 0)).find((one) => sameBytes(membersOf(one)[0], serial));
    if (entry !== undefined) return timeOf(membersOf(entry)[1]) <= at ? 'revoked' : 'good';
    const next = rest.find((field) => field[0] === UTC || field[0] === GENERALIZED);
    // A list that was replaced before the certificate was used says nothing about that time.
    return next === undefined || timeOf(next) >= at ? 'good' : 'unknown';
  } catch {
    return 'unknown'; // Hostile bytes: what cannot be read tells nothing.
  }
}

/** Whether the list's extensions let it cover this certificate. */
function coversAll(extensions: Uint8Array, certificate: X509Certificate): boolean {
  return membersOf(derContents(extensions)).every((extension) => {
    const [id = extension, ...rest] = membersOf(extension);
    const isCritical = rest[0]?.[0] === BOOLEAN && derContents(rest[0])[0] !== 0;
    if (!sameBytes(id, SCOPE)) return !isCritical || sameBytes(id, NUMBER) || sameBytes(id, KEY);
    const value = rest.find((one) => one[0] === OCTETS);
    return value !== undefined && isInScope(derContents(value), certificate);
  });
}

/** The issuing distribution point (5.2.5): [1] users, [2] authorities; [3] to [5] few reasons, others, attributes. */
function isInScope(scope: Uint8Array, certificate: X509Certificate): boolean {
  return membersOf(scope).every((part) => {
    const isSet = (derContents(part)[0] ?? 0) !== 0;
    if (part[0] === 0x81) return !isSet || !certificate.ca;
    if (part[0] === 0x82) return !isSet || certificate.ca;
    if (part[0] !== 0xa0) return !isSet;
    // One of several lists of an issuer: the certificate names its list.
    const names = membersOf(derContents(part)).map((one) => derContents(one));
    return names.some((one) => certificate.raw.includes(Buffer.from(one)));
  });
}

/** `rest` of a UTCTime or GeneralizedTime. */
function timeOf(value: Uint8Array | undefined): Date {
  const text = Buffer.from(derContents(value ?? new Uint8Array())).toString('latin1');
  const [, year = '', ...parts] = /^(\d\d|\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?Z$/.exec(text) ?? [];
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map((part) => Number(part ?? 0));
  const century = year.length === 4 ? '' : Number(year) < 50 ? '20' : '19';
  const time = Date.UTC(Number(`${century}${year}`), month - 1, day, hour, minute, second);
  if (year === '') throw new RangeError('a time cannot be read');
  return new Date(time);
}
