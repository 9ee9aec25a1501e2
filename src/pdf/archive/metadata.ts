// Writes the XMP packet of a PDF/A document (ISO 19005-2, 6.6): the document information, and the claim.
import { claimsOf } from '../file/read/claims.ts';
import { INFO_KEYS, METADATA_KEYS, newXmp, readXmp, valuesInXmp } from '../structure/metadata.ts';
import { isIsoDate, isoDate } from '../syntax/dates.ts';
import { textOf } from '../syntax/text-strings.ts';
import { type Dict, dictOf, Name, Ref } from '../syntax/values.ts';
import { invoiceClaimIn, invoiceProperties } from './invoice.ts';
import { type Conversion, reportChange } from './job.ts';

const END = '</rdf:RDF>';
const PDFA = 'http://www.aiim.org/pdfa/ns';
const PDFUA = 'http://www.aiim.org/pdfua/ns/id/';
/** Properties of the new packet, and the syntax of packets. */
const KEPT =
  /^(?:x:xmpmeta|rdf:\w+|dc:(?:title|creator|description|subject|format)|pdf:(?:Keywords|Producer|PDFVersion)|xmp:\w+Date|xmp:CreatorTool|pdfa\w*:\w+|pdfuaid:\w+|(?:fx|zf):\w+)$/;

/** Rewrites the packet. Returns whether it changed. */
export function fixMetadata(job: Conversion, catalog: Dict): boolean {
  const { changes, target } = job;
  const { file } = changes;
  const packet = readXmp(file, catalog.get('Metadata'));
  const values = packet === undefined ? {} : valuesInXmp(packet);
  const info = file.dict(file.xref.trailer.get('Info'));
  for (const key of METADATA_KEYS) {
    // XMP does not keep spaces at the ends of a value.
    values[key] = values[key]?.trim() ?? '';
    const text = textOf(file.resolve(info?.get(INFO_KEYS[key])));
    const isDate = key === 'created' || key === 'modified';
    const value = isDate ? isoDate(text) : text;
    if (value !== undefined && value !== null && value !== '') values[key] = value;
    if (values[key] === '' || (isDate && !isIsoDate(values[key] ?? ''))) delete values[key];
  }
  const id = description('pdfaid', `${PDFA}/id/`, { part: String(target.part), conformance: target.level });
  const ua = claimsOf(file).find(({ standard }) => standard === 'PDF/UA');
  const claim = job.invoice ?? (packet === undefined ? undefined : invoiceClaimIn(packet));
  const invoice = claim === undefined || target.part === 2 ? undefined : invoiceProperties(claim);
  // PDF/A does not know properties of other standards: the packet must describe them (6.6.2.3.3).
  const schemas = [...(ua === undefined ? [] : [UA_SCHEMA]), ...(invoice === undefined ? [] : [invoice.schema])];
  const parts = [
    id,
    ua === undefined ? '' : description('pdfuaid', PDFUA, { part: ua.part }),
    invoice === undefined ? '' : description(invoice.schema.prefix, invoice.schema.space, invoice.values),
    schemas.length === 0 ? '' : extensions(schemas),
  ].join('');
  const text = newXmp(values).replace(END, () => `${parts}${END}`);
  if (text === packet) return false;
  const lost = [...(packet ?? '').matchAll(/<([A-Za-z]\w*:\w+)[\s/>]/g)].map(([, name = '']) => name);
  if (lost.some((name) => !KEPT.test(name))) reportChange(job, 'metadata that has no place in PDF/A');
  const stream = dictOf({ Type: new Name('Metadata'), Subtype: new Name('XML') });
  const { num } = changes.add(stream);
  changes.setPlain(num, stream, Buffer.from(text));
  catalog.set('Metadata', new Ref(num, 0));
  return true;
}

type Properties = Readonly<Record<string, string>>;

function elements(prefix: string, properties: Properties): string {
  return Object.entries(properties)
    .map(([name, value]) => `<${prefix}:${name}>${value}</${prefix}:${name}>`)
    .join('');
}

function description(prefix: string, space: string, properties: Properties): string {
  return `<rdf:Description rdf:about="" xmlns:${prefix}="${space}">${elements(prefix, properties)}</rdf:Description>\n`;
}

const UA_SCHEMA: Schema = {
  name: 'PDF/UA identification schema',
  space: PDFUA,
  prefix: 'pdfuaid',
  properties: { part: 'Part of PDF/UA' },
};

interface Schema {
  readonly name: string;
  readonly space: string;
  readonly prefix: string;
  /** What each property is. */
  readonly properties: Properties;
}

function extensions(schemas: readonly Schema[]): string {
  const spaces = ['extension/', 'schema#', 'property#'].map((namespace, i) => {
    return ` xmlns:${['pdfaExtension', 'pdfaSchema', 'pdfaProperty'][i]}="${PDFA}/${namespace}"`;
  });
  const item = (prefix: string, properties: Properties): string =>
    `<rdf:li rdf:parseType="Resource">${elements(prefix, properties)}</rdf:li>`;
  const listed = schemas.map(({ name, space, prefix, properties }) => {
    const rows = Object.entries(properties).map(([property, description]) => {
      const [valueType, category] = property === 'part' ? ['Integer', 'internal'] : ['Text', 'external'];
      return item('pdfaProperty', { name: property, valueType, category, description });
    });
    const property = `<rdf:Seq>${rows.join('')}</rdf:Seq>`;
    return item('pdfaSchema', { schema: name, namespaceURI: space, prefix, property });
  });
  const bag = `<pdfaExtension:schemas><rdf:Bag>${listed.join('')}</rdf:Bag></pdfaExtension:schemas>`;
  return `<rdf:Description rdf:about=""${spaces.join('')}>${bag}</rdf:Description>\n`;
}
