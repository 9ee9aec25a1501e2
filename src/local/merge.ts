import { Failure } from '../contract/base/failure.ts';
import type { Temp } from '../contract/base/ports.ts';
import { PDF } from '../contract/media.ts';
import type { ResultOf } from '../contract/operation.ts';
import type { merge } from '../contract/operations/pages/pages.ts';
import { documentId } from '../pdf/file/copy/assemble.ts';
import { differingClaims } from '../pdf/file/drop-claim.ts';
import { type Source, withSources } from '../pdf/file/open.ts';
import { Pace } from '../pdf/file/read/pace.ts';
import { checked } from '../pdf/file/write/check.ts';
import { type Input, inputOf, pickedCount } from '../pdf/structure/input.ts';
import { NewDocument } from '../pdf/structure/new-document.ts';
import type { Handler } from './frame/handler.ts';
import { stemOf } from './frame/names.ts';
import { allPages, pagesIn } from './pages/chosen-pages.ts';

export const run: Handler<typeof merge> = (input, ctx) => {
  const { file, pages, interleave, bookmarks, title, author, subject, keywords } = input;
  const work = async (sources: readonly Source[], temp: Temp): Promise<ResultOf<typeof merge>> => {
    const draft = temp.create('merged.pdf');
    const inputs = inputsOf(sources, pages, interleave);
    const merged = new NewDocument(draft, inputs, new Pace(ctx), {
      order: interleave ? inTurn(inputs.map(pickedCount)) : undefined,
      titles: bookmarks ? file.map(({ name }) => stemOf(name)) : undefined,
      metadata: { title, author, subject, keywords },
    });
    for (const [done, input] of inputs.entries()) {
      ctx.progress({ phase: 'merge', done, total: inputs.length, unit: 'files', note: input.file.name });
      await merged.add(input);
      input.file.release();
    }
    await merged.finish(documentId(sources, ['merge', pages, interleave].filter(Boolean).join(' ')));
    const body = await checked(draft.finish(), merged.pages);
    return { kind: 'bytes', mediaType: PDF, body, pages: merged.pages, warnings: merged.warnings };
  };
  return withSources(file, ctx, work, { loses: differingClaims });
};

/** The sources with their chosen pages. `ranges`: one for each source, separated by semicolons. */
function inputsOf(sources: readonly Source[], ranges: string | undefined, interleave: boolean): Input[] {
  const texts = ranges?.split(';') ?? [];
  if (texts.length > sources.length) {
    throw new Failure('usage', `there are ${texts.length} page ranges for ${sources.length} files`, {
      hint: 'Give one for each file, in their order; an empty one is all pages.',
    });
  }
  return sources.map((source, index) => {
    const text = texts[index]?.trim() ?? '';
    if (text === '' && !interleave) return inputOf(source, index);
    const pages = text === '' ? allPages(source) : pagesIn(text, source);
    const indexes = pages.map((page) => page - 1);
    return inputOf(source, index, indexes);
  });
}

/** The order of interleaved pages: for each page of the output, its index in the concatenation of the files. */
function inTurn(counts: readonly number[]): number[] {
  const order: number[] = [];
  const longest = Math.max(...counts);
  for (let at = 0; at < longest; at++) {
    let before = 0;
    for (const count of counts) {
      if (at < count) order.push(before + at);
      before += count;
    }
  }
  return order;
}
