// Decrypting the strings and streams of one file (ISO 32000-2, 7.6): crypt filters and object keys.
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { Dict, PdfString, type Value } from '../../syntax/values.ts';
import { fileKey, type OpenedKey, type PasswordRole, type SecurityHandler } from './key.ts';
import { PIECE, type ReadRaw, readInPieces } from './pieces.ts';
import { Rc4 } from './rc4.ts';

type Method = 'none' | 'rc4' | 'aes128' | 'aes256';

const BLOCK = 16;

/** Decrypts what belongs to an object. Made by `decryptionWith`. */
export class Decryption {
  readonly encryptMetadata: boolean;
  readonly role: PasswordRole;
  readonly revision: number;
  readonly permissions: number;
  private readonly key: Uint8Array;
  private readonly methods: Methods;
  /** Objects that are not encrypted: added here, or taken out of an object stream by a repair. */
  private plain: ReadonlySet<number> = new Set();

  constructor({ key, role }: OpenedKey, { methods, encryptMetadata, revision, permissions }: Handler) {
    this.key = key;
    this.role = role;
    this.revision = revision;
    this.permissions = permissions;
    this.methods = methods;
    this.encryptMetadata = encryptMetadata;
  }

  withPlain(nums: Iterable<number>): Decryption {
    const copy: Decryption = Object.assign(Object.create(Decryption.prototype), this);
    copy.plain = new Set([...this.plain, ...nums]);
    return copy;
  }

  isPlain(num: number): boolean {
    return this.plain.has(num);
  }

  get method(): string {
    const words = { none: 'nothing', rc4: 'RC4', aes128: 'AES-128', aes256: 'AES-256' };
    const bits = this.methods.streams === 'rc4' ? ` with ${this.key.length * 8} bits` : '';
    return `${words[this.methods.streams]}${bits}, revision ${this.revision}`;
  }

  string(bytes: Uint8Array, num: number, gen: number): Uint8Array {
    if (this.methods.strings === 'none' || this.isPlain(num)) return bytes;
    const { length, pieces } = this.decrypt(this.methods.strings, num, gen, bytes.length, (from, size) =>
      bytes.subarray(from, from + size),
    );
    return Buffer.concat([...pieces], length);
  }

  /** A string or the data of a stream as they stand in the file, for an object that is added to it. */
  encrypted(
    kind: 'strings' | 'streams',
    plain: Uint8Array,
    [num, gen]: readonly [num: number, gen: number],
    random: (length: number) => Uint8Array,
  ): Uint8Array {
    const method = this.methods[kind];
    if (method === 'none') return plain;
    const key = this.objectKey(method, num, gen);
    if (method === 'rc4') return new Rc4(key).apply(plain);
    const vector = random(BLOCK);
    const cipher = createCipheriv(method === 'aes128' ? 'aes-128-cbc' : 'aes-256-cbc', key, vector);
    return Buffer.concat([vector, cipher.update(plain), cipher.final()]);
  }

  /** The method of a stream: that of the document, or of the stream's own /Crypt filter. */
  methodOf(dict: Dict, filterName: string | undefined): Method {
    if (dict.name('Type') === 'XRef') return 'none';
    if (filterName !== undefined) return this.methods.filters.get(filterName) ?? 'none';
    if (dict.name('Type') === 'Metadata' && !this.encryptMetadata) return 'none';
    return this.methods.streams;
  }

  /** The decrypted size of a stream of object `num`, and its bytes in pieces. */
  decrypt(
    method: Method,
    num: number,
    gen: number,
    size: number,
    read: ReadRaw,
  ): { length: number; pieces: Iterable<Uint8Array> } {
    if (method === 'none') return { length: size, pieces: readInPieces(size, read) };
    const key = this.objectKey(method, num, gen);
    if (method === 'rc4') return { length: size, pieces: rc4Pieces(key, size, read) };
    // Without a whole block behind the initialization vector the stream is empty.
    const whole = size - (size % BLOCK);
    if (whole < 2 * BLOCK) return { length: 0, pieces: [] };
    const name = method === 'aes128' ? 'aes-128-cbc' : 'aes-256-cbc';
    const padding = paddingOf(name, key, whole, read);
    const length = whole - BLOCK - padding;
    return { length, pieces: aesPieces(name, key, whole, length, read) };
  }

  /** Algorithm 1 and 1.A. */
  private objectKey(method: Method, num: number, gen: number): Uint8Array {
    if (method === 'aes256') return this.key;
    const tail = Buffer.from([num, num >> 8, num >> 16, gen, gen >> 8]);
    const hash = createHash('md5').update(this.key).update(tail);
    if (method === 'aes128') hash.update('sAlT', 'latin1');
    return hash.digest().subarray(0, Math.min(this.key.length + 5, 16));
  }
}

function* rc4Pieces(key: Uint8Array, size: number, read: ReadRaw): Iterable<Uint8Array> {
  const cipher = new Rc4(key);
  for (const piece of readInPieces(size, read)) yield cipher.apply(piece);
}

/** The number of padding bytes in the last block; 0 if it breaks the rules and has none. */
function paddingOf(name: string, key: Uint8Array, size: number, read: ReadRaw): number {
  const tail = read(size - 2 * BLOCK, 2 * BLOCK);
  const decipher = createDecipheriv(name, key, tail.subarray(0, BLOCK)).setAutoPadding(false);
  const last = decipher.update(tail.subarray(BLOCK));
  const padding = last[BLOCK - 1] ?? 0;
  return padding >= 1 && padding <= BLOCK && last.subarray(BLOCK - padding).every((byte) => byte === padding)
    ? padding
    : 0;
}

function* aesPieces(name: string, key: Uint8Array, size: number, length: number, read: ReadRaw): Iterable<Uint8Array> {
  const decipher = createDecipheriv(name, key, Uint8Array.from(read(0, BLOCK))).setAutoPadding(false);
  let left = length;
  for (let from = BLOCK; from < size && left > 0; from += PIECE) {
    const piece = decipher.update(read(from, Math.min(PIECE, size - from)));
    yield piece.subarray(0, Math.min(piece.length, left));
    left -= piece.length;
  }
}

interface Methods {
  readonly strings: Method;
  readonly streams: Method;
  readonly filters: ReadonlyMap<string, Method>;
}

interface Handler extends SecurityHandler {
  readonly methods: Methods;
}

export class UnknownHandler extends Error {}

/** Reads the encryption dictionary. Throws UnknownHandler where it is not the standard one of a known revision. */
export function readHandler(encrypt: Dict, id: Uint8Array): Handler {
  const filter = encrypt.name('Filter') ?? 'none';
  if (filter !== 'Standard') throw new UnknownHandler(`the security handler ${filter}`);
  const version = encrypt.number('V') ?? 0;
  const revision = encrypt.number('R') ?? 0;
  const known = (version === 1 || version === 2 || version === 4 || version === 5) && revision >= 2 && revision <= 6;
  if (!known) throw new UnknownHandler(`the standard security handler, version ${version}, revision ${revision}`);
  const methods = methodsOf(encrypt, version);
  const bits = version === 1 ? 40 : version === 4 ? 128 : (encrypt.number('Length') ?? 40);
  // Some writers count bytes where the rule says bits.
  const keyLength = version === 5 ? 32 : bits < 40 ? bits : bits >> 3;
  // pdf.js counts up to the given length, for 20 s: this is no damage, for which other readers would be asked.
  if (keyLength < 5 || keyLength > 32) throw new UnknownHandler(`a key of ${bits} bits`);
  const bytes = (key: string): Uint8Array => {
    const value = encrypt.get(key);
    return value instanceof PdfString ? value.bytes : new Uint8Array(0);
  };
  return {
    revision,
    keyLength: Math.min(keyLength, version === 5 ? 32 : 16),
    owner: bytes('O'),
    user: bytes('U'),
    ownerKey: bytes('OE'),
    userKey: bytes('UE'),
    permissions: encrypt.number('P') ?? 0,
    encryptMetadata: encrypt.get('EncryptMetadata') !== false,
    id,
    methods,
  };
}

function methodsOf(encrypt: Dict, version: number): Methods {
  if (version < 4) return { strings: 'rc4', streams: 'rc4', filters: new Map() };
  const filters = new Map<string, Method>([['Identity', 'none']]);
  const defined = encrypt.get('CF');
  for (const [name, filter] of defined instanceof Dict ? defined : []) {
    if (filter instanceof Dict && name !== 'Identity') filters.set(name, methodNamed(filter.name('CFM')));
  }
  const chosen = (key: string): Method => {
    const name = encrypt.name(key) ?? 'Identity';
    const method = filters.get(name);
    if (method === undefined) throw new UnknownHandler(`the crypt filter ${name}`);
    return method;
  };
  return { strings: chosen('StrF'), streams: chosen('StmF'), filters };
}

function methodNamed(name: string | undefined): Method {
  if (name === undefined || name === 'None') return 'none';
  if (name === 'V2') return 'rc4';
  if (name === 'AESV2') return 'aes128';
  if (name === 'AESV3') return 'aes256';
  throw new UnknownHandler(`the encryption method ${name}`);
}

/** Decryption with the password, or undefined where it is not the right one. */
export function decryptionWith(handler: Handler, password: string): Decryption | undefined {
  const opened = fileKey(handler, password);
  return opened === undefined ? undefined : new Decryption(opened, handler);
}

/** The first part of /ID, from which the key is computed. */
export function firstId(id: Value | undefined): Uint8Array {
  const first = Array.isArray(id) ? id[0] : undefined;
  return first instanceof PdfString ? first.bytes : new Uint8Array(0);
}
