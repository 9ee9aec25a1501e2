// Removes claims to conform to PDF/A or PDF/UA that an output would not fulfil: a file claims only what it is.
import { Failure } from '../../contract/base/failure.ts';
import type { ByteSource, Context, RandomAccess, Result } from '../../contract/base/ports.ts';
import { PDF } from '../../contract/media.ts';
import { unlessRefusedLater } from '../syntax/damage.ts';
import { dictOf, Name, type Value } from '../syntax/values.ts';
import { archivePart, claimsOf, claimText, packetWithout, type Standard, type StandardClaim } from './read/claims.ts';
import { catalogOf, listOf, nameAt } from './read/entries.ts';
import { inherited } from './read/form-fields.ts';
import { openSound } from './read/open-by-table.ts';
import { annotationsOf, wholeDictOfPage } from './read/page-dict.ts';
import type { PdfFile } from './read/pdf-file.ts';
import { fill } from './read/random-access.ts';
import { signedFields } from './read/signature.ts';
import type { Source } from './read/source.ts';
import { revised } from './repair/revised.ts';

interface Reason {
  /** The rest of a sentence: why the claim would be false. */
  readonly why: string;
  /** A lower level that the output does fulfil. */
  readonly level?: string | undefined;
}

/** Claims that an output cannot make although an input does, with the reasons. */
export type LostClaims = { readonly [S in Standard]?: Reason | undefined };

export function losesArchive(why: string | undefined): LostClaims {
  return why === undefined ? {} : { 'PDF/A': { why } };
}

/** Claims that a document loses with tags: PDF/UA, and level a of PDF/A, which falls to the next lower one. */
export function losesTags([source]: readonly Source[], why: string): LostClaims {
  const archive = source && claimsOf(source.file).find(({ standard, level }) => standard === 'PDF/A' && level === 'a');
  return { 'PDF/UA': { why }, ...(archive && { 'PDF/A': { why, level: levelWithoutTags(archive) } }) };
}

/** Level a of part 2 and later maps characters, as level u does. */
function levelWithoutTags({ part }: StandardClaim): string {
  return part === '1' ? 'b' : 'u';
}

/** Weakest first. */
const LEVELS = ['', 'b', 'u', 'a'];

/** Claims that several documents cannot make together: made by some of them only, or the higher of two levels. */
export function differingClaims(sources: readonly Source[]): LostClaims {
  const lost: { [S in Standard]?: Reason } = {};
  for (const standard of ['PDF/A', 'PDF/UA'] as const) {
    const claims = sources.map(({ file }) => claimsOf(file).find((claim) => claim.standard === standard));
    if (new Set(claims.map((claim) => claim && claimText(claim))).size < 2) continue;
    const bare = sources[claims.indexOf(undefined)];
    const weakest = claims.flatMap((claim) => claim?.level ?? []).sort((a, b) => LEVELS.indexOf(a) - LEVELS.indexOf(b));
    const isPart = bare === undefined && new Set(claims.map((claim) => claim?.part)).size === 1;
    // Part 4e allows what 4f does not, and the other way round.
    const isEither = weakest.includes('e') && weakest.includes('f');
    lost[standard] = {
      why: bare === undefined ? 'the inputs claim different parts or levels' : `${bare.file.name} claims none`,
      level: isPart && !isEither ? weakest[0] : undefined,
    };
  }
  return lost;
}

export function losesByTransparency(sources: readonly Source[]): LostClaims {
  const isFirst = sources.some(({ file }) => archivePart(file) === '1');
  return losesArchive(isFirst ? 'PDF/A-1 has no transparency' : undefined);
}

/** Claims that a document loses when pages of another are laid over it. */
export function losesByOverlay(sources: readonly Source[]): LostClaims {
  const [under, over] = sources;
  // The language of the pages is then that of the document below them.
  const isMute = under !== undefined && !catalogOf(under.file).has('Lang');
  return {
    ...differingClaims(sources),
    ...(isMute && { 'PDF/UA': { why: 'it names no language for what is laid over it' } }),
    ...losesArchive(over && whyNotInside(over)),
  };
}

/** Why pages cannot be drawn into others: a profile may not be that of its surroundings (ISO 19005-4, 6.2.4.2). */
export function whyNotInside({ file, tree }: Source): string | undefined {
  const isBlended = archivePart(file) === '4' && tree.pages.some((page) => wholeDictOfPage(file, page).has('Group'));
  return isBlended ? 'its pages say how they are blended' : undefined;
}

function hasFileNotes({ file, tree }: Source): boolean {
  return tree.pages.some((page) =>
    annotationsOf(file, page).some((note) => nameAt(file, file.dict(note), 'Subtype') === 'FileAttachment'),
  );
}

/** The sources without claims that the output breaks, and the warnings. @throws Failure where claims are to be kept. */
export function withoutFalseClaims(
  sources: readonly Source[],
  lost: LostClaims,
  ctx: Wishes,
): { readonly sources: readonly Source[]; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  const changed = sources.map((given) => {
    let source = given;
    for (const claim of claimsOf(given.file)) {
      const reason = lost[claim.standard];
      if (reason === undefined || reason.level === claim.level) continue;
      const instead =
        reason.level === undefined ? undefined : `${claimText({ ...claim, level: reason.level })} instead`;
      warnings.push(lossOf(given.file.name, claim, reason.why, ctx, instead));
      source = claiming(source, claim.standard, reason.level);
    }
    return source;
  });
  return { sources: changed, warnings };
}

type Wishes = Pick<Context, 'keepConformance'>;

function lossOf(name: string, claim: StandardClaim, why: string, wishes: Wishes, instead?: string): string {
  if (wishes.keepConformance === true) {
    throw new Failure('unprocessable', `${name} claims ${claimText(claim)}, which the output would not be: ${why}`, {
      hint: 'Nothing was written. Without the wish to keep it, the claim is taken out.',
    });
  }
  const then = instead === undefined ? 'the output no longer claims it' : `the output claims ${instead}`;
  return `${name} claims ${claimText(claim)}; ${then}: ${why}`;
}

function claiming(source: Source, standard: Standard, level: string | undefined): Source {
  const packet = packetWithout(source.file, standard, level?.toUpperCase());
  if (packet === undefined) return source;
  return revised(source, (revision, table) => {
    const bytes = Buffer.from(packet.text);
    const dict = dictOf({ Type: new Name('Metadata'), Subtype: new Name('XML'), Length: bytes.length });
    revision.put(table, packet.num, dict, bytes);
    return [packet.num];
  });
}

/**
 * Checks the claims of what was written. `false`: claims that the output makes and does not fulfil because its tags or
 * attachments are gone; it must be written again without them. `warnings`: claims that were lost with the metadata.
 */
export async function claimsAfter(
  sources: readonly Source[],
  result: Result,
  ctx: Wishes,
): Promise<{ readonly false?: LostClaims; readonly warnings: readonly string[] }> {
  const before = sources.flatMap(({ file }) => claimsOf(file).map((claim) => ({ claim, name: file.name })));
  if (before.length === 0) return { warnings: [] };
  const unmet: { [S in Standard]?: Reason } = {};
  const warnings = new Set<string>();
  for (const body of pdfsIn(result)) {
    const written = await outputFacts(body as RandomAccess); // what a draft is finished as
    if (written === undefined) continue;
    const { claims, isTagged, hasFiles, hasOwnInfo, isSignatureMoved } = written;
    for (const claim of claims) {
      const { standard, part, level } = claim;
      const why = 'its tags are not in the output';
      if (!isTagged && standard === 'PDF/UA') unmet[standard] = { why };
      if (!isTagged && level === 'a') unmet[standard] = { why, level: levelWithoutTags(claim) };
      if (!hasFiles && level === 'f') {
        const left = sources.some(hasFileNotes) ? undefined : '';
        unmet[standard] = { why: 'its attachments are not in the output', level: left };
      }
      // No lower level allows these: they come last.
      if (standard === 'PDF/A' && part === '4' && hasOwnInfo)
        unmet[standard] = { why: 'it keeps an information dictionary, which PDF/A-4 has not' };
      if (standard === 'PDF/A' && part !== '1' && isSignatureMoved)
        unmet[standard] = { why: 'it keeps a signature that does not cover it' };
    }
    for (const { claim, name } of before) {
      if (claims.some(({ standard }) => standard === claim.standard)) continue;
      warnings.add(lossOf(name, claim, 'its metadata does not say so any more', ctx));
    }
  }
  return Object.keys(unmet).length > 0 ? { false: unmet, warnings: [] } : { warnings: [...warnings] };
}

export function pdfsIn(result: Result): readonly ByteSource[] {
  if (result.kind === 'bytes') return result.mediaType === PDF ? [result.body] : [];
  if (result.kind === 'parts') return result.parts.filter(({ name }) => name.endsWith('.pdf')).map(({ body }) => body);
  return [];
}

/** Undefined for an output that is encrypted for its reader, which cannot be checked. */
function outputFacts(body: RandomAccess) {
  return unlessRefusedLater(undefined, async () => {
    const file = await openSound(body, async () => undefined);
    const catalog = catalogOf(file);
    const isMarked = file.resolve(file.dict(catalog.get('MarkInfo'))?.get('Marked')) === true;
    const isTagged = isMarked && catalog.has('StructTreeRoot');
    const hasFiles = file.dict(catalog.get('Names'))?.has('EmbeddedFiles') === true;
    const info = file.dict(file.xref.trailer.get('Info'));
    const hasOwnInfo = info !== undefined && !(catalog.has('PieceInfo') && [...info.keys()].join() === 'ModDate');
    const isSignatureMoved = signedFields(file).some(
      (field) => !isInPlace(file, body, inherited(file, field.dict, 'V')),
    );
    const facts = { claims: claimsOf(file), isTagged, hasFiles, hasOwnInfo, isSignatureMoved };
    file.release();
    return facts;
  });
}

/** Whether the gap in the byte range of a signature is still where its contents stand. */
function isInPlace(file: PdfFile, body: RandomAccess, signature: Value): boolean {
  const range = listOf(file, file.dict(signature)?.get('ByteRange'));
  const [start, length, after] = range.map((value) => Number(file.resolve(value)));
  if (start !== 0 || length === undefined || after === undefined) return false;
  const ends = new Uint8Array(2);
  fill(body, ends.subarray(0, 1), length);
  fill(body, ends.subarray(1), after - 1);
  return String.fromCharCode(...ends) === '<>';
}
