import { Failure } from '../../contract/failure.ts';
import { PDF } from '../../contract/media.ts';
import { pagesOf, parsePageRange, resolvePages } from '../../contract/page-range.ts';
import type { ByteSource, BytesResult, Context } from '../../contract/ports.ts';
import { fingerprint } from '../../pdf/copy/assemble.ts';
import { Pace } from '../../pdf/pace.ts';
import { signatureWarning } from '../../pdf/read/signature.ts';
import { type Source, withSources } from '../../pdf/read/source.ts';
import { inputOf } from '../../pdf/structure/input.ts';
import { NewDocument } from '../../pdf/structure/new-document.ts';
import { checked } from '../../pdf/write/check.ts';

/** A PDF of the pages that `choose` names, from 1, with all that belongs to them. `name`: of the draft. */
export function pickPages(
  file: ByteSource,
  name: string,
  choose: (source: Source) => readonly number[],
  ctx: Context,
): Promise<BytesResult> {
  return withSources([file], ctx, async (sources, temp) => {
    const [source] = sources as [Source]; // one input, one source
    const pages = choose(source);
    ctx.progress({ phase: 'pages', done: 0, total: pages.length, unit: 'pages' });
    const places = pages.map((page) => page - 1);
    const draft = temp.create(name);
    const input = inputOf(source, 0, places);
    const document = new NewDocument(draft, [input], new Pace(ctx));
    await document.add(input);
    await document.finish(fingerprint(sources, `pages ${pages.join(' ')}`));
    const body = await checked(draft.finish(), pages.length);
    const warnings = [...signatureWarning(source.file), ...document.warnings];
    return { kind: 'bytes', mediaType: PDF, body, pages: pages.length, warnings };
  });
}

/** The pages of a range, in the order asked. Throws where one is not there. */
export function pagesIn(range: string, { file, tree }: Source): number[] {
  return resolvePages(parsePageRange(range), tree.pages.length, file.name);
}

/** Throws where a page is named twice, which would be lost or doubled. */
export function assertOnce(pages: readonly number[], range: string): void {
  const seen = new Set<number>();
  for (const page of pages) {
    if (seen.has(page)) {
      throw new Failure('usage', `${range} names page ${page} twice`, { hint: 'Name each page once.' });
    }
    seen.add(page);
  }
}

/** All pages from 1. */
export function allPages({ tree }: Source): number[] {
  return tree.pages.map((_, place) => place + 1);
}

/** Said where nothing would be left. */
export function noneLeft({ file, tree }: Source): Failure {
  return new Failure('usage', `${file.name} has ${pagesOf(tree.pages.length)}; none would be left`, {
    hint: 'Name fewer pages.',
  });
}
