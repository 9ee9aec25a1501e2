// Encryption of a new file: AES-256, revision 6 of the standard security handler (ISO 32000-2, 7.6.3 and 7.6.4).
import { createCipheriv } from 'node:crypto';
import { hexString } from '../../syntax/serialize.ts';
import { modernHash } from './key.ts';
import { preparedPassword } from './password.ts';

const BLOCK = 16;
const KEY = 32;
const SALT = 8;
const NOTHING = new Uint8Array(0);

export type RandomBytes = (length: number) => Uint8Array;

interface Locks {
  /** Empty: everybody can open the file. */
  readonly userPassword: string;
  readonly ownerPassword: string;
  readonly permissions: number;
}

export class Encryption {
  /** The encryption dictionary, as text. */
  readonly dict: string;
  private readonly key: Uint8Array;
  private readonly random: RandomBytes;

  constructor(locks: Locks, random: RandomBytes) {
    this.random = random;
    this.key = random(KEY);
    this.dict = dictOf(this.key, locks, random);
  }

  bytes(plain: Uint8Array): Uint8Array {
    return Buffer.concat([...this.stream([plain])]);
  }

  /** The encrypted size: a vector in front, and at least one byte of padding. */
  lengthOf(plain: number): number {
    return BLOCK + plain - (plain % BLOCK) + BLOCK;
  }

  *stream(pieces: Iterable<Uint8Array>): Iterable<Uint8Array> {
    const vector = this.random(BLOCK);
    const cipher = createCipheriv('aes-256-cbc', this.key, vector);
    yield vector;
    for (const piece of pieces) yield cipher.update(piece);
    yield cipher.final();
  }
}

function dictOf(key: Uint8Array, { userPassword, ownerPassword, permissions }: Locks, random: RandomBytes): string {
  const user = lockOf(preparedPassword(userPassword), NOTHING, key, random);
  const owner = lockOf(preparedPassword(ownerPassword), user.check, key, random);
  const filter = '/CF<</StdCF<</Type/CryptFilter/AuthEvent/DocOpen/CFM/AESV3/Length 32>>>>/StmF/StdCF/StrF/StdCF';
  const keys = `/U${hexString(user.check)}/UE${hexString(user.wrapped)}/O${hexString(owner.check)}/OE${hexString(owner.wrapped)}`;
  const allowed = `/P ${permissions}/Perms${hexString(permsOf(permissions, key, random))}/EncryptMetadata true`;
  return `<</Filter/Standard/V 5/R 6/Length 256${filter}${keys}${allowed}>>`;
}

/** Algorithms 8 and 9: the validation string of a password and the encrypted key. `more`: the user's, for the owner's. */
function lockOf(password: Uint8Array, more: Uint8Array, key: Uint8Array, random: RandomBytes) {
  const [forCheck, forKey] = [random(SALT), random(SALT)];
  const check = Buffer.concat([modernHash(6, password, forCheck, more), forCheck, forKey]);
  return { check, wrapped: once('aes-256-cbc', modernHash(6, password, forKey, more), Buffer.alloc(BLOCK), key) };
}

/** Algorithm 10: an encrypted copy of the permissions, so that nobody changes them without the key. */
function permsOf(permissions: number, key: Uint8Array, random: RandomBytes): Uint8Array {
  const block = Buffer.alloc(BLOCK, 0xff);
  block.writeInt32LE(permissions, 0);
  block.write('Tadb', 8, 'latin1');
  block.set(random(4), 12);
  return once('aes-256-ecb', key, null, block);
}

function once(name: string, key: Uint8Array, vector: Uint8Array | null, data: Uint8Array): Uint8Array {
  const cipher = createCipheriv(name, key, vector).setAutoPadding(false);
  return Buffer.concat([cipher.update(data), cipher.final()]);
}
