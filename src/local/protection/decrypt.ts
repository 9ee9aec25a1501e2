import { Failure } from '../../contract/failure.ts';
import { PDF } from '../../contract/media.ts';
import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { decrypt } from '../../contract/operations/protection.ts';
import type { Context } from '../../contract/ports.ts';
import { fingerprint } from '../../pdf/copy/assemble.ts';
import { rewrite } from '../../pdf/copy/rewrite.ts';
import { permissionsIn } from '../../pdf/crypt/permissions.ts';
import { Pace } from '../../pdf/pace.ts';
import { signatureWarning } from '../../pdf/read/signature.ts';
import { type Source, withSources } from '../../pdf/read/source.ts';
import { checked } from '../../pdf/write/check.ts';

export function run({ file, password }: InputOf<typeof decrypt>, ctx: Context): Promise<ResultOf<typeof decrypt>> {
  const asking: Context =
    password === undefined ? ctx : { ...ctx, password: async (_, attempt) => (attempt === 1 ? password : undefined) };
  return withSources(
    [file],
    asking,
    async (sources, temp) => {
      const [source] = sources as [Source];
      const { decryption, name } = source.file;
      if (decryption === undefined) {
        throw new Failure('unprocessable', `${name} is not encrypted`, { hint: 'There is nothing to take off.' });
      }
      const total = source.tree.pages.length;
      const draft = temp.create('decrypted.pdf');
      let done = 0;
      await rewrite(source, draft, fingerprint(sources, 'decrypt'), new Pace(ctx), () => {
        ctx.progress({ phase: 'decrypt', done: done++, total, unit: 'pages' });
        return new Map();
      });
      const { allowed, refused } = permissionsIn(decryption.permissions);
      const encryption = { method: decryption.method, opened_by: decryption.role, allowed, refused };
      const without = refused.length === 0 ? 'everything' : allowed.length === 0 ? 'nothing' : allowed.join(', ');
      const warnings = [
        `${name} was encrypted (${decryption.method}), and allowed ${without} without the owner password`,
        ...signatureWarning(source.file),
      ];
      const body = await checked(draft.finish(), total);
      return { kind: 'bytes', mediaType: PDF, body, pages: total, details: { encryption }, warnings };
    },
    'told elsewhere',
  );
}
