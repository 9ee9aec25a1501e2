// Makes signed messages for PAdES (ETSI EN 319 142-1, 6.3): CMS with the document's digest and the hash of the signer's
// certificate as signed attributes, no signing time, and a timestamp as an unsigned one.
import { constants, createHash, type KeyObject, sign, type X509Certificate } from 'node:crypto';
import {
  der,
  derContents,
  derInteger,
  derSet,
  fieldsOf,
  firstOf,
  membersOf,
  NULL,
  octets,
  oid,
  sequence,
  small,
} from './der.ts';
import type { KeyPair } from './keys.ts';

export type SigningDigest = 'sha256' | 'sha384' | 'sha512';

/** The identifiers of a digest and of the algorithms that sign with it, and the bytes of its salt in RSA-PSS. */
const DIGESTS = {
  sha256: { id: '2.16.840.1.101.3.4.2.1', rsa: '1.2.840.113549.1.1.11', ecdsa: '1.2.840.10045.4.3.2', salt: 32 },
  sha384: { id: '2.16.840.1.101.3.4.2.2', rsa: '1.2.840.113549.1.1.12', ecdsa: '1.2.840.10045.4.3.3', salt: 48 },
  sha512: { id: '2.16.840.1.101.3.4.2.3', rsa: '1.2.840.113549.1.1.13', ecdsa: '1.2.840.10045.4.3.4', salt: 64 },
} as const;

export interface Signer {
  /** The signer's certificate first, then those of its issuers. */
  readonly certificates: readonly X509Certificate[];
  readonly digest: SigningDigest;
  /** The signature algorithm's identifier, in DER. */
  readonly algorithm: Uint8Array;
  /** Signs these bytes. */
  sign(bytes: Uint8Array): Promise<Uint8Array>;
}

/** A digest for a key: Ed25519 has its own (RFC 8419), and a curve is no stronger than half its length. */
export function digestFor(key: KeyObject, wanted: SigningDigest | undefined): SigningDigest {
  if (key.asymmetricKeyType === 'ed25519') return 'sha512';
  const curve = key.asymmetricKeyDetails?.namedCurve;
  return wanted ?? (curve === 'secp384r1' ? 'sha384' : curve === 'secp521r1' ? 'sha512' : 'sha256');
}

export function signerWith({ key, certificates }: KeyPair, wanted: SigningDigest | undefined, pss: boolean): Signer {
  const digest = digestFor(key, wanted);
  const type = key.asymmetricKeyType ?? '';
  const isPss = pss || type === 'rsa-pss';
  const algorithm = algorithmFor(type, digest, isPss);
  const padding = isPss && type.startsWith('rsa') ? constants.RSA_PKCS1_PSS_PADDING : undefined;
  const options = padding === undefined ? { key } : { key, padding, saltLength: DIGESTS[digest].salt };
  const name = type === 'ed25519' ? null : digest;
  return { certificates, digest, algorithm, sign: async (bytes) => sign(name, bytes, options) };
}

/** The identifier of the algorithm that signs with a key of this type. Throws a RangeError where none is known. */
export function algorithmFor(type: string, digest: SigningDigest, pss: boolean): Uint8Array {
  if (type === 'ed25519') return sequence(oid('1.3.101.112'));
  if (type === 'ec') return sequence(oid(DIGESTS[digest].ecdsa));
  if (type !== 'rsa' && type !== 'rsa-pss') throw new RangeError(`keys of type ${type} do not sign PDFs`);
  if (!pss) return sequence(oid(DIGESTS[digest].rsa), NULL);
  const hash = digestId(digest);
  const mask = sequence(oid('1.2.840.113549.1.1.8'), hash);
  const parameters = sequence(der(0xa0, hash), der(0xa1, mask), der(0xa2, small(DIGESTS[digest].salt)));
  return sequence(oid('1.2.840.113549.1.1.10'), parameters);
}

function digestId(digest: SigningDigest): Buffer {
  return sequence(oid(DIGESTS[digest].id), NULL);
}

/** The message that signs a document of this digest. `stamp`: timestamps a signature, in DER. */
export async function signedMessage(
  { certificates, digest, algorithm, sign: signBytes }: Signer,
  documentDigest: Uint8Array,
  stamp?: (signature: Uint8Array) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const [signer] = certificates;
  if (signer === undefined) throw new TypeError('somebody signs');
  const attributes = derSet(
    sequence(oid('1.2.840.113549.1.9.3'), derSet(oid('1.2.840.113549.1.7.1'))),
    sequence(oid('1.2.840.113549.1.9.4'), derSet(octets(documentDigest))),
    sequence(oid('1.2.840.113549.1.9.16.2.47'), derSet(signingCertificate(signer, digest))),
  );
  const signature = await signBytes(attributes);
  const token = await stamp?.(signature);
  const info = sequence(
    small(1),
    nameOfSigner(signer),
    digestId(digest),
    der(0xa0, derContents(attributes)),
    algorithm,
    octets(signature),
    ...(token === undefined ? [] : [der(0xa1, sequence(oid('1.2.840.113549.1.9.16.2.14'), derSet(firstOf(token))))]),
  );
  const signed = sequence(
    small(1),
    derSet(digestId(digest)),
    sequence(oid('1.2.840.113549.1.7.1')),
    der(0xa0, ...certificates.map(({ raw }) => raw)),
    derSet(info),
  );
  return sequence(oid('1.2.840.113549.1.7.2'), der(0xa0, signed));
}

/** signing-certificate-v2 (RFC 5035): SHA-256 is its default and is left out. */
function signingCertificate({ raw }: X509Certificate, digest: SigningDigest): Buffer {
  const hash = octets(createHash(digest).update(raw).digest());
  return sequence(sequence(digest === 'sha256' ? sequence(hash) : sequence(sequence(oid(DIGESTS[digest].id)), hash)));
}

function nameOfSigner({ raw }: X509Certificate): Buffer {
  const { issuer, serial } = fieldsOf(raw);
  return sequence(issuer, serial);
}

/** A request for a timestamp (RFC 3161, 2.4.1). */
export function timestampRequest(imprint: Uint8Array, nonce: Uint8Array): Uint8Array {
  const asked = sequence(digestId('sha256'), octets(imprint));
  return sequence(small(1), asked, derInteger(nonce), der(0x01, Buffer.from([0xff])));
}

/** A request for the status of a certificate (RFC 6960, 4.1). */
export function statusRequest(certificate: X509Certificate, issuer: X509Certificate): Uint8Array {
  const sha1 = (bytes: Uint8Array) => octets(createHash('sha1').update(bytes).digest());
  const { subject, publicKey } = fieldsOf(issuer.raw);
  // The key's bits, behind the count of unused ones.
  const bits = derContents(membersOf(publicKey)[1] ?? new Uint8Array()).subarray(1);
  const id = sequence(
    sequence(oid('1.3.14.3.2.26'), NULL),
    sha1(subject),
    sha1(bits),
    fieldsOf(certificate.raw).serial,
  );
  return sequence(sequence(sequence(sequence(id))));
}
