// Reads signed messages (CMS, RFC 5652) of signatures and timestamps (RFC 3161): pkijs parses, node:crypto verifies.
import { constants, createHash, createVerify, type Hash, type KeyObject, verify, X509Certificate } from 'node:crypto';
import type { AlgorithmIdentifier, Attribute, Certificate, SignedData, SignerInfo } from 'pkijs';
import { membersOf } from './der.ts';

/** Object identifiers of attributes and contents. */
const OID = {
  signedData: '1.2.840.113549.1.7.2',
  messageDigest: '1.2.840.113549.1.9.4',
  contentType: '1.2.840.113549.1.9.3',
  signingTime: '1.2.840.113549.1.9.5',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  timestampToken: '1.2.840.113549.1.9.16.2.14',
  revocationInfo: '1.2.840.113583.1.1.8',
  timestampInfo: '1.2.840.113549.1.9.16.1.4',
} as const;

/** Digests by object identifier, in the names of node:crypto. */
const DIGESTS: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.5': 'md5',
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.8': 'sha3-256',
  '2.16.840.1.101.3.4.2.9': 'sha3-384',
  '2.16.840.1.101.3.4.2.10': 'sha3-512',
  '2.16.840.1.101.3.4.2.12': 'shake256',
};

/** Signature algorithms that imply a digest; others take it from the signer's information. */
const NAMED_DIGEST: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.1.4': 'md5',
  '1.2.840.113549.1.1.5': 'sha1',
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.113549.1.1.14': 'sha224',
  '1.2.840.10045.4.1': 'sha1',
  '1.2.840.10045.4.3.1': 'sha224',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '2.16.840.1.101.3.4.3.10': 'sha3-256',
  '2.16.840.1.101.3.4.3.11': 'sha3-384',
  '2.16.840.1.101.3.4.3.12': 'sha3-512',
  '2.16.840.1.101.3.4.3.14': 'sha3-256',
  '2.16.840.1.101.3.4.3.15': 'sha3-384',
  '2.16.840.1.101.3.4.3.16': 'sha3-512',
  '0.4.0.127.0.7.1.1.4.1.3': 'sha256',
  '0.4.0.127.0.7.1.1.4.1.4': 'sha384',
  '0.4.0.127.0.7.1.1.4.1.5': 'sha512',
};
/** BSI TR-03111: an ECDSA signature as two concatenated numbers, without ASN.1. */
const PLAIN_ECDSA = '0.4.0.127.0.7.1.1.4.1.';
const RSA = '1.2.840.113549.1.1.1';
/** A key's own identifier, which some programs write instead of the algorithm's. */
const EC_KEY = '1.2.840.10045.2.1';
const RSA_PSS = '1.2.840.113549.1.1.10';
const ED25519 = '1.3.101.112';
const ED448 = '1.3.101.113';
const WEAK = new Set(['md5', 'sha1']);

/** What is wrong with a message, as the rest of a sentence about the signature. */
export class BadSignature extends Error {}

/** A message whose signature matches its own attributes, but was not yet compared with the signed data. */
export interface SignedMessage {
  readonly signer: X509Certificate;
  readonly certificates: readonly X509Certificate[];
  /** Revocation data in the message, in DER. */
  readonly crls: readonly Uint8Array[];
  readonly ocsps: readonly Uint8Array[];
  /** The digest of the signed data, and its algorithm in node:crypto's spelling. */
  readonly digest: { readonly algorithm: string; readonly value: Uint8Array };
  /** For a message without signed attributes, which signs the document directly: takes its bytes and verifies. */
  readonly direct?: DirectVerifier;
  /** In words: `RSA-PSS with SHA-256`. */
  readonly algorithm: string;
  /** Why its algorithms do not suffice, as a sentence without its full stop. */
  readonly weak: string | undefined;
  readonly signingTime: Date | undefined;
  /** It names its signer's certificate in a signed attribute, as PAdES requires. */
  readonly namesCertificate: boolean;
  /** Its signed attributes are in DER order (RFC 5652, 5.4); some readers sort them before they verify. */
  readonly isOrdered: boolean;
  /** The signed content, where the message carries it. */
  readonly content: Uint8Array | undefined;
  /** Of the content: `1.2.840.113549.1.9.16.1.4` for a timestamp. */
  readonly contentType: string;
  /** A timestamp of the signature, itself a message. */
  readonly timestamp: Uint8Array | undefined;
  readonly signature: Uint8Array;
}

/** Verifies a signature over bytes that come block by block. */
interface DirectVerifier {
  update(bytes: Uint8Array): unknown;
  holds(): boolean;
}

/** Loads pkijs, which no other command needs. */
export async function libraries() {
  const [pki, asn1] = await Promise.all([import('pkijs'), import('asn1js')]);
  /** Parses DER or BER; lists of revoked certificates have 100,000 entries and more. */
  const parse = (bytes: Uint8Array) => asn1.fromBER(bytes, { maxNodes: 4_000_000, maxContentLength: 64 << 20 });
  return { pki, asn1, parse };
}

/** A hash by its name in this file; Ed448 is used with SHAKE256 of 64 bytes. */
export function newHash(algorithm: string): Hash {
  return createHash(algorithm, algorithm === 'shake256' ? { outputLength: 64 } : {});
}

/** Parses a message and verifies its signer's signature of the attributes. @throws BadSignature */
export async function readMessage(bytes: Uint8Array): Promise<SignedMessage> {
  const { pki, parse } = await libraries();
  const signed = bad('it is no CMS signed message', () => {
    // The message is followed by zeros up to the reserved size.
    const parsed = parse(bytes);
    if (parsed.offset === -1) throw new Error(parsed.result.error);
    const info = new pki.ContentInfo({ schema: parsed.result });
    if (info.contentType !== OID.signedData) throw new Error(`its content is ${info.contentType}`);
    return new pki.SignedData({ schema: info.content });
  });
  const [info, ...others] = signed.signerInfos;
  if (info === undefined) throw new BadSignature('nobody signed it');
  if (others.length > 0) throw new BadSignature('it has several signers, and a PDF signature has one');
  const parsed = (signed.certificates ?? []).filter((one) => one instanceof pki.Certificate);
  const certificateOf = (one: Certificate) => x509(new Uint8Array(one.toSchema(true).toBER()));
  const certificates = parsed.flatMap((one) => certificateOf(one) ?? []);
  const holder = parsed.find((one) => isSigner(one, info, pki));
  const signer = holder && certificateOf(holder);
  if (signer === undefined) throw new BadSignature('the certificate of its signer is not in it');
  const digestAlgorithm = DIGESTS[info.digestAlgorithm.algorithmId];
  if (digestAlgorithm === undefined)
    throw new BadSignature(`its digest ${info.digestAlgorithm.algorithmId} is unknown`);
  const attributes = info.signedAttrs?.attributes ?? [];
  const content = contentOf(signed);
  const signature = new Uint8Array(info.signature.valueBlock.valueHexView);
  const contentType = signed.encapContentInfo.eContentType;
  const how = algorithmOf(info.signatureAlgorithm, digestAlgorithm);
  // Without signed attributes the signature is over the content itself (RFC 5652, 5.4).
  const isDirect = info.signedAttrs === undefined;
  const direct = isDirect && content === undefined ? verifierOf(how, signer.publicKey, signature) : undefined;
  const value = isDirect
    ? newHash(digestAlgorithm)
        .update(content ?? new Uint8Array())
        .digest()
    : signedDigest(attributes, contentType);
  if (value === undefined) throw new BadSignature('its signed attributes hold no digest');
  const encoded = isDirect ? content : new Uint8Array(info.signedAttrs?.encodedValue ?? new ArrayBuffer(0));
  if (encoded !== undefined && !isSignatureOf(how, signer.publicKey, encoded, signature)) {
    throw new BadSignature('its signature does not hold');
  }
  const members = bad('its signed attributes are no DER', () => (isDirect ? [] : membersOf(encoded ?? bytes)));
  const names = namesSigner(attributes, signer);
  if (names === false) throw new BadSignature('it names another certificate than that of its signer');
  return {
    signer,
    certificates,
    digest: { algorithm: digestAlgorithm, value },
    ...(direct === undefined ? {} : { direct }),
    algorithm: how.name,
    weak: weakness(how, digestAlgorithm),
    signingTime: signingTimeIn(attributes),
    namesCertificate: names === true,
    isOrdered: members.every((one, i) => Buffer.compare(members[i - 1] ?? one, one) <= 0),
    content,
    contentType,
    timestamp: timestampIn(info),
    signature,
    ...revocationIn(attributes, signed),
  };
}

/** The statement of a timestamp: a time and a digest. */
export interface TimestampInfo {
  readonly time: Date;
  readonly digest: { readonly algorithm: string; readonly value: Uint8Array };
  readonly nonce: Uint8Array | undefined;
  readonly message: SignedMessage;
}

/** Reads a timestamp (RFC 3161) and verifies it as a message; the caller compares its digest. @throws BadSignature */
export async function readTimestamp(bytes: Uint8Array): Promise<TimestampInfo> {
  const message = await readMessage(bytes);
  const { content, contentType, digest } = message;
  if (!message.isOrdered) {
    throw new BadSignature('its signed attributes are out of order, so that some readers find it broken');
  }
  if (contentType !== OID.timestampInfo || content === undefined) throw new BadSignature('it is no timestamp');
  if (!sameBytes(newHash(digest.algorithm).update(content).digest(), digest.value)) {
    throw new BadSignature('the digest of the timestamp does not hold');
  }
  const { pki, parse } = await libraries();
  const info = bad('it is no timestamp', () => new pki.TSTInfo({ schema: parse(content).result }));
  const algorithm = DIGESTS[info.messageImprint.hashAlgorithm.algorithmId];
  if (algorithm === undefined) throw new BadSignature('the timestamp uses an unknown digest');
  const value = new Uint8Array(info.messageImprint.hashedMessage.valueBlock.valueHexView);
  if (!(message.signer.keyUsage ?? []).includes('1.3.6.1.5.5.7.3.8')) {
    throw new BadSignature('the certificate of the timestamp is not meant for timestamps');
  }
  return { time: info.genTime, digest: { algorithm, value }, nonce: info.nonce?.valueBlock.valueHexView, message };
}

export function sameBytes(a: Uint8Array | undefined, b: Uint8Array): boolean {
  return a !== undefined && Buffer.compare(a, b) === 0;
}

/** A certificate from DER; undefined where node:crypto cannot read it. */
export function x509(der: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(der);
  } catch {
    return undefined; // OpenSSL throws errors of many classes for malformed certificates.
  }
}

interface Algorithm {
  readonly name: string;
  /** Undefined where the algorithm takes no digest: Ed25519. */
  readonly digest: string | undefined;
  readonly pss?: { readonly saltLength: number; readonly mask: string };
  readonly plain?: true;
}

/** The digest that RFC 8419 pairs with an Edwards curve. */
const EDWARDS: Readonly<Record<string, string>> = { Ed25519: 'sha512', Ed448: 'shake256' };

function weakness({ name, digest = '' }: Algorithm, attributes: string): string | undefined {
  if (WEAK.has(attributes) || WEAK.has(digest)) return 'it uses SHA-1 or MD5, which can be forged';
  const wanted = EDWARDS[name] ?? attributes;
  return wanted === attributes ? undefined : `it uses ${name} with another digest than ${wanted.toUpperCase()}`;
}

/** `fallback`: the digest for algorithms that imply none. */
export function algorithmOf(signatureAlgorithm: AlgorithmIdentifier, fallback: string): Algorithm {
  const { algorithmId } = signatureAlgorithm;
  if (algorithmId === ED25519 || algorithmId === ED448) {
    return { name: algorithmId === ED25519 ? 'Ed25519' : 'Ed448', digest: undefined };
  }
  if (algorithmId === RSA_PSS) return pssOf(signatureAlgorithm.algorithmParams);
  const digest = NAMED_DIGEST[algorithmId] ?? (algorithmId === RSA || algorithmId === EC_KEY ? fallback : undefined);
  if (digest === undefined) throw new BadSignature(`its algorithm ${algorithmId} is unknown`);
  const plain = algorithmId.startsWith(PLAIN_ECDSA);
  const isCurve = plain || algorithmId.startsWith('1.2.840.10045') || /\.3\.(9|10|11|12)$/.test(algorithmId);
  return {
    name: `${isCurve ? 'ECDSA' : 'RSA'} with ${digest.toUpperCase()}`,
    digest,
    ...(plain && { plain }),
  };
}

/** Parses RSASSA-PSS-params (RFC 4055, 3.1): [0] digest, [1] mask generation, [2] salt length; SHA-1 and 20 by default. */
function pssOf(params: unknown): Algorithm {
  const scheme = { digest: 'sha1', mask: 'sha1', saltLength: 20 };
  for (const { idBlock, valueBlock } of itemsOf(params)) {
    const [value] = valueBlock.value ?? [];
    const [id, inner] = itemsOf(value);
    if (idBlock.tagNumber === 0) scheme.digest = digestNamed(id);
    else if (idBlock.tagNumber === 1) scheme.mask = digestNamed(itemsOf(inner)[0]);
    else if (idBlock.tagNumber === 2) scheme.saltLength = Number(value?.valueBlock.valueDec ?? 20);
  }
  const { digest, mask, saltLength } = scheme;
  return { name: `RSA-PSS with ${digest.toUpperCase()}`, digest, pss: { saltLength, mask } };
}

/** The used part of a parsed ASN.1 value: asn1js has a class for each kind. */
interface Asn1 {
  readonly idBlock: { readonly tagNumber: number };
  readonly valueBlock: {
    readonly value?: readonly Asn1[];
    readonly valueDec?: number;
    readonly valueHexView?: Uint8Array;
    toString(): string;
  };
}

/** Tag number of an OCTET STRING. */
const OCTET_STRING = 4;

function itemsOf(value: unknown): readonly Asn1[] {
  const items = (value as Asn1 | undefined)?.valueBlock?.value; // Any ASN.1 value, or none.
  return Array.isArray(items) ? items : [];
}

function digestNamed(identifier: Asn1 | undefined): string {
  const id = identifier?.valueBlock.toString() ?? '';
  const digest = DIGESTS[id];
  if (digest === undefined) throw new BadSignature(`its digest ${id} is unknown`);
  return digest;
}

export function isSignatureOf(how: Algorithm, key: KeyObject, data: Uint8Array, signature: Uint8Array): boolean {
  return holds(() => verify(how.digest, data, keyFor(how, key), signature));
}

function holds(verified: () => boolean): boolean {
  try {
    return verified();
  } catch (error) {
    if (error instanceof BadSignature) throw error;
    return false; // OpenSSL throws for keys and signatures that do not go together.
  }
}

function keyFor({ pss, plain, digest }: Algorithm, key: KeyObject) {
  if (plain === true) return { key, dsaEncoding: 'ieee-p1363' } as const;
  if (pss === undefined) return { key };
  if (pss.mask !== digest) throw new BadSignature('its RSA-PSS masks with another digest, which is not supported');
  return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: pss.saltLength };
}

function verifierOf(how: Algorithm, key: KeyObject, signature: Uint8Array): DirectVerifier {
  if (how.digest === undefined) throw new BadSignature(`its ${how.name} has no signed attributes`);
  const verifier = createVerify(how.digest);
  return {
    update: (bytes) => verifier.update(bytes),
    holds: () => holds(() => verifier.verify(keyFor(how, key), signature)),
  };
}

function isSigner(certificate: Certificate, { sid }: SignerInfo, pki: typeof import('pkijs')): boolean {
  if (sid instanceof pki.IssuerAndSerialNumber) {
    return sid.serialNumber.isEqual(certificate.serialNumber) && sid.issuer.isEqual(certificate.issuer);
  }
  const wanted: Uint8Array | undefined =
    sid?.valueBlock?.valueHexView ?? sid?.valueBlock?.value?.[0]?.valueBlock.valueHexView;
  const extension = certificate.extensions?.find(({ extnID }) => extnID === '2.5.29.14');
  const have = extension?.parsedValue?.valueBlock?.valueHexView as Uint8Array | undefined; // An OCTET STRING.
  return have !== undefined && sameBytes(wanted, have);
}

function valuesOf(attributes: readonly Attribute[], type: string): readonly Asn1[] {
  return attributes.filter((attribute) => attribute.type === type).flatMap(({ values }) => values as Asn1[]);
}

/** The digest in the signed attributes, whose content type must be that of the message. */
function signedDigest(attributes: readonly Attribute[], contentType: string): Uint8Array | undefined {
  const [digest, ...more] = valuesOf(attributes, OID.messageDigest);
  const [type] = valuesOf(attributes, OID.contentType);
  if (digest?.valueBlock.valueHexView === undefined || more.length > 0) return undefined;
  if (type !== undefined && type.valueBlock.toString() !== contentType) {
    throw new BadSignature('its signed content type is another than its content');
  }
  return digest.valueBlock.valueHexView;
}

/** Whether all signed attributes that name a certificate name the signer's (RFC 5035); undefined where there is none. */
function namesSigner(attributes: readonly Attribute[], signer: X509Certificate): boolean | undefined {
  const named = (type: string, digest: string): boolean[] =>
    valuesOf(attributes, type).map((value) => {
      const parts = itemsOf(itemsOf(itemsOf(value)[0])[0]);
      // ESSCertIDv2 begins with an algorithm unless it is SHA-256; ESSCertID is SHA-1 and has none.
      const hash = parts.find(({ idBlock }) => idBlock.tagNumber === OCTET_STRING)?.valueBlock.valueHexView;
      const algorithm = parts[0]?.valueBlock.valueHexView === hash ? digest : digestNamed(itemsOf(parts[0])[0]);
      return sameBytes(hash, createHash(algorithm).update(signer.raw).digest());
    });
  const all = [...named(OID.signingCertificateV2, 'sha256'), ...named(OID.signingCertificate, 'sha1')];
  return all.length === 0 ? undefined : all.every(Boolean);
}

function signingTimeIn(attributes: readonly Attribute[]): Date | undefined {
  const [time] = valuesOf(attributes, OID.signingTime) as readonly (Asn1 & { toDate?: () => Date })[];
  return time?.toDate?.();
}

function timestampIn({ unsignedAttrs }: SignerInfo): Uint8Array | undefined {
  const [token] = valuesOf(unsignedAttrs?.attributes ?? [], OID.timestampToken);
  return token === undefined ? undefined : der(token);
}

function der(value: Asn1): Uint8Array {
  return new Uint8Array((value as unknown as { toBER(): ArrayBuffer }).toBER()); // Every value of asn1js has it.
}

function contentOf({ encapContentInfo }: SignedData): Uint8Array | undefined {
  const octets = encapContentInfo.eContent;
  return octets === undefined ? undefined : new Uint8Array(octets.getValue());
}

/** CRLs and OCSP responses in the message (adbe-revocationInfoArchival, and the message's own crls). */
function revocationIn(attributes: readonly Attribute[], signed: SignedData): Pick<SignedMessage, 'crls' | 'ocsps'> {
  const crls: Uint8Array[] = [];
  const ocsps: Uint8Array[] = [];
  for (const tagged of itemsOf(valuesOf(attributes, OID.revocationInfo)[0])) {
    const list = itemsOf(itemsOf(tagged)[0]).map(der);
    if (tagged.idBlock.tagNumber === 0) crls.push(...list);
    if (tagged.idBlock.tagNumber === 1) ocsps.push(...list);
  }
  for (const one of signed.crls ?? []) crls.push(new Uint8Array(one.toSchema(true).toBER()));
  return { crls, ocsps };
}

/** Runs a parser of hostile bytes, which may throw anything, and turns that into a BadSignature. */
function bad<T>(why: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof BadSignature) throw error;
    throw new BadSignature(why, { cause: error });
  }
}
