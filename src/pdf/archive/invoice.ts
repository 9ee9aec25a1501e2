// Invoices for people and programs (Factur-X 1.0, ZUGFeRD): a PDF/A-3 with the same invoice in XML, declared in XMP.

/** The level's name in the metadata, and the XML's relationship to the page: equivalent, or only a part of it. */
export const LEVELS = {
  minimum: { said: 'MINIMUM', relationship: 'data' },
  'basic-wl': { said: 'BASIC WL', relationship: 'data' },
  basic: { said: 'BASIC', relationship: 'alternative' },
  en16931: { said: 'EN 16931', relationship: 'alternative' },
  extended: { said: 'EXTENDED', relationship: 'alternative' },
  xrechnung: { said: 'XRECHNUNG', relationship: 'alternative' },
} as const;
export type InvoiceLevel = keyof typeof LEVELS;

/** The facts in an invoice's XML. */
export interface InvoiceFacts {
  /** Its root element: CrossIndustryInvoice, CrossIndustryDocument (ZUGFeRD 1), or UBL's Invoice or CreditNote. */
  readonly root: string;
  /** The identifier of its profile. */
  readonly profile: string | undefined;
  /** The level of its profile; `comfort` in ZUGFeRD 1. */
  readonly level: string | undefined;
  readonly number: string | undefined;
}

const ROOTS = /^(?:CrossIndustryInvoice|CrossIndustryDocument|Invoice|CreditNote)$/;

/** Reads the beginning of an invoice; undefined where the text is none. */
export function invoiceIn(bytes: Uint8Array): InvoiceFacts | undefined {
  const encoding = bytes[0] === 0xff ? 'utf-16le' : bytes[0] === 0xfe ? 'utf-16be' : 'utf-8';
  const text = new TextDecoder(encoding).decode(bytes).replace(/<!--[\s\S]*?-->/g, '');
  const root = /<(?:[\w.-]+:)?([A-Za-z][\w.-]*)/.exec(text)?.[1];
  if (root === undefined || !ROOTS.test(root)) return undefined;
  const value = (pattern: string): string | undefined =>
    new RegExp(`${pattern}[^<>]*>\\s*([^<]+?)\\s*<`).exec(text)?.[1];
  const guideline = '<(?:\\w+:)?GuidelineSpecifiedDocumentContextParameter\\s*>\\s*<(?:\\w+:)?ID';
  const header = '<(?:\\w+:)?(?:ExchangedDocument|HeaderExchangedDocument)\\s*>\\s*<(?:\\w+:)?ID';
  const profile = value(guideline) ?? value('<(?:\\w+:)?CustomizationID');
  const number = value(header) ?? value('<cbc:ID');
  return { root, profile, level: profile === undefined ? undefined : levelOf(profile), number };
}

function levelOf(profile: string): string | undefined {
  if (/xrechnung/i.test(profile)) return 'xrechnung';
  const last = profile.split(':').at(-1)?.toLowerCase() ?? '';
  if (last === 'komfort') return 'comfort';
  if (last === 'basicwl') return 'basic-wl';
  if (/^(?:minimum|basic|extended|comfort)$/.test(last)) return last;
  return profile === 'urn:cen.eu:en16931:2017' ? 'en16931' : undefined;
}

/** Names of invoices in PDFs, newer standards first. */
export const INVOICE_NAMES = ['factur-x.xml', 'xrechnung.xml', 'zugferd-invoice.xml', 'order-x.xml'];

const NAMESPACE = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';
const PROPERTIES = {
  DocumentType: 'INVOICE',
  DocumentFileName: 'The name of the embedded XML document',
  Version: 'The version of the standard that applies',
  ConformanceLevel: 'The level of the XML document',
};

export interface InvoiceClaim {
  readonly file: string;
  /** Such as EN 16931. */
  readonly level: string;
}

/** The claim in a packet, of this or an earlier version. */
export function invoiceClaimIn(packet: string): InvoiceClaim | undefined {
  const property = (name: string): string | undefined =>
    new RegExp(`:${name}(?:\\s*=\\s*["']|\\s*>)\\s*([^<"']+?)\\s*[<"']`).exec(packet)?.[1];
  const [file, level] = [property('DocumentFileName'), property('ConformanceLevel')];
  if (!/CrossIndustryDocument:invoice|ferd:pdfa:invoice/.test(packet) || file === undefined || level === undefined)
    return undefined;
  return { file, level };
}

/** Properties of the claim and their schema, for a packet. */
export function invoiceProperties({ file, level }: InvoiceClaim) {
  const values = { DocumentType: 'INVOICE', DocumentFileName: file, Version: '1.0', ConformanceLevel: level };
  const schema = { name: 'Factur-X PDFA Extension Schema', space: NAMESPACE, prefix: 'fx', properties: PROPERTIES };
  return { values, schema };
}
