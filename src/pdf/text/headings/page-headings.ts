import type { Group } from '../layout/groups.ts';
import type { TitledBookmark } from './bookmark-titles.ts';
import type { DeclaredStructure } from './declared-structure.ts';
import type { DocumentStyle } from './document-style.ts';
import type { Heading } from './heading-levels.ts';
import { headingStyle, headingText, NAMED, possibleHeading } from './headings.ts';

/** Longer than any title that a tag or a bookmark may claim. */
const LONGEST = 200;

interface Claim {
  readonly group: Group;
  readonly heading: Heading;
  readonly bookmark: TitledBookmark | undefined;
  /** A tag or its style says so too. */
  readonly sure: boolean;
}

export function headingsOn(
  groups: readonly Group[],
  page: number,
  style: DocumentStyle,
  declared: DeclaredStructure,
): Map<Group, Heading> {
  const claims = groups.flatMap((group) => claimOf(group, page, style, declared) ?? []);
  // A table of contents has the same titles: of plain text the last match of a bookmark is its heading.
  const holders = new Map<TitledBookmark, Claim>();
  for (const claim of claims) {
    const { bookmark } = claim;
    if (bookmark !== undefined && (claim.sure || holders.get(bookmark)?.sure !== true)) holders.set(bookmark, claim);
  }
  const held = new Set(holders.values());
  const chosen = claims.filter((claim) => claim.sure || held.has(claim));
  return new Map(chosen.map(({ group, heading }) => [group, heading]));
}

function claimOf(group: Group, page: number, style: DocumentStyle, declared: DeclaredStructure): Claim | undefined {
  const possible = possibleHeading(group);
  if (possible === undefined) return undefined;
  const text = headingText(group);
  const short = text.length <= LONGEST;
  const marks = group.lines.map((line) => line.mark);
  const tag = short ? declared.tagOf(page, marks) : undefined;
  // The title of a table of contents is its caption.
  if (tag === 'none' && !NAMED.test(text)) return undefined;
  const bookmark = short ? declared.bookmarkOf(page, text) : undefined;
  const looks = headingStyle(group, style, possible);
  if (looks === undefined && typeof tag !== 'number' && bookmark === undefined) return undefined;
  const heading = {
    style: looks ?? possible,
    ...(typeof tag !== 'number' || tag === 0 ? {} : { tag }),
    ...(bookmark === undefined ? {} : { depth: bookmark.depth }),
  };
  return { group, heading, bookmark, sure: looks !== undefined || typeof tag === 'number' };
}
