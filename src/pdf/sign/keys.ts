// Reads signing keys and certificates: PEM, or PKCS#12 (RFC 7292). Containers encrypted with RC2, as old programs made
// them, are left to OpenSSL: node:crypto no longer has RC2.
import {
  createDecipheriv,
  createHash,
  createPrivateKey,
  type KeyObject,
  pbkdf2Sync,
  type X509Certificate,
} from 'node:crypto';
import { x509 } from './cms.ts';
import { derContents, membersOf, oid } from './der.ts';
import { certificatesIn } from './trust.ts';

export interface KeyPair {
  readonly key: KeyObject;
  /** The key's certificate first. */
  readonly certificates: readonly X509Certificate[];
}

/** Why a key cannot be used, as the rest of a sentence about its file. */
export class BadKey extends Error {
  /** Its encryption needs OpenSSL's legacy provider. */
  readonly legacy: boolean;
  constructor(message: string, legacy = false) {
    super(message);
    this.legacy = legacy;
  }
}

/** Reads a key with its certificates. @throws BadKey */
export function readKey(bytes: Uint8Array, password: string | undefined, more: readonly X509Certificate[]): KeyPair {
  const text = Buffer.from(bytes).toString('latin1');
  const isPem = text.includes('-----BEGIN ');
  const { key, certificates } = isPem ? fromPem(text, password) : fromContainer(bytes, password ?? '');
  const all = [...certificates, ...more];
  const holder = all.find((one) => one.checkPrivateKey(key));
  if (holder === undefined) throw new BadKey('has no certificate that goes with its key');
  return { key, certificates: [holder, ...all.filter((one) => one.fingerprint256 !== holder.fingerprint256)] };
}

function fromPem(text: string, password: string | undefined): KeyPair {
  const block = /-----BEGIN ([A-Z ]*)PRIVATE KEY-----[\s\S]+?-----END \1PRIVATE KEY-----/.exec(text)?.[0];
  if (block === undefined) throw new BadKey('holds no private key');
  const isLocked = /ENCRYPTED/.test(block);
  if (isLocked && password === undefined) throw new BadKey('is encrypted and needs its password');
  try {
    const key = createPrivateKey({ key: block, format: 'pem', ...(isLocked && { passphrase: password }) });
    return { key, certificates: certificatesIn(text) };
  } catch {
    // OpenSSL does not tell a wrong password from damage.
    throw new BadKey(isLocked ? 'does not open with that password' : 'holds a private key that cannot be read');
  }
}

const OID = {
  encrypted: '1.2.840.113549.1.7.6',
  key: '1.2.840.113549.1.12.10.1.1',
  lockedKey: '1.2.840.113549.1.12.10.1.2',
  certificate: '1.2.840.113549.1.12.10.1.3',
  pbes2: '1.2.840.113549.1.5.13',
  tripleDes: '1.2.840.113549.1.12.1.3',
} as const;

function fromContainer(bytes: Uint8Array, password: string): KeyPair {
  const keys: KeyObject[] = [];
  const certificates: X509Certificate[] = [];
  try {
    const [, safe] = membersOf(bytes);
    for (const part of membersOf(derContents(inside(safe)))) {
      const bags = is(part, OID.encrypted) ? decrypted(inside(part), password) : derContents(inside(part));
      for (const bag of membersOf(bags)) {
        const value = inside(bag);
        if (is(bag, OID.certificate))
          certificates.push(...[x509(derContents(inside(value)))].filter((one) => one !== undefined));
        if (is(bag, OID.key)) keys.push(createPrivateKey({ key: Buffer.from(value), format: 'der', type: 'pkcs8' }));
        if (is(bag, OID.lockedKey)) keys.push(unlocked(value, password));
      }
    }
  } catch (error) {
    if (error instanceof BadKey) throw error;
    throw new BadKey('is neither PEM nor a PKCS#12 container that can be read');
  }
  const [key] = keys;
  if (key === undefined) throw new BadKey('holds no private key');
  return { key, certificates };
}

function unlocked(locked: Uint8Array, passphrase: string): KeyObject {
  try {
    return createPrivateKey({ key: Buffer.from(locked), format: 'der', type: 'pkcs8', passphrase });
  } catch {
    // OpenSSL does not tell a wrong password from damage.
    throw new BadKey('does not open with that password', true);
  }
}

/** Whether the first member of a value is this identifier. */
function is(value: Uint8Array, identifier: string): boolean {
  return Buffer.compare(membersOf(value)[0] ?? new Uint8Array(), oid(identifier)) === 0;
}

/** The contents of a value's second member, under its explicit tag. */
function inside(value: Uint8Array | undefined): Uint8Array {
  const [, tagged] = membersOf(value ?? new Uint8Array());
  return derContents(tagged ?? new Uint8Array());
}

/** Decrypts an EncryptedData. */
function decrypted(data: Uint8Array, password: string): Uint8Array {
  const [, info = new Uint8Array()] = membersOf(data);
  const [, algorithm = new Uint8Array(), content = new Uint8Array()] = membersOf(info);
  const { cipher, key, vector } = cipherOf(algorithm, password);
  try {
    const decipher = createDecipheriv(cipher, key, vector);
    return Buffer.concat([decipher.update(derContents(content)), decipher.final()]);
  } catch {
    // Bad padding means a wrong password.
    throw new BadKey('does not open with that password');
  }
}

const CIPHERS: Readonly<Record<string, readonly [name: string, bytes: number]>> = {
  '2.16.840.1.101.3.4.1.2': ['aes-128-cbc', 16],
  '2.16.840.1.101.3.4.1.22': ['aes-192-cbc', 24],
  '2.16.840.1.101.3.4.1.42': ['aes-256-cbc', 32],
  '1.2.840.113549.3.7': ['des-ede3-cbc', 24],
};
const DIGEST_OF_MAC: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
};

function cipherOf(algorithm: Uint8Array, password: string): { cipher: string; key: Uint8Array; vector: Uint8Array } {
  const [, parameters = new Uint8Array()] = membersOf(algorithm);
  if (is(algorithm, OID.pbes2)) {
    const [derivation = new Uint8Array(), scheme = new Uint8Array()] = membersOf(parameters);
    const [salt, count, ...rest] = membersOf(membersOf(derivation)[1] ?? new Uint8Array());
    const mac = rest.find((one) => one[0] === 0x30);
    const digest = Object.entries(DIGEST_OF_MAC).find(([id]) => mac !== undefined && is(mac, id))?.[1] ?? 'sha1';
    const [name, length] = Object.entries(CIPHERS).find(([id]) => is(scheme, id))?.[1] ?? [];
    if (salt === undefined || count === undefined || name === undefined || length === undefined) {
      throw new BadKey('is encrypted in a way that is not known here', true);
    }
    const key = pbkdf2Sync(password, derContents(salt), number(count), length, digest);
    return { cipher: name, key, vector: derContents(membersOf(scheme)[1] ?? new Uint8Array()) };
  }
  if (!is(algorithm, OID.tripleDes)) throw new BadKey('is encrypted with RC2 or another old cipher', true);
  const [salt = new Uint8Array(), count = new Uint8Array()] = membersOf(parameters);
  const derive = (id: number, length: number) => derived(password, derContents(salt), number(count), id, length);
  return { cipher: 'des-ede3-cbc', key: derive(1, 24), vector: derive(2, 8) };
}

/** Most rounds of key derivation: more take minutes. */
const MOST_ROUNDS = 10_000_000;

function number(value: Uint8Array): number {
  const count = Number(`0x${Buffer.from(derContents(value)).toString('hex')}`);
  if (count > MOST_ROUNDS) throw new BadKey('asks for more rounds of its password than is reasonable');
  return count;
}

/** Key derivation of PKCS#12 with SHA-1 (RFC 7292, B.2). */
function derived(password: string, salt: Uint8Array, rounds: number, id: number, length: number): Uint8Array {
  const block = 64;
  const filled = (bytes: Uint8Array): Buffer =>
    Buffer.alloc(Math.ceil(bytes.length / block) * block, bytes.length === 0 ? undefined : bytes);
  const words = Buffer.from(`${password}\0`, 'utf16le').swap16();
  const input = Buffer.concat([filled(salt), filled(words)]);
  const pieces: Buffer[] = [];
  for (let size = 0; size < length; size += 20) {
    let hash = createHash('sha1').update(Buffer.alloc(block, id)).update(input).digest();
    for (let i = 1; i < rounds; i++) hash = createHash('sha1').update(hash).digest();
    pieces.push(hash);
    const digits = filled(hash).toString('hex', 0, block);
    const step = BigInt(`0x${digits}`) + 1n;
    for (let at = 0; at < input.length; at += block) {
      const sum = (BigInt(`0x${input.toString('hex', at, at + block)}`) + step) & ((1n << 512n) - 1n);
      input.write(sum.toString(16).padStart(block * 2, '0'), at, 'hex');
    }
  }
  return Buffer.concat(pieces).subarray(0, length);
}
