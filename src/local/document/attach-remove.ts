import { Failure } from '../../contract/failure.ts';
import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { attachRemove } from '../../contract/operations/attachments.ts';
import type { Context } from '../../contract/ports.ts';
import { changeAttachments } from '../../pdf/document/attach.ts';
import { type Attachment, readAttachments } from '../../pdf/document/attachments.ts';
import { noneNamed } from './attachments-named.ts';
import { type Edit, editDocument } from './edit.ts';

export function run(
  { file, name }: InputOf<typeof attachRemove>,
  ctx: Context,
): Promise<ResultOf<typeof attachRemove>> {
  let chosen: readonly Attachment[] = [];
  let left: readonly Attachment[] = [];
  const edit: Edit = {
    begin(source) {
      const all = readAttachments(source);
      const named = name === undefined ? all : all.filter((each) => each.name === name);
      if (named.length === 0) throw noneNamed(source.file.name, name, all);
      chosen = named.filter(({ key }) => key !== undefined);
      left = named.filter(({ key }) => key === undefined);
      const [note] = left;
      if (chosen.length > 0 || note === undefined) return;
      throw new Failure('unprocessable', `${note.name} is a note on page ${note.page}, which this does not take off`, {
        hint: 'Take it off with a viewer, as any other note.',
      });
    },
    prepare(copier, _, pace) {
      const keys = new Set(chosen.flatMap(({ key }) => key ?? []));
      const specs = new Set(chosen.flatMap(({ specNum }) => specNum ?? []));
      return changeAttachments(copier, [], { keys, specs }, pace);
    },
    warnings: () => left.map((each) => `${each.name} stays: it is a note on page ${each.page}`),
  };
  return editDocument(file, ['attach remove', name], edit, ctx);
}
