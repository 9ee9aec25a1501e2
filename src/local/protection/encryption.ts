import { Failure } from '../../contract/base/failure.ts';
import type { Context } from '../../contract/base/ports.ts';
import { field, say } from '../../contract/base/wording.ts';
import type { decrypt, encrypt } from '../../contract/operations/edit/protection.ts';
import { extensionEntry, rewrite } from '../../pdf/file/copy/rewrite.ts';
import { Encryption } from '../../pdf/file/crypt/encryption.ts';
import { ALL_PERMISSIONS, permissionFlags, permissionsIn } from '../../pdf/file/crypt/permissions.ts';
import { losesArchive } from '../../pdf/file/drop-claim.ts';
import type { Source } from '../../pdf/file/open.ts';
import type { Handler } from '../frame/handler.ts';
import { type MadePdf, type Making, writePdf } from '../frame/write-pdf.ts';

export const encryptDocument: Handler<typeof encrypt> = (input, ctx) => {
  const { file, user_password: user = '', owner_password: owner = user, allow, deny } = input;
  const permissions =
    deny !== undefined ? permissionFlags(deny, true) : allow !== undefined ? permissionFlags(allow, false) : undefined;
  const { refused } = permissionsIn(permissions ?? ALL_PERMISSIONS);
  refuseUseless(user, owner, refused.length > 0);
  const { random } = ctx;
  if (random === undefined) throw new Failure('unavailable', 'encrypt: no random numbers can be had here');
  const write = async ({ source, draft, pace, id, unchanged }: Making): Promise<MadePdf> => {
    const locks = { userPassword: user, ownerPassword: owner, permissions: permissions ?? ALL_PERMISSIONS };
    const encryption = new Encryption(locks, (length) => random(length));
    await rewrite(source, draft, id('encrypt'), pace, unchanged('encrypt'), extensionEntry, { encryption });
    const details = { encryption: { method: 'AES-256, revision 6', ...permissionsIn(locks.permissions) } };
    return { details, warnings: notes(source, user, refused), password: owner };
  };
  const loses = () => losesArchive('PDF/A documents are not encrypted');
  return writePdf([file], 'encrypted.pdf', ctx, write, { encryption: 'told elsewhere', loses });
};

/** Throws where the passwords would not give the protection that was asked for. */
function refuseUseless(user: string, owner: string, restricted: boolean): void {
  if (user === '' && owner === '') {
    throw new Failure('usage', 'encrypt needs a user password, an owner password or both');
  }
  if (restricted && user === owner) {
    throw new Failure('usage', 'what is refused needs an owner password that differs from the user password', {
      hint: say`The owner password allows everything: give another one with ${field('owner_password')}.`,
    });
  }
}

function notes({ file }: Source, user: string, refused: readonly string[]): string[] {
  const wish = refused.length === 0 ? '' : `; programs are asked not to: ${refused.join(', ')}`;
  return [
    ...(file.decryption === undefined ? [] : [`${file.name} was encrypted; its old passwords do not open the output`]),
    ...(user === '' ? [`anybody can open the output without a password${wish}`] : []),
  ];
}

export const decryptDocument: Handler<typeof decrypt> = ({ file, password }, ctx) => {
  const asking: Context =
    password === undefined ? ctx : { ...ctx, password: async (_, attempt) => (attempt === 1 ? password : undefined) };
  const write = async ({ source, draft, pace, id, unchanged }: Making): Promise<MadePdf> => {
    const { decryption, name } = source.file;
    if (decryption === undefined) {
      throw new Failure('unprocessable', `${name} is not encrypted`, { hint: 'There is nothing to take off.' });
    }
    await rewrite(source, draft, id('decrypt'), pace, unchanged('decrypt'));
    const { allowed, refused } = permissionsIn(decryption.permissions);
    const encryption = { method: decryption.method, opened_by: decryption.role, allowed, refused };
    const without = refused.length === 0 ? 'everything' : allowed.length === 0 ? 'nothing' : allowed.join(', ');
    const told = `${name} was encrypted (${decryption.method}), and allowed ${without} without the owner password`;
    return { details: { encryption }, warnings: [told] };
  };
  return writePdf([file], 'decrypted.pdf', asking, write, { encryption: 'told elsewhere' });
};
