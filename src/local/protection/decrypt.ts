import { Failure } from '../../contract/failure.ts';
import type { decrypt } from '../../contract/operations/edit/protection.ts';
import type { Context } from '../../contract/ports.ts';
import { rewrite } from '../../pdf/file/copy/rewrite.ts';
import { permissionsIn } from '../../pdf/file/crypt/permissions.ts';
import type { Handler } from '../frame/handler.ts';
import { type MadePdf, type Making, writePdf } from '../frame/write-pdf.ts';

export const run: Handler<typeof decrypt> = ({ file, password }, ctx) => {
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
