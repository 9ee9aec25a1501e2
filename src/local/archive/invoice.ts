import { Failure } from '../../contract/base/failure.ts';
import type { ByteSource, Context, Temp } from '../../contract/base/ports.ts';
import { field, say } from '../../contract/base/wording.ts';
import { XML } from '../../contract/media.ts';
import type { invoiceAttach, invoiceShow } from '../../contract/operations/edit/archive.ts';
import {
  INVOICE_NAMES,
  type InvoiceFacts,
  type InvoiceLevel,
  invoiceClaimIn,
  invoiceIn,
  LEVELS,
} from '../../pdf/archive/invoice.ts';
import {
  type Attachment,
  describeAttachment,
  pourAttachment,
  readAttachments,
} from '../../pdf/edit/document/attachments.ts';
import type { Source } from '../../pdf/file/open.ts';
import { catalogOf } from '../../pdf/file/read/entries.ts';
import { Pace } from '../../pdf/file/read/pace.ts';
import { fill, onDisk } from '../../pdf/file/read/random-access.ts';
import { readXmp } from '../../pdf/structure/metadata.ts';
import { attached } from '../document/attachments.ts';
import type { Handler } from '../frame/handler.ts';
import { withSource } from '../frame/with-source.ts';
import { archivePdf } from './archive.ts';

/** An invoice with thousands of lines has some megabytes. */
const MOST_XML = 64 << 20;

export const attach: Handler<typeof invoiceAttach> = async (input, ctx) => {
  const [document, invoice] = input.file as [ByteSource, ByteSource]; // the row asks for two
  const xml = onDisk(invoice);
  const bytes = new Uint8Array(Math.min(xml.size, MOST_XML));
  fill(xml, bytes, 0);
  const facts = xml.size > MOST_XML ? undefined : invoiceIn(bytes);
  if (facts?.root !== 'CrossIndustryInvoice') {
    const what = facts === undefined ? 'no invoice' : `an invoice of another kind (${facts.root})`;
    throw new Failure('unprocessable', `${invoice.name} is ${what}`, {
      hint: 'Factur-X and ZUGFeRD want a CrossIndustryInvoice in XML.',
    });
  }
  const level = levelOf(facts, input.level, invoice.name);
  const { said, relationship } = LEVELS[level];
  const name = level === 'xrechnung' ? 'xrechnung.xml' : 'factur-x.xml';
  // The XML is attached like any other file; then the whole document is made PDF/A-3.
  const description = `Invoice ${facts.number ?? ''}`.trim();
  const file = [document, { ...xml, name }];
  const given = { file, description, relationship, replace: input.replace ?? false, incremental: false };
  const carrying = await attached(given, ctx);
  const target = {
    to: 'pdfa-3b',
    substitute: input.substitute_fonts ?? false,
    invoice: { file: name, level: said },
  } as const;
  const result = await archivePdf({ ...carrying.body, name: document.name }, target, ctx);
  const details = { ...result.details, invoice: { file: name, level, profile: facts.profile, number: facts.number } };
  return { ...result, details, warnings: [...new Set([...(carrying.warnings ?? []), ...(result.warnings ?? [])])] };
};

/** The level that was asked for; it must be that of the XML. */
function levelOf({ level, profile }: InvoiceFacts, asked: InvoiceLevel | undefined, name: string): InvoiceLevel {
  const known = level !== undefined && level in LEVELS ? (level as InvoiceLevel) : undefined; // its own key
  const chosen = asked ?? known;
  if (chosen === undefined) {
    throw new Failure('unprocessable', `${name} follows ${profile ?? 'no profile'}, which is no known level`, {
      hint: say`Say which one it is: ${field('level', 'en16931')}.`,
    });
  }
  if (known === undefined || known === chosen) return chosen;
  throw new Failure('unprocessable', `${name} is of the level ${known}, not ${chosen}: it follows ${profile}`, {
    hint: say`Leave ${field('level')} out.`,
  });
}

export const showInvoice: Handler<typeof invoiceShow> = ({ file: input, xml }, ctx) => {
  return withSource(input, ctx, async (source, temp) => {
    const { attachment, facts, draft } = await invoiceOf(source, input.name, temp, ctx);
    if (xml === true) return { kind: 'bytes', mediaType: XML, body: draft.finish() };
    const { file } = source;
    const claim = invoiceClaimIn(readXmp(file, catalogOf(file).get('Metadata')) ?? '');
    const { name, bytes, relationship } = describeAttachment(file, attachment);
    const record = { file: name, bytes: draft.size, ...facts, relationship, declared: claim?.level };
    const warnings: string[] = [];
    if (claim === undefined) warnings.push(`${input.name}: its metadata does not say that it holds an invoice`);
    else if (facts.level !== undefined && plain(claim.level) !== plain(facts.level))
      warnings.push(`${input.name}: its metadata says ${claim.level}, its XML ${facts.level}`);
    if (bytes !== undefined && bytes !== draft.size)
      warnings.push(`${String(name)} has another size than the PDF says`);
    const text = Object.entries(record).flatMap(([key, value]) => (value === undefined ? [] : [`${key}: ${value}`]));
    return { kind: 'record', record: { ok: true, ...record, text: text.join('\n') }, warnings };
  });
};

/** Makes spellings of a level equal: EN 16931 and en16931, BASIC WL and basic-wl. */
function plain(level: string): string {
  return level.toLowerCase().replace(/[\s-]/g, '');
}

async function invoiceOf(source: Source, name: string, temp: Temp, ctx: Context) {
  const rank = ({ name }: Attachment): number => {
    const at = INVOICE_NAMES.indexOf(name.toLowerCase());
    return at < 0 ? INVOICE_NAMES.length : at;
  };
  const all = readAttachments(source)
    .filter((attachment) => /\.xml$/i.test(attachment.name))
    .sort((a, b) => rank(a) - rank(b));
  for (const attachment of all) {
    const draft = temp.create('invoice.xml');
    const chunks: Uint8Array[] = [];
    const take = (bytes: Uint8Array) => {
      draft.write(bytes);
      if (draft.size <= MOST_XML) chunks.push(Uint8Array.from(bytes));
    };
    await pourAttachment(source.file, attachment, take, new Pace(ctx));
    const facts = invoiceIn(Buffer.concat(chunks));
    if (facts !== undefined) return { attachment, facts, draft };
    draft.discard();
  }
  throw new Failure('unprocessable', `${name} holds no invoice`, {
    hint: 'An invoice for programs is an attached XML such as factur-x.xml.',
  });
}
