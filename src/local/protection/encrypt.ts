import { Failure } from '../../contract/failure.ts';
import { PDF } from '../../contract/media.ts';
import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { encrypt } from '../../contract/operations/protection.ts';
import type { Context } from '../../contract/ports.ts';
import { fingerprint } from '../../pdf/copy/assemble.ts';
import { rewrite } from '../../pdf/copy/rewrite.ts';
import { Encryption } from '../../pdf/crypt/encryption.ts';
import { extensionEntry } from '../../pdf/crypt/extension.ts';
import { ALL_PERMISSIONS, permissionFlags, permissionsIn } from '../../pdf/crypt/permissions.ts';
import { Pace } from '../../pdf/pace.ts';
import { signatureWarning } from '../../pdf/read/signature.ts';
import { type Source, withSources } from '../../pdf/read/source.ts';
import { checked } from '../../pdf/write/check.ts';

export function run(input: InputOf<typeof encrypt>, ctx: Context): Promise<ResultOf<typeof encrypt>> {
  const { file, user_password: user = '', owner_password: owner = user, allow, deny } = input;
  const permissions =
    deny !== undefined ? permissionFlags(deny, true) : allow !== undefined ? permissionFlags(allow, false) : undefined;
  const { refused } = permissionsIn(permissions ?? ALL_PERMISSIONS);
  refuseUseless(user, owner, refused.length > 0);
  const { random } = ctx;
  if (random === undefined) throw new Failure('unavailable', 'encrypt: no random numbers can be had here');
  return withSources(
    [file],
    ctx,
    async (sources, temp) => {
      const [source] = sources as [Source];
      const total = source.tree.pages.length;
      const draft = temp.create('encrypted.pdf');
      let done = 0;
      const locks = { userPassword: user, ownerPassword: owner, permissions: permissions ?? ALL_PERMISSIONS };
      const encryption = new Encryption(locks, (length) => random(length));
      await rewrite(
        source,
        draft,
        fingerprint(sources, 'encrypt'),
        new Pace(ctx),
        () => {
          ctx.progress({ phase: 'encrypt', done: done++, total, unit: 'pages' });
          return new Map();
        },
        (copier) => extensionEntry(copier),
        { encryption },
      );
      const body = await checked(draft.finish(), total, owner);
      const details = { encryption: { method: 'AES-256, revision 6', ...permissionsIn(locks.permissions) } };
      return { kind: 'bytes', mediaType: PDF, body, pages: total, details, warnings: notes(source, user, refused) };
    },
    'told elsewhere',
  );
}

/** Throws where somebody would take for locked what is not. */
function refuseUseless(user: string, owner: string, restricted: boolean): void {
  if (user === '' && owner === '') {
    throw new Failure('usage', 'encrypt needs a user password, an owner password or both');
  }
  if (restricted && user === owner) {
    throw new Failure('usage', 'what is refused needs an owner password that differs from the user password', {
      hint: 'Whoever knows the owner password may do everything: give another one with --owner-password-file.',
    });
  }
}

function notes({ file }: Source, user: string, refused: readonly string[]): string[] {
  const wish = refused.length === 0 ? '' : `; programs are asked not to: ${refused.join(', ')}`;
  return [
    ...(file.decryption === undefined ? [] : [`${file.name} was encrypted; its old passwords do not open the output`]),
    ...(user === '' ? [`anybody can open the output without a password${wish}`] : []),
    ...signatureWarning(file),
  ];
}
