// The XMP packet of a document that is PDF/A (ISO 19005-2, 6.6): what the document information says, and the claim.
import { claimsOf } from '../file/read/claims.ts';
import { INFO_KEYS, METADATA_KEYS, newXmp, readXmp, valuesInXmp } from '../structure/metadata.ts';
import { isIsoDate, isoDate } from '../syntax/dates.ts';
import { textOf } from '../syntax/text-strings.ts';
import { Dict, Name, Ref } from '../syntax/values.ts';
import { type Job, tell } from './job.ts';

const END = '</rdf:RDF>';
const PDFA = 'http://www.aiim.org/pdfa/ns';
const PDFUA = 'http://www.aiim.org/pdfua/ns/id/';
/** Properties that the new packet has, and what packets are made of. */
const KEPT =
  /^(?:x:xmpmeta|rdf:\w+|dc:(?:title|creator|description|subject|format)|pdf:(?:Keywords|Producer|PDFVersion)|xmp:\w+Date|xmp:CreatorTool|pdfa\w*:\w+|pdfuaid:\w+)$/;

/** Writes the packet anew. Returns whether it differs from what was there. */
export function fixMetadata(job: Job, catalog: Dict): boolean {
  const { changes, target } = job;
  const { file } = changes;
  const packet = readXmp(file, catalog.get('Metadata'));
  const values = packet === undefined ? {} : valuesInXmp(packet);
  const info = file.dict(file.xref.trailer.get('Info'));
  for (const key of METADATA_KEYS) {
    // Spaces at the ends of a value do not come through XMP.
    values[key] = values[key]?.trim() ?? '';
    const text = textOf(file.resolve(info?.get(INFO_KEYS[key])));
    const isDate = key === 'created' || key === 'modified';
    const value = isDate ? isoDate(text) : text;
    if (value !== undefined && value !== null && value !== '') values[key] = value;
    if (values[key] === '' || (isDate && !isIsoDate(values[key] ?? ''))) delete values[key];
  }
  const id = description('pdfaid', `${PDFA}/id/`, [
    ['part', String(target.part)],
    ['conformance', target.level],
  ]);
  const ua = claimsOf(file).find(({ standard }) => standard === 'PDF/UA');
  const parts = ua === undefined ? id : `${id}${description('pdfuaid', PDFUA, [['part', ua.part]])}${UA_SCHEMA}`;
  const text = newXmp(values).replace(END, () => `${parts}${END}`);
  if (text === packet) return false;
  const lost = [...(packet ?? '').matchAll(/<([A-Za-z]\w*:\w+)[\s/>]/g)].map(([, name = '']) => name);
  if (lost.some((name) => !KEPT.test(name))) tell(job, 'metadata that has no place in PDF/A');
  const stream = new Dict([
    ['Type', new Name('Metadata')],
    ['Subtype', new Name('XML')],
  ]);
  const { num } = changes.add(stream);
  changes.setPlain(num, stream, Buffer.from(text));
  catalog.set('Metadata', new Ref(num, 0));
  return true;
}

function description(
  prefix: string,
  space: string,
  properties: readonly (readonly [name: string, value: string])[],
): string {
  const inside = properties.map(([name, value]) => `<${prefix}:${name}>${value}</${prefix}:${name}>`).join('');
  return `<rdf:Description rdf:about="" xmlns:${prefix}="${space}">${inside}</rdf:Description>\n`;
}

/** PDF/A knows no property of PDF/UA: a packet that has one describes it (6.6.2.3.3). */
const UA_SCHEMA = `<rdf:Description rdf:about="" xmlns:pdfaExtension="${PDFA}/extension/" xmlns:pdfaSchema="${PDFA}/schema#" xmlns:pdfaProperty="${PDFA}/property#"><pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource"><pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema><pdfaSchema:namespaceURI>${PDFUA}</pdfaSchema:namespaceURI><pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource"><pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType><pdfaProperty:category>internal</pdfaProperty:category><pdfaProperty:description>Part of PDF/UA</pdfaProperty:description></rdf:li></rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>\n`;
