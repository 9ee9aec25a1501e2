import type { Engine } from '../contract/engine.ts';
import { Failure } from '../contract/failure.ts';
import type { AnyOperation, InputOf, Operation, ResultOf } from '../contract/operation.ts';
import type { LocalOperation } from '../contract/operations.ts';
import type { Context } from '../contract/ports.ts';

interface Handler<O> {
  run(input: InputOf<O>, ctx: Context): Promise<ResultOf<O>>;
}

/** One lazily loaded file for each of these rows; one that is missing does not compile. */
export type Handlers<Rows extends { readonly name: string }> = {
  readonly [O in Rows as O['name']]: () => Promise<Handler<O>>;
};

const handlers: Handlers<LocalOperation> = {
  info: () => import('./info.ts'),
  merge: () => import('./merge.ts'),
  split: () => import('./split.ts'),
  rotate: () => import('./rotate.ts'),
  'pages-take': () => import('./pages/pages-take.ts'),
  'pages-drop': () => import('./pages/pages-drop.ts'),
  'pages-reverse': () => import('./pages/pages-reverse.ts'),
  'pages-order': () => import('./pages/pages-order.ts'),
  encrypt: () => import('./protection/encrypt.ts'),
  decrypt: () => import('./protection/decrypt.ts'),
  'meta-show': () => import('./document/meta-show.ts'),
  'meta-set': () => import('./document/meta-set.ts'),
  'meta-clear': () => import('./document/meta-clear.ts'),
  'bookmarks-show': () => import('./document/bookmarks-show.ts'),
  'bookmarks-set': () => import('./document/bookmarks-set.ts'),
  'bookmarks-clear': () => import('./document/bookmarks-clear.ts'),
  'labels-show': () => import('./document/labels-show.ts'),
  'labels-set': () => import('./document/labels-set.ts'),
  'labels-clear': () => import('./document/labels-clear.ts'),
  'attach-list': () => import('./document/attach-list.ts'),
  'attach-add': () => import('./document/attach-add.ts'),
  'attach-extract': () => import('./document/attach-extract.ts'),
  'attach-remove': () => import('./document/attach-remove.ts'),
  'to-images': () => import('./pictures/to-images.ts'),
  stamp: () => import('./edit/stamp.ts'),
  number: () => import('./edit/number.ts'),
  overlay: () => import('./edit/overlay.ts'),
  optimize: () => import('./optimize.ts'),
  compare: () => import('./compare.ts'),
  nup: () => import('./layout/nup.ts'),
  crop: () => import('./layout/crop.ts'),
  resize: () => import('./layout/resize.ts'),
  blank: () => import('./layout/blank.ts'),
  'form-show': () => import('./form/show.ts'),
  'form-fill': () => import('./form/fill.ts'),
  'form-flatten': () => import('./form/flatten.ts'),
  images: () => import('./pictures/images.ts'),
  ocr: () => import('./pictures/ocr.ts'),
  'extract-text': () => import('./words/extract-text.ts'),
  'to-json': () => import('./words/to-json.ts'),
  markdown: () => import('./words/markdown.ts'),
  compress: () => import('./compress.ts'),
  'merge-compress': () => import('./merge-compress.ts'),
  'images-to-pdf': () => import('./pictures/images-to-pdf.ts'),
  'images-to-pdf-compress': () => import('./pictures/images-to-pdf-compress.ts'),
  'redact-inspect': () => import('./redaction/redact-inspect.ts'),
  'redact-review': () => import('./redaction/redact-review.ts'),
  'redact-apply': () => import('./redaction/redact-apply.ts'),
  'redact-check': () => import('./redaction/redact-check.ts'),
  openapi: () => import('./openapi.ts'),
  'voice-preview': () => import('./speech/voice-preview.ts'),
  audiobook: () => import('./speech/audiobook.ts'),
  narrate: () => import('./speech/narrate.ts'),
};

export function createLocalEngine(): Engine {
  return {
    name: 'local',
    refuses: (op) => refusal(op),
    async call<O extends Operation>(op: O, input: InputOf<O>, ctx: Context): Promise<ResultOf<O>> {
      const load = Object.hasOwn(handlers, op.name) ? handlers[op.name as keyof typeof handlers] : undefined;
      if (load === undefined) throw new Failure('unavailable', `${op.name}: ${refusal(op)}`);
      // The table above pairs each name with the handler of its own row; the compiler checks it there, entry by entry.
      const handler = (await load()) as unknown as Handler<O>;
      return handler.run(input, ctx);
    },
  };
}

function refusal(op: AnyOperation): string | undefined {
  if (op.disabled !== undefined) return op.disabled;
  return op.local === true ? undefined : op.local;
}
