// Converts a document to PDF/A-2 or -3 (ISO 19005) in place: objects stay, and what breaks a rule is fixed, removed and
// reported, or refused. A second run must find nothing to do: so outputs are checked.

import { Failure } from '../../contract/base/failure.ts';
import { field, say } from '../../contract/base/wording.ts';
import { catalogRef } from '../file/read/entries.ts';
import type { Pace } from '../file/read/pace.ts';
import { readPages } from '../file/read/page-tree.ts';
import type { Source } from '../file/read/source.ts';
import { Damage } from '../syntax/damage.ts';
import { Dict, Ref } from '../syntax/values.ts';
import { ObjectChanges } from './changes.ts';
import { noteDevices } from './colours.ts';
import { ContentJudge } from './content.ts';
import { fixFonts } from './fonts.ts';
import type { ArchiveTarget, BrokenRule, BundledParts, Conversion } from './job.ts';
import { fixMetadata } from './metadata.ts';
import { type ObjectRole, walk } from './walk.ts';

/** Reasons that a message gives. */
const MOST_REASONS = 5;

export interface Archived {
  readonly source: Source;
  readonly told: readonly string[];
}

/** @throws Failure where the document cannot become what is asked for, with the reasons. */
export async function archived(
  source: Source,
  request: Omit<ConversionRequest, 'isCheck'>,
  parts: BundledParts,
  pace: Pace,
): Promise<Archived> {
  const { target, substitute } = request;
  const job = await prepared(source, { ...request, isCheck: false }, parts, pace);
  const { changes, told } = job;
  if (job.refused.size > 0) {
    const reasons = [...job.refused];
    const more = reasons.length > MOST_REASONS ? `; and ${reasons.length - MOST_REASONS} more` : '';
    const isFont = reasons.some((reason) => reason.endsWith('is not embedded'));
    const message = `${source.file.name} cannot become ${profileName(target)}: ${reasons.slice(0, MOST_REASONS).join('; ')}${more}`;
    throw new Failure('unprocessable', message, {
      kind: 'unsupported',
      hint:
        isFont && !substitute
          ? say`Nothing was written. ${field('substitute_fonts', true)} puts the nearest font in.`
          : 'Nothing was written.',
    });
  }
  const fixed = changes.source(source);
  const tree = readPages(fixed.file);
  if (tree.pages.length !== source.tree.pages.length) throw new Damage('its pages cannot be read as they were written');
  return {
    source: { ...fixed, tree },
    told: [...told].map(([what, times]) => (times === 1 ? what : `${what} (${times} times)`)),
  };
}

/** The rules that a document breaks, of those that are looked at here. `level` U: also what characters its codes are. */
export async function findingsIn(
  source: Source,
  target: ArchiveTarget,
  parts: BundledParts,
  pace: Pace,
): Promise<BrokenRule[]> {
  const { findings } = await prepared(source, { target, substitute: false, isCheck: true }, parts, pace);
  return [...findings.values()];
}

/** What keeps a document that `archived` made from being what it says; nothing where it is. */
export async function archiveFaults(
  source: Source,
  target: ArchiveTarget,
  parts: BundledParts,
  pace: Pace,
): Promise<readonly string[]> {
  const { changes, findings } = await prepared(source, { target, substitute: false, isCheck: false }, parts, pace);
  return [
    ...new Set([...findings.values()].map(({ what }) => what)),
    ...changes.nums.map((num) => `object ${num} is not as it should be`),
  ];
}

export function profileName({ part, level }: ArchiveTarget): string {
  return `PDF/A-${part}${level.toLowerCase()}`;
}

type ConversionRequest = Pick<Conversion, 'target' | 'substitute' | 'isCheck' | 'invoice'>;

async function prepared(
  source: Source,
  request: ConversionRequest,
  parts: BundledParts,
  pace: Pace,
): Promise<Conversion> {
  const { file, tree } = source;
  const changes = new ObjectChanges(file);
  const job: Conversion = {
    ...parts,
    ...request,
    ...{ source, changes },
    ...{ intent: 'RGB', profiles: new Map(), devices: new Map(), told: new Map() },
    ...{ refused: new Set(), findings: new Map(), hasDefaults: false, at: undefined, page: undefined },
  };
  const root = catalogRef(file);
  const catalog = changes.dict(root) ?? new Dict();
  const content = new ContentJudge(job);
  await content.read(pace);
  await fixFonts(job, content.fonts.values(), pace);
  if (!request.isCheck && fixMetadata(job, catalog)) changes.set(root.num, catalog);
  const info = file.xref.trailer.get('Info');
  const roots: [number, ObjectRole | undefined, number?][] = [[root.num, 'catalog']];
  for (const [i, { num }] of tree.pages.entries()) if (num > 0) roots.push([num, 'page', i + 1]);
  if (info instanceof Ref) roots.push([info.num, undefined]);
  walk(job, roots);
  noteDevices(job);
  return job;
}
