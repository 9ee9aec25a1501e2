import { file, text } from '../field.ts';
import { CREDITS } from '../limits.ts';
import { JSON_TYPE, PDF } from '../media.ts';
import { operation } from '../operation.ts';

export const metaShow = operation({
  name: 'meta-show',
  family: 'meta',
  group: 'edit',
  method: 'POST',
  path: '/api/v1/meta-show',
  summary: 'Show title, author and other metadata, and where its two places differ',
  work: 'copy',
  cost: { credits: 0 },
  body: 'multipart',
  input: { file: file('The PDF', { types: [PDF] }) },
  outputs: { record: { kind: 'record', mediaType: JSON_TYPE, record: 'metadata' } },
  success: 200,
  failures: ['usage', 'unauthenticated', 'too_large', 'unprocessable'],
  replay: 'free',
  tools: { pdf_metadata: { when: 'Use it before metadata is changed; pdf_info tells more of the document itself.' } },
  local: true,
  extension: true,
});

const value = (what: string) => text(what, { maxLength: 10_000 });

export const metaSet = operation({
  name: 'meta-set',
  family: 'meta',
  group: 'edit',
  method: 'POST',
  path: '/api/v1/meta-set',
  summary: 'Set title, author and other metadata',
  description:
    'Sets metadata in the information dictionary and in the XMP packet, so that both say the same; what is not given stays as it is',
  work: 'copy',
  cost: { credits: CREDITS.standard },
  body: 'multipart',
  input: {
    file: file('The PDF', { types: [PDF] }),
    title: value('Title'),
    author: value('Author'),
    subject: value('Subject'),
    keywords: value('Keywords, with commas between them'),
    creator: value('Program that the document was written with'),
    producer: value('Program that made the PDF'),
    created: value('When it was made, such as 2026-11-22 or 2026-11-22T21:40:00+01:00'),
    modified: value('When it was changed'),
  },
  needsOneOf: ['title', 'author', 'subject', 'keywords', 'creator', 'producer', 'created', 'modified'],
  outputs: { pdf: { kind: 'bytes', mediaType: PDF, stem: { suffix: '-meta' } } },
  success: 200,
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large', 'unprocessable'],
  replay: 'never',
  tools: { set_pdf_metadata: { when: 'Use it to give a PDF a title or an author.' } },
  local: true,
  extension: true,
});

export const metaClear = operation({
  name: 'meta-clear',
  family: 'meta',
  group: 'edit',
  method: 'POST',
  path: '/api/v1/meta-clear',
  summary: 'Take metadata off: all of it, or some',
  description:
    'Takes off what a document says of itself: the information dictionary and the XMP packet. What pictures say of themselves stays',
  work: 'copy',
  cost: { credits: CREDITS.standard },
  body: 'multipart',
  input: {
    file: file('The PDF', { types: [PDF] }),
    fields: text('Only these, such as author,producer', { maxLength: 200 }),
  },
  outputs: { pdf: { kind: 'bytes', mediaType: PDF, stem: { suffix: '-meta' } } },
  success: 200,
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large', 'unprocessable'],
  replay: 'never',
  tools: { clear_pdf_metadata: { when: 'Use it before a PDF is given to strangers; redaction is another thing.' } },
  local: true,
  extension: true,
});
