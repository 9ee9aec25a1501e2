import { file, text } from '../../field.ts';
import { PDF } from '../../media.ts';
import { operation } from '../../operation.ts';
import { incremental, made, shown } from '../../shared-entries.ts';

export const metaShow = operation({
  ...shown('metadata'),
  name: 'meta-show',
  group: 'edit',
  summary: 'Show title, author and other metadata, and where its two copies differ',
  input: { file: file('The PDF', { types: [PDF] }) },
  tools: { pdf_metadata: { when: 'Use it before you change metadata; pdf_info shows more about the document.' } },
});

const value = (what: string) => text(what, { maxLength: 10_000 });

export const metaSet = operation({
  ...made('-meta'),
  name: 'meta-set',
  group: 'edit',
  summary: 'Set title, author and other metadata',
  description:
    'Sets metadata in both the information dictionary and the XMP packet; values that are not given stay unchanged',
  input: {
    file: file('The PDF', { types: [PDF] }),
    title: value('Title'),
    author: value('Author'),
    subject: value('Subject'),
    keywords: value('Keywords, with commas between them'),
    creator: value('Program that wrote the document'),
    producer: value('Program that made the PDF'),
    created: value('When it was made, such as 2026-11-22 or 2026-11-22T21:40:00+01:00'),
    modified: value('When it was changed'),
    incremental,
  },
  needsOneOf: ['title', 'author', 'subject', 'keywords', 'creator', 'producer', 'created', 'modified'],
  tools: { set_pdf_metadata: { when: 'Use it to give a PDF a title or an author.' } },
});

export const metaClear = operation({
  ...made('-meta'),
  name: 'meta-clear',
  group: 'edit',
  summary: 'Remove all metadata, or some',
  description:
    'Removes the metadata of a document: the information dictionary and the XMP packet. Metadata of pictures stays',
  input: {
    file: file('The PDF', { types: [PDF] }),
    fields: text('Only these, such as author,producer', { maxLength: 200 }),
  },
  tools: { clear_pdf_metadata: { when: 'Use it before a PDF is given to strangers; it does not redact text.' } },
});
