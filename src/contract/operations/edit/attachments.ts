import { choice, file, files, flag, text } from '../../field.ts';
import { ANY, PDF, ZIP } from '../../media.ts';
import { operation } from '../../operation.ts';
import { incremental, made, PAID, shown } from '../../shared-entries.ts';

export const attachList = operation({
  ...shown('attachments', 'table'),
  name: 'attach-list',
  group: 'edit',
  summary: 'List the attachments of a PDF',
  input: { file: file('The PDF', { types: [PDF] }) },
  tools: { pdf_attachments: { when: 'Use it to see which files a PDF carries.' } },
});

export const attachAdd = operation({
  ...made('-attached'),
  name: 'attach-add',
  group: 'edit',
  summary: 'Attach files to a PDF',
  description:
    'Attaches files to a PDF, byte for byte, under their names. A relationship links them to the document, as XML invoices require',
  input: {
    file: files('The PDF, then the files to put into it', { types: [PDF, ANY], min: 2 }),
    description: text('What the files are', { maxLength: 1_000 }),
    relationship: choice('How they belong to the document', {
      values: ['source', 'data', 'alternative', 'supplement', 'unspecified'],
    }),
    replace: flag('Replace an attachment of the same name'),
    incremental,
  },
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large', 'unprocessable', 'conflict'],
  tools: { attach_files_to_pdf: { when: 'Use it to carry files inside a PDF; the first path is the PDF.' } },
});

export const attachExtract = operation({
  ...PAID,
  extension: true,
  name: 'attach-extract',
  group: 'edit',
  summary: 'Extract the attachments of a PDF',
  description:
    'Extracts the attachments of a PDF, byte for byte: those of the document and those on its pages. The PDF itself stays unchanged',
  input: { file: file('The PDF', { types: [PDF] }), name: text('Only the files of this name', { maxLength: 1_000 }) },
  outputs: {
    files: { kind: 'parts', mediaType: ZIP, partTypes: [ANY], stem: { suffix: '-attachments' }, single: 'any' },
  },
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large', 'unprocessable', 'not_found'],
  tools: { extract_pdf_attachments: { when: 'Use it after pdf_attachments, to get at the files themselves.' } },
});

export const attachRemove = operation({
  ...made('-detached'),
  name: 'attach-remove',
  group: 'edit',
  summary: 'Remove attachments from a PDF',
  input: {
    file: file('The PDF', { types: [PDF] }),
    name: text('The file of this name', { maxLength: 1_000 }),
    all: flag('All of them'),
  },
  exclusive: [['name', 'all']],
  needsOneOf: ['name', 'all'],
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large', 'unprocessable', 'not_found'],
  tools: { remove_pdf_attachments: { when: 'Use it to free a PDF of the files that it carries.' } },
});
