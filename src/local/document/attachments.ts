import { Failure } from '../../contract/base/failure.ts';
import type { ByteSource, BytesResult, Context, Part, Values } from '../../contract/base/ports.ts';
import { field, say } from '../../contract/base/wording.ts';
import { columns } from '../../contract/columns.ts';
import { EXTENSIONS } from '../../contract/media.ts';
import type { CompleteInputOf } from '../../contract/operation.ts';
import type { attachAdd, attachExtract, attachList, attachRemove } from '../../contract/operations/edit/attachments.ts';
import { invoiceClaimIn } from '../../pdf/archive/invoice.ts';
import { changeAttachments } from '../../pdf/edit/document/attach.ts';
import {
  type Attachment,
  describeAttachment,
  fileNamesOf,
  pourAttachment,
  readAttachments,
} from '../../pdf/edit/document/attachments.ts';
import { archivePart, claimsOf } from '../../pdf/file/read/claims.ts';
import { catalogOf } from '../../pdf/file/read/entries.ts';
import { Pace } from '../../pdf/file/read/pace.ts';
import { onDisk } from '../../pdf/file/read/random-access.ts';
import { readXmp } from '../../pdf/structure/metadata.ts';
import type { Handler } from '../frame/handler.ts';
import { baseName, MOST_FILES } from '../frame/names.ts';
import { withSource } from '../frame/with-source.ts';
import { type Edit, editDocument } from './edit.ts';

export const listAttachments: Handler<typeof attachList> = ({ file: input }, ctx) => {
  return withSource(input, ctx, async (source) => {
    const { file } = source;
    const attachments = readAttachments(source).map((attachment) => describeAttachment(file, attachment));
    const warnings = attachments.length === 0 ? [`${file.name} has no attachments`] : [];
    return { kind: 'record', record: { ok: true, attachments, table: tableOf(attachments) }, warnings };
  });
};

const COLUMNS = ['name', 'bytes', 'type', 'page', 'relationship', 'description'];

/** A line for each attachment, without columns that are empty for all of them. */
function tableOf(attachments: readonly Values[]): string {
  if (attachments.length === 0) return '';
  const shown = COLUMNS.filter((column) => attachments.some((attachment) => attachment[column] !== undefined));
  const rows = attachments.map((attachment) => shown.map((column) => String(attachment[column] ?? '-')));
  return columns([shown, ...rows]).join('\n');
}

export const add: Handler<typeof attachAdd> = (input, ctx) =>
  attached(input, ctx, ([source]) => {
    const part = source === undefined ? undefined : archivePart(source.file);
    return part === '3' ? {} : { 'PDF/A': { why: 'it may hold no such attachments, which PDF/A-3 may' } };
  });

/** Attaches the other files to the first one. */
export async function attached(
  input: CompleteInputOf<typeof attachAdd>,
  ctx: Context,
  loses?: Edit['loses'],
): Promise<BytesResult> {
  const { file: files, description, relationship, replace, incremental } = input;
  const [document, ...others] = files as [ByteSource, ...ByteSource[]]; // the row asks for two at least
  const added = others.map((source) => {
    const name = baseName(source.name);
    const body = onDisk(source);
    return { name, body, mediaType: typeOfName(name), description, relationship: RELATIONSHIPS[relationship ?? ''] };
  });
  const twice = added.find(({ name }, index) => added.findIndex((other) => other.name === name) < index);
  if (twice !== undefined) throw new Failure('usage', `two of the files are named ${twice.name}`);
  const keys = new Set<string>();
  const specs = new Set<number>();
  const edit: Edit = {
    incremental,
    begin(source) {
      const names = new Set(added.map(({ name }) => name));
      for (const attachment of readAttachments(source)) {
        if (attachment.key === undefined || !names.has(attachment.name)) continue;
        if (replace !== true) {
          throw new Failure('conflict', `${source.file.name} has an attachment named ${attachment.name} already`, {
            hint: say`Add ${field('replace', true)} to put the new one in its place.`,
          });
        }
        keys.add(attachment.key);
        if (attachment.specNum !== undefined) specs.add(attachment.specNum);
      }
    },
    ...(loses && { loses }),
    prepare(copier, { file }, pace) {
      const claims = claimsOf(file).map(({ standard }) => standard);
      // PDF/A wants a relation of each file to the document, and PDF/UA a description.
      const told = added.map((one) => ({
        ...one,
        relationship: one.relationship ?? (claims.includes('PDF/A') ? RELATIONSHIPS.unspecified : undefined),
        description: one.description ?? (claims.includes('PDF/UA') ? one.name : undefined),
      }));
      return changeAttachments(copier, told, { keys, specs }, pace);
    },
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

/** Media types of attachments besides those that operations read and write. */
const MORE_TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
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

export const extractAttachments: Handler<typeof attachExtract> = ({ file: input, name }, ctx) => {
  return withSource(input, ctx, async (source, temp) => {
    const { file } = source;
    const all = readAttachments(source);
    const chosen = name === undefined ? all : all.filter((attachment) => attachment.name === name);
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
};

export const removeAttachment: Handler<typeof attachRemove> = ({ file, name }, ctx) => {
  let chosen: readonly Attachment[] = [];
  let left: readonly Attachment[] = [];
  let invoice: string | undefined;
  const edit: Edit = {
    begin(source) {
      invoice = invoiceClaimIn(readXmp(source.file, catalogOf(source.file).get('Metadata')) ?? '')?.file;
      const all = readAttachments(source);
      const named = name === undefined ? all : all.filter((attachment) => attachment.name === name);
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
    warnings: () => [
      ...left.map((attachment) => `${attachment.name} stays: it is a note on page ${attachment.page}`),
      ...(chosen.some((attachment) => attachment.name === invoice)
        ? [`the metadata still says that the document holds the invoice ${invoice}, which is gone`]
        : []),
    ],
  };
  return editDocument(file, ['attach remove', name], edit, ctx);
};

const MOST_NAMED = 10;

function noneNamed(file: string, name: string | undefined, all: readonly Attachment[]): Failure {
  if (all.length === 0) {
    return new Failure('unprocessable', `${file} has no attachments`, { hint: 'There is nothing to take out.' });
  }
  const names = all.slice(0, MOST_NAMED).map((attachment) => attachment.name);
  const more = all.length > MOST_NAMED ? ` and ${all.length - MOST_NAMED} more` : '';
  return new Failure('not_found', `${file} has no attachment named ${name}`, {
    hint: `It has ${names.join(', ')}${more}.`,
  });
}
