import { choice, file, files, flag } from '../../field.ts';
import { OWN_LIMITS } from '../../limits.ts';
import { JSON_TYPE, PDF, XML } from '../../media.ts';
import { operation } from '../../operation.ts';
import { edited, PAID, shown } from '../../shared-entries.ts';

export const ARCHIVE_LEVELS = ['pdfa-2b', 'pdfa-2u', 'pdfa-3b'] as const;

const SUBSTITUTE = flag('A font that is neither in the file nor has a metric twin is replaced by the nearest one');

export const archive = operation({
  ...edited('-archive'),
  name: 'archive',
  group: 'edit',
  path: '/api/v1/archive-pdf',
  summary: 'Make a PDF/A for archives and courts',
  description:
    'Makes a PDF/A of a PDF: what breaks a rule is put right, or taken out and told. Pages, text, bookmarks, links, fields, tags and layers stay. What cannot be put right is refused, with the reason',
  input: {
    file: file('The PDF', { types: [PDF] }),
    to: choice('Part and level of the standard; 3b may hold files', { values: ARCHIVE_LEVELS, default: 'pdfa-2b' }),
    substitute_fonts: SUBSTITUTE,
  },
  tools: { archive_pdf: { when: 'Use it where PDF/A is asked for; it says what had to go.' } },
});

const STANDARDS = [
  ...['pdfa-1a', 'pdfa-1b', 'pdfa-2a', 'pdfa-2b', 'pdfa-2u', 'pdfa-3a', 'pdfa-3b', 'pdfa-3u', 'pdfa-4', 'pdfa-4e'],
  ...['pdfa-4f', 'pdfua-1', 'pdfua-2'],
] as const;

export const checkStandards = operation({
  ...PAID,
  extension: true,
  name: 'check',
  group: 'edit',
  path: '/api/v1/check-conformance',
  summary: 'Check whether a PDF is the PDF/A or PDF/UA that it claims to be',
  description:
    'Tells what keeps a PDF from being PDF/A or PDF/UA, in words with rule, page and object. veraPDF judges where it is installed; without it a part of the rules is looked at, and the answer says how many: then nothing found is not "valid". For PDF/UA tags, title, language, order, figures, headings, links and fonts are reported. It ends with 3 where something was found',
  work: 'render',
  input: {
    file: file('The PDF', { types: [PDF] }),
    for: choice('What it is to be, instead of what it claims', { values: STANDARDS }),
  },
  limits: { inputBytes: OWN_LIMITS.editInput },
  outputs: { conformance: { kind: 'record', mediaType: JSON_TYPE, record: 'conformance', text: 'lines' } },
  verdict: { key: 'conforms', exit: 'unmet' },
  tools: { check_pdf_conformance: { when: 'Use it before a PDF goes to an archive, a court or a public web site.' } },
});

export const invoiceAttach = operation({
  ...edited('-invoice'),
  name: 'invoice-attach',
  group: 'edit',
  summary: 'Put an invoice in XML into a PDF, as Factur-X and ZUGFeRD want it',
  description:
    'Makes a PDF/A-3b that holds the invoice in XML beside the page for people, with the relationship and the metadata of its level. The XML is taken as it is: it is not checked against the rules of EN 16931',
  input: {
    file: files('The PDF, then the invoice in XML (CrossIndustryInvoice)', { types: [PDF, XML], min: 2, max: 2 }),
    level: choice('Level of the XML, where it does not say it', {
      values: ['minimum', 'basic-wl', 'basic', 'en16931', 'extended', 'xrechnung'],
    }),
    replace: flag('Put it in the place of an invoice of the same name'),
    substitute_fonts: SUBSTITUTE,
  },
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large', 'unprocessable', 'conflict'],
  tools: {
    attach_invoice: { when: 'Use it to make an e-invoice of a PDF; the first path is the PDF, the second the XML.' },
  },
});

export const invoiceShow = operation({
  ...shown('invoice', 'text'),
  name: 'invoice-show',
  group: 'edit',
  summary: 'Show the invoice that a PDF holds: file, level, profile',
  input: { file: file('The PDF', { types: [PDF] }), xml: flag('The XML itself') },
  outputs: {
    record: { kind: 'record', mediaType: JSON_TYPE, record: 'invoice', text: 'text' },
    xml: { kind: 'bytes', mediaType: XML, stem: { suffix: '-invoice' }, printed: true },
  },
  outputBy: 'xml',
  tools: { show_invoice: { when: 'Use it to learn whether a PDF is an e-invoice, and to read the XML in it.' } },
});
