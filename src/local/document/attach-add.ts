import { Failure } from '../../contract/failure.ts';
import { EXTENSIONS } from '../../contract/media.ts';
import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { attachAdd } from '../../contract/operations/attachments.ts';
import type { ByteSource, Context } from '../../contract/ports.ts';
import { changeAttachments } from '../../pdf/document/attach.ts';
import { readAttachments } from '../../pdf/document/attachments.ts';
import { onDisk } from '../../pdf/on-disk.ts';
import { type Edit, editDocument } from './edit.ts';

export async function run(input: InputOf<typeof attachAdd>, ctx: Context): Promise<ResultOf<typeof attachAdd>> {
  const { file: files, description, relationship, replace } = input;
  const [document, ...others] = files as [ByteSource, ...ByteSource[]]; // the row asks for two at least
  const added = others.map((each) => {
    const name = baseOf(each.name);
    const body = onDisk(each);
    return { name, body, mediaType: typeOfName(name), description, relationship: RELATIONSHIPS[relationship ?? ''] };
  });
  const twice = added.find(({ name }, index) => added.findIndex((each) => each.name === name) < index);
  if (twice !== undefined) throw new Failure('usage', `two of the files are named ${twice.name}`);
  const keys = new Set<string>();
  const specs = new Set<number>();
  const edit: Edit = {
    begin(source) {
      const names = new Set(added.map(({ name }) => name));
      for (const each of readAttachments(source)) {
        if (each.key === undefined || !names.has(each.name)) continue;
        if (replace !== true) {
          throw new Failure('conflict', `${source.file.name} has an attachment named ${each.name} already`, {
            hint: 'Add --replace to put the new one in its place.',
          });
        }
        keys.add(each.key);
        if (each.specNum !== undefined) specs.add(each.specNum);
      }
    },
    prepare: (copier, _, pace) => changeAttachments(copier, added, { keys, specs }, pace),
  };
  const what = added.map(({ name, body }) => [name, body.size]);
  return editDocument(document, ['attach add', what, description, relationship], edit, ctx);
}

const RELATIONSHIPS: Readonly<Record<string, string>> = {
  source: 'Source',
  data: 'Data',
  alternative: 'Alternative',
  supplement: 'Supplement',
  unspecified: 'Unspecified',
};

/** What people attach besides what is worked on here. */
const MORE_TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  xml: 'text/xml',
  html: 'text/html',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odt: 'application/vnd.oasis.opendocument.text',
};

function typeOfName(name: string): string {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const known = Object.keys(EXTENSIONS).find((type) => EXTENSIONS[type]?.includes(ending));
  return known ?? MORE_TYPES[ending] ?? 'application/octet-stream';
}

function baseOf(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
}
