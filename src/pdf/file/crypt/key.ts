// The file key of the standard security handler, revisions 2 to 6 (ISO 32000-2, 7.6.4): from a password, or none.
import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { encodePdfDoc } from '../../syntax/text-strings.ts';
import { passwordForms } from './password.ts';
import { Rc4 } from './rc4.ts';

export interface SecurityHandler {
  readonly revision: number;
  readonly keyLength: number;
  readonly owner: Uint8Array;
  readonly user: Uint8Array;
  readonly ownerKey: Uint8Array;
  readonly userKey: Uint8Array;
  readonly permissions: number;
  readonly encryptMetadata: boolean;
  readonly id: Uint8Array;
}

const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');

export type PasswordRole = 'user' | 'owner';

export interface OpenedKey {
  readonly key: Uint8Array;
  readonly role: PasswordRole;
}

export function fileKey(handler: SecurityHandler, password: string): OpenedKey | undefined {
  if (handler.revision >= 5) {
    for (const bytes of passwordForms(password)) {
      const opened = modernKey(handler, bytes);
      if (opened !== undefined) return opened;
    }
    return undefined;
  }
  // Before revision 5 passwords are in PDFDocEncoding; some writers put UTF-8 all the same.
  for (const bytes of [encodePdfDoc(password), Buffer.from(password, 'utf8')]) {
    if (bytes === undefined) continue;
    const key = userKeyOf(handler, bytes);
    if (key !== undefined) return { key, role: 'user' };
    const owned = userKeyOf(handler, ownersUserPassword(handler, bytes));
    if (owned !== undefined) return { key: owned, role: 'owner' };
  }
  return undefined;
}

function md5(...parts: Uint8Array[]): Buffer {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function padded(password: Uint8Array): Buffer {
  return Buffer.concat([password, PADDING]).subarray(0, 32);
}

/** Algorithm 2, then the check of algorithms 4, 5 and 6. */
function userKeyOf(handler: SecurityHandler, password: Uint8Array): Uint8Array | undefined {
  const { revision, keyLength, owner, permissions, id, user } = handler;
  const flags = Buffer.alloc(4);
  flags.writeInt32LE(permissions | 0);
  const plain = revision >= 4 && !handler.encryptMetadata ? [Buffer.from('ffffffff', 'hex')] : [];
  let hash = md5(padded(password), owner.subarray(0, 32), flags, id, ...plain);
  if (revision >= 3) for (let i = 0; i < 50; i++) hash = md5(hash.subarray(0, keyLength));
  const key = hash.subarray(0, keyLength);
  if (revision === 2) return new Rc4(key).apply(PADDING).every((byte, i) => byte === user[i]) ? key : undefined;
  const check = rc4Rounds(md5(PADDING, id), key, 0, 19).subarray(0, 16);
  return check.every((byte, i) => byte === user[i]) ? key : undefined;
}

/** RC4 with the key, each byte of which is XORed with the number of the round. */
function rc4Rounds(data: Uint8Array, key: Uint8Array, first: number, last: number): Uint8Array {
  const step = first <= last ? 1 : -1;
  for (let round = first; round !== last + step; round += step) {
    data = new Rc4(key.map((byte) => byte ^ round)).apply(data);
  }
  return data;
}

/** Algorithm 7: the user password that the owner password hides. */
function ownersUserPassword({ revision, keyLength, owner }: SecurityHandler, password: Uint8Array): Uint8Array {
  let hash = md5(padded(password));
  if (revision >= 3) for (let i = 0; i < 50; i++) hash = md5(hash);
  const key = hash.subarray(0, keyLength);
  const hidden = owner.subarray(0, 32);
  return revision === 2 ? new Rc4(key).apply(hidden) : rc4Rounds(hidden, key, 19, 0);
}

/** Algorithm 2.A: revisions 5 and 6. */
function modernKey(handler: SecurityHandler, password: Uint8Array): OpenedKey | undefined {
  const { owner, user } = handler;
  const nothing = new Uint8Array(0);
  const attempts = [
    { role: 'user', hashes: user, wrapped: handler.userKey, more: nothing },
    { role: 'owner', hashes: owner, wrapped: handler.ownerKey, more: user.subarray(0, 48) },
  ] as const;
  for (const { role, hashes, wrapped, more } of attempts) {
    const check = modernHash(handler.revision, password, hashes.subarray(32, 40), more);
    if (!check.equals(hashes.subarray(0, 32)) || wrapped.length < 32) continue;
    const key = modernHash(handler.revision, password, hashes.subarray(40, 48), more);
    const decipher = createDecipheriv('aes-256-cbc', key, Buffer.alloc(16)).setAutoPadding(false);
    return { key: Buffer.concat([decipher.update(wrapped.subarray(0, 32)), decipher.final()]), role };
  }
  return undefined;
}

/** Algorithm 2.B (revision 6); plain SHA-256 for revision 5. */
export function modernHash(revision: number, password: Uint8Array, salt: Uint8Array, more: Uint8Array): Buffer {
  let key = createHash('sha256').update(password).update(salt).update(more).digest();
  if (revision < 6) return key;
  for (let round = 0, last = 0; round < 64 || last > round - 32; round++) {
    const once = Buffer.concat([password, key, more]);
    const repeated = Buffer.concat(Array<Buffer>(64).fill(once));
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32)).setAutoPadding(false);
    const mixed = cipher.update(repeated);
    // The first 16 bytes as a number modulo 3; 256 is 1 modulo 3, so the digits' sum will do.
    const rest = mixed.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = createHash(rest === 0 ? 'sha256' : rest === 1 ? 'sha384' : 'sha512')
      .update(mixed)
      .digest();
    last = mixed[mixed.length - 1] ?? 0;
  }
  return key.subarray(0, 32);
}
