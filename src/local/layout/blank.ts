import { Failure } from '../../contract/failure.ts';
import { PDF } from '../../contract/media.ts';
import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { blank } from '../../contract/operations/layout.ts';
import type { Context } from '../../contract/ports.ts';
import { fingerprint } from '../../pdf/copy/assemble.ts';
import { insertBlankPages } from '../../pdf/edit/layout/blank-pages.ts';
import { Pace } from '../../pdf/pace.ts';
import { PAPER } from '../../pdf/paper.ts';
import { signatureWarning } from '../../pdf/read/signature.ts';
import { type Source, withSources } from '../../pdf/read/source.ts';
import { numbersOf } from '../../pdf/render/page-names.ts';
import { checked } from '../../pdf/write/check.ts';

/** Of one document. */
const MOST = 100_000;

export function run(input: InputOf<typeof blank>, ctx: Context): Promise<ResultOf<typeof blank>> {
  const { file, after = [], first = false, count = 1, paper } = input;
  return withSources([file], ctx, async (sources, temp) => {
    const [source] = sources as [Source];
    const places = [...(first ? [0] : []), ...numbersOf(file.name, source.tree.pages.length, after)];
    if (places.length === 0)
      throw new Failure('usage', 'blank needs a place', { hint: 'Give --after PAGES or --first.' });
    if (places.length * count > MOST) {
      throw new Failure('usage', `expected at most ${MOST} empty pages, found ${places.length * count}`);
    }
    const wish = { after: new Map(places.map((page) => [page, count])), size: paper && PAPER[paper] };
    const draft = temp.create('with-blanks.pdf');
    const id = fingerprint(sources, `blank ${JSON.stringify([places, count, paper])}`);
    const pages = await insertBlankPages(source, draft, id, new Pace(ctx), wish);
    const body = await checked(draft.finish(), pages);
    return { kind: 'bytes', mediaType: PDF, body, pages, warnings: signatureWarning(source.file) };
  });
}
