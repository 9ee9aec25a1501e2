import { Walk } from '../../content/walk.ts';
import type { Pace } from '../../file/read/pace.ts';
import type { PdfFile } from '../../file/read/pdf-file.ts';
import type { Source } from '../../file/read/source.ts';
import { pageContent } from '../../page/contents.ts';
import { unlessRefused } from '../../syntax/damage.ts';
import { Dict, Ref } from '../../syntax/values.ts';
import { PAGE, STREAM, type Survey } from './survey.ts';

/** An /XObject dictionary of pages. `holder`: the object it stands in. */
interface Listing {
  readonly names: Dict;
  readonly used: Set<string>;
  pages: number;
  /** The object by which pages refer to it; only pages may do so. */
  readonly shared: number | undefined;
  whole: boolean;
}

/**
 * Pages in no page tree: left over from removed pages, and still named by tags, bookmarks and links. Nothing shows
 * them, but they would keep all they hold.
 */
export function findOrphans({ file, tree }: Source, survey: Survey): ReadonlySet<number> {
  const shown = new Set(tree.pages.map(({ num }) => num));
  const orphans = survey.objects.filter((num) => {
    if ((survey.marks(num) & (PAGE | STREAM)) !== PAGE || shown.has(num)) return false;
    const dict = file.object(num);
    return dict instanceof Dict && dict.name('Type') === 'Page';
  });
  return new Set(orphans);
}

/** For each object with such a dictionary, the objects that are never drawn from there. */
export async function findUnused(
  { file, tree }: Source,
  survey: Survey,
  pace: Pace,
): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  const listings = new Map<number, Listing>();
  const walk = new Walk(file, 'whole');
  for (const page of tree.pages) {
    const dict = page.direct === undefined ? file.object(page.num) : null;
    if (!(dict instanceof Dict)) continue;
    const listed = listingOf(file, page.num, dict);
    if (listed === undefined) continue;
    const listing = listings.get(listed.holder) ?? { ...listed, used: new Set(), pages: 0, whole: true };
    listings.set(listed.holder, listing);
    listing.pages += 1;
    if (listing.whole) listing.whole = noteUsed(file, walk, dict, listing);
    if (pace.isOver()) await pace.yield();
  }
  const users = new Map<number, number>();
  for (const num of survey.objects) for (const ref of survey.refs(num)) users.set(ref, (users.get(ref) ?? 0) + 1);
  const unused = new Map<number, Set<number>>();
  for (const [holder, { names, used, pages, shared, whole }] of listings) {
    // A form or a node of the page tree may draw from the same dictionary.
    if (!whole || (shared !== undefined && users.get(shared) !== pages)) continue;
    const drawn = new Set<number>();
    const listed = new Set<number>();
    for (const [name, value] of names) if (value instanceof Ref) (used.has(name) ? drawn : listed).add(value.num);
    const rest = [...listed].filter((num) => !drawn.has(num) && survey.marks(num) & STREAM);
    if (rest.length > 0) unused.set(holder, new Set(rest));
  }
  return unused;
}

/** The dictionary of a page with resources of its own, behind at most one reference. */
function listingOf(
  file: PdfFile,
  num: number,
  page: Dict,
): (Pick<Listing, 'names' | 'shared'> & { holder: number }) | undefined {
  const resources = page.get('Resources');
  const dict = file.dict(resources);
  const value = dict?.get('XObject');
  const names = file.dict(value);
  if (names === undefined) return undefined;
  // With two references on the way, users would have to be counted separately.
  if (value instanceof Ref)
    return resources instanceof Ref ? undefined : { names, holder: value.num, shared: value.num };
  return resources instanceof Ref
    ? { names, holder: resources.num, shared: resources.num }
    : { names, holder: num, shared: undefined };
}

/** Notes what content draws; false where it cannot be read, or where a form draws by the page's names. */
function noteUsed(file: PdfFile, walk: Walk, page: Dict, { names, used }: Listing): boolean {
  // Content that cannot be read may draw anything.
  return unlessRefused(false, () => {
    let whole = true;
    const operator = (operator: string, { name }: Walk) => {
      if (operator !== 'Do' || used.has(name)) return;
      used.add(name);
      const drawn = file.dict(names.get(name));
      if (drawn?.name('Subtype') === 'Form' && !drawn.has('Resources')) whole = false;
    };
    walk.begin({ operator }).content(pageContent(file, page), undefined);
    return whole;
  });
}
