import { Failure } from '../../contract/base/failure.ts';
import type { ByteSource, BytesResult, Context } from '../../contract/base/ports.ts';
import type { archive } from '../../contract/operations/edit/archive.ts';
import { archived, archiveFaults, profileName } from '../../pdf/archive/archive.ts';
import type { InvoiceClaim } from '../../pdf/archive/invoice.ts';
import type { ArchiveTarget, BundledParts } from '../../pdf/archive/job.ts';
import { rewrite } from '../../pdf/file/copy/rewrite.ts';
import type { LostClaims } from '../../pdf/file/drop-claim.ts';
import { openSource, type Source } from '../../pdf/file/open.ts';
import { claimsOf } from '../../pdf/file/read/claims.ts';
import { Pace } from '../../pdf/file/read/pace.ts';
import type { Handler } from '../frame/handler.ts';
import { type MadePdf, type Making, writePdf } from '../frame/write-pdf.ts';

const TARGETS: Readonly<Record<ArchiveLevel, ArchiveTarget>> = {
  'pdfa-2b': { part: 2, level: 'B' },
  'pdfa-2u': { part: 2, level: 'U' },
  'pdfa-3b': { part: 3, level: 'B' },
};
export type ArchiveLevel = 'pdfa-2b' | 'pdfa-2u' | 'pdfa-3b';
const CMYK_PROFILE = 'CGATS001Compat-v2-micro.icc';

export const run: Handler<typeof archive> = ({ file, to, substitute_fonts: substitute = false }, ctx) =>
  archivePdf(file, { to, substitute }, ctx);

/** Makes a PDF/A. `invoice`: what the metadata says about an embedded invoice. */
export async function archivePdf(
  file: ByteSource,
  { to, substitute, invoice }: { to: ArchiveLevel; substitute: boolean; invoice?: InvoiceClaim },
  ctx: Context,
): Promise<BytesResult> {
  const target = TARGETS[to];
  const parts = await bundledParts(ctx);
  const name = profileName(target);
  const write = async ({ source, draft, pace, id, unchanged }: Making): Promise<MadePdf> => {
    const { source: fixed, told } = await archived(source, { target, substitute, invoice }, parts, pace);
    await rewrite(fixed, draft, id(`archive ${to} ${substitute} ${invoice?.level}`), pace, unchanged('archive'));
    const warnings = told.length === 0 ? [] : [`taken out or replaced for ${name}: ${told.join('; ')}`];
    return { details: { conformance: name }, warnings };
  };
  const result = await writePdf([file], 'archive.pdf', ctx, write, { loses: (sources) => losesNewer(sources, name) });
  // The output is labelled as PDF/A only if our own checks find no fault in what was written.
  const faults = await archiveFaults(await openSource(result.body, {}), target, parts, new Pace(ctx));
  if (faults.length === 0) return result;
  throw new Failure('unprocessable', `${file.name} did not become ${name}: ${faults.slice(0, 5).join('; ')}`, {
    kind: 'unsupported',
    hint: 'Nothing was written. This is a defect of pdftool: please report it with the file.',
  });
}

/** PDF/UA-2 is for PDF 2.0. */
function losesNewer([source]: readonly Source[], name: string): LostClaims {
  const isNewer = source && claimsOf(source.file).some(({ standard, part }) => standard === 'PDF/UA' && part !== '1');
  return isNewer === true ? { 'PDF/UA': { why: `${name} is PDF 1.7` } } : {};
}

export async function bundledParts({ fontFile }: Context): Promise<BundledParts> {
  if (fontFile === undefined) throw new Failure('unavailable', 'the fonts that PDF/A needs are not installed');
  return { fontFile, cmykProfile: await fontFile(CMYK_PROFILE) };
}
