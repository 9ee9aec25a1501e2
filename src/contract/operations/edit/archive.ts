import { choice, file, files, flag } from '../../field.ts';
import { OWN_LIMITS } from '../../limits.ts';
import { JSON_TYPE, PDF, XML } from '../../media.ts';
import { operation } from '../../operation.ts';
import { edited, PAID, shown } from '../../shared-entries.ts';

export const ARCHIVE_LEVELS = ['pdfa-2b', 'pdfa-2u', 'pdfa-3b'] as const;

const SUBSTITUTE = flag('Replace a font that is not embedded and has no metric twin by the nearest one');

export const archive = operation({
  ...edited('-archive'),
  name: 'archive',
  group: 'edit',
  path: '/api/v1/archive-pdf',
  summary: 'Make a PDF/A for archives and courts',
  description:
    'Converts a PDF to PDF/A: it corrects what breaks a rule, or removes it with a warning. Pages, text, bookmarks, links, fields, tags and layers stay. It refuses a PDF that it cannot correct, with the reason',
  input: {
    file: file('The PDF', { types: [PDF] }),
    to: choice('Part and level of the standard; 3b allows attachments', { values: ARCHIVE_LEVELS, default: 'pdfa-2b' }),
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
    'Says what keeps a PDF from being PDF/A or PDF/UA, with rule, page and object. It uses veraPDF if that is installed. Without veraPDF it checks a part of the rules and says how many: then no findings do not mean "valid". For PDF/UA it reports tags, title, language, order, figures, headings, links and fonts. It exits with 3 if it finds a fault',
  work: 'render',
  input: {
    file: file('The PDF', { types: [PDF] }),
    for: choice('Standard to check, instead of the one it claims', { values: STANDARDS }),
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
  summary: 'Attach an XML invoice to a PDF, as Factur-X and ZUGFeRD require',
  description:
    'Makes a PDF/A-3b with the XML invoice attached to the readable pages, with the relationship and the metadata of its level. It does not check the XML against the rules of EN 16931',
  input: {
    file: files('The PDF, then the invoice in XML (CrossIndustryInvoice)', { types: [PDF, XML], min: 2, max: 2 }),
    level: choice('Level of the XML, if it does not state it', {
      values: ['minimum', 'basic-wl', 'basic', 'en16931', 'extended', 'xrechnung'],
    }),
    replace: flag('Replace an invoice of the same name'),
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
  summary: 'Show the invoice in a PDF: file, level, profile',
  input: { file: file('The PDF', { types: [PDF] }), xml: flag('The XML itself') },
  outputs: {
    record: { kind: 'record', mediaType: JSON_TYPE, record: 'invoice', text: 'text' },
    xml: { kind: 'bytes', mediaType: XML, stem: { suffix: '-invoice' }, printed: true },
  },
  outputBy: 'xml',
  tools: { show_invoice: { when: 'Use it to learn whether a PDF is an e-invoice, and to read the XML in it.' } },
});
