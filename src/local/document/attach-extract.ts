import { Failure } from '../../contract/failure.ts';
import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { attachExtract } from '../../contract/operations/attachments.ts';
import type { Context, Part } from '../../contract/ports.ts';
import { fileNamesOf, pourAttachment, readAttachments } from '../../pdf/document/attachments.ts';
import { Pace } from '../../pdf/pace.ts';
import { type Source, withSources } from '../../pdf/read/source.ts';
import { noneNamed } from './attachments-named.ts';

/** Each file has to reach the disk. */
const MOST_FILES = 20_000;

export function run(
  { file: input, name }: InputOf<typeof attachExtract>,
  ctx: Context,
): Promise<ResultOf<typeof attachExtract>> {
  return withSources([input], ctx, async (sources, temp) => {
    const [source] = sources as [Source];
    const { file } = source;
    const all = readAttachments(source);
    const chosen = name === undefined ? all : all.filter((each) => each.name === name);
    if (chosen.length === 0) throw noneNamed(file.name, name, all);
    if (chosen.length > MOST_FILES) {
      throw new Failure('unprocessable', `${file.name} has more than ${MOST_FILES} attachments`, { kind: 'limit' });
    }
    const pace = new Pace(ctx);
    const parts: Part[] = [];
    const warnings: string[] = [];
    const names = fileNamesOf(chosen);
    for (const [index, attachment] of chosen.entries()) {
      ctx.progress({ phase: 'extract', done: index, total: chosen.length, unit: 'files' });
      const draft = temp.create(names[index] ?? 'attachment');
      const isSound = await pourAttachment(file, attachment, (bytes) => draft.write(bytes), pace);
      if (!isSound) warnings.push(`${attachment.name} is not what its checksum was taken of`);
      parts.push({ name: draft.name, body: draft.finish() });
    }
    return { kind: 'parts', parts, warnings };
  });
}
