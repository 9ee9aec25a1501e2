import type { InputOf, ResultOf } from '../contract/operation.ts';
import type { compress } from '../contract/operations/size.ts';
import type { ByteSource, Context } from '../contract/ports.ts';
import { numbersOf } from '../pdf/render/page-names.ts';
import { shrink } from '../pdf/shrink/shrink.ts';
import { unnamed } from './merge-compress.ts';
import { pickPages } from './pages/pick-pages.ts';

export async function run(input: InputOf<typeof compress>, ctx: Context): Promise<ResultOf<typeof compress>> {
  const { file, target_bytes: targetBytes, pages, ...choices } = input;
  if (pages === undefined) return shrink(file, 'compressed.pdf', { targetBytes, ...choices }, ctx);
  const some = await someOf(file, pages, ctx);
  const result = await shrink(
    some.body,
    'compressed.pdf',
    { targetBytes, ...choices, originalBytes: file.size },
    unnamed(ctx),
  );
  return { ...result, warnings: [...new Set([...(some.warnings ?? []), ...(result.warnings ?? [])])] };
}

function someOf(file: ByteSource, pages: readonly number[], ctx: Context) {
  return pickPages(file, 'pages.pdf', ({ tree }) => numbersOf(file.name, tree.pages.length, pages), ctx);
}
