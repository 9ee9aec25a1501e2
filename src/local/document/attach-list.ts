import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { attachList } from '../../contract/operations/attachments.ts';
import type { Context } from '../../contract/ports.ts';
import { describeAttachment, readAttachments } from '../../pdf/document/attachments.ts';
import { type Source, withSources } from '../../pdf/read/source.ts';

export function run({ file: input }: InputOf<typeof attachList>, ctx: Context): Promise<ResultOf<typeof attachList>> {
  return withSources([input], ctx, async (sources) => {
    const [source] = sources as [Source];
    const { file } = source;
    const attachments = readAttachments(source).map((each) => describeAttachment(file, each));
    const warnings = attachments.length === 0 ? [`${file.name} has no attachments`] : [];
    return { kind: 'record', record: { ok: true, attachments, table: tableOf(attachments) }, warnings };
  });
}

const COLUMNS = ['name', 'bytes', 'type', 'page', 'relationship', 'description'];

/** A line each, in columns; those that nobody has are left out. */
function tableOf(attachments: readonly Readonly<Record<string, unknown>>[]): string {
  if (attachments.length === 0) return '';
  const columns = COLUMNS.filter((column) => attachments.some((each) => each[column] !== undefined));
  const rows = [columns, ...attachments.map((each) => columns.map((column) => String(each[column] ?? '-')))];
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
