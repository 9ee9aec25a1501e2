import { Failure } from '../../contract/failure.ts';
import type { encrypt } from '../../contract/operations/edit/protection.ts';
import { field, say } from '../../contract/wording.ts';
import { extensionEntry, rewrite } from '../../pdf/file/copy/rewrite.ts';
import { Encryption } from '../../pdf/file/crypt/encryption.ts';
import { ALL_PERMISSIONS, permissionFlags, permissionsIn } from '../../pdf/file/crypt/permissions.ts';
import { losesArchive } from '../../pdf/file/drop-claim.ts';
import type { Source } from '../../pdf/file/open.ts';
import type { Handler } from '../frame/handler.ts';
import { type MadePdf, type Making, writePdf } from '../frame/write-pdf.ts';

export const run: Handler<typeof encrypt> = (input, ctx) => {
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
