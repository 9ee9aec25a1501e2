import { Failure } from '../contract/base/failure.ts';
import type { Context } from '../contract/base/ports.ts';
import type { Engine } from '../contract/engine.ts';
import {
  type AnyOperation,
  completeInput,
  type InputOf,
  type Operation,
  type ResultOf,
} from '../contract/operation.ts';
import type { LocalOperation } from '../contract/operations/all.ts';
import type { Handler } from './frame/handler.ts';

/** A handler for each row, loaded when it is called. A missing one does not compile. */
export type Handlers<Rows extends { readonly name: string }> = {
  readonly [O in Rows as O['name']]: () => Promise<{ readonly run: Handler<O> }>;
};

const handlers: Handlers<LocalOperation> = {
  info: () => import('./info.ts'),
  merge: () => import('./merge.ts'),
  split: () => import('./split.ts'),
  rotate: () => import('./rotate.ts'),
  'pages-take': () => import('./pages/pages.ts').then(({ take: run }) => ({ run })),
  'pages-drop': () => import('./pages/pages.ts').then(({ drop: run }) => ({ run })),
  'pages-reverse': () => import('./pages/pages.ts').then(({ reverse: run }) => ({ run })),
  'pages-order': () => import('./pages/pages.ts').then(({ order: run }) => ({ run })),
  encrypt: () => import('./protection/encryption.ts').then(({ encryptDocument: run }) => ({ run })),
  decrypt: () => import('./protection/encryption.ts').then(({ decryptDocument: run }) => ({ run })),
  'meta-show': () => import('./document/metadata.ts').then(({ showMetadata: run }) => ({ run })),
  'meta-set': () => import('./document/metadata.ts').then(({ setMetadata: run }) => ({ run })),
  'meta-clear': () => import('./document/metadata.ts').then(({ clearMetadata: run }) => ({ run })),
  'bookmarks-show': () => import('./document/outline.ts').then(({ showBookmarks: run }) => ({ run })),
  'bookmarks-set': () => import('./document/outline.ts').then(({ setBookmarks: run }) => ({ run })),
  'bookmarks-clear': () => import('./document/outline.ts').then(({ clearBookmarks: run }) => ({ run })),
  'labels-show': () => import('./document/outline.ts').then(({ showLabels: run }) => ({ run })),
  'labels-set': () => import('./document/outline.ts').then(({ setLabels: run }) => ({ run })),
  'labels-clear': () => import('./document/outline.ts').then(({ clearLabels: run }) => ({ run })),
  'attach-list': () => import('./document/attachments.ts').then(({ listAttachments: run }) => ({ run })),
  'attach-add': () => import('./document/attachments.ts').then(({ add: run }) => ({ run })),
  'attach-extract': () => import('./document/attachments.ts').then(({ extractAttachments: run }) => ({ run })),
  'attach-remove': () => import('./document/attachments.ts').then(({ removeAttachment: run }) => ({ run })),
  'to-images': () => import('./pictures/to-images.ts'),
  stamp: () => import('./edit/marks.ts').then(({ stampAll: run }) => ({ run })),
  number: () => import('./edit/marks.ts').then(({ numberAll: run }) => ({ run })),
  overlay: () => import('./edit/marks.ts').then(({ overlayPages: run }) => ({ run })),
  archive: () => import('./archive/archive.ts'),
  check: () => import('./archive/check.ts'),
  'invoice-attach': () => import('./archive/invoice.ts').then(({ attach: run }) => ({ run })),
  'invoice-show': () => import('./archive/invoice.ts').then(({ showInvoice: run }) => ({ run })),
  optimize: () => import('./optimize.ts'),
  compare: () => import('./compare.ts'),
  verify: () => import('./protection/verify.ts'),
  sign: () => import('./protection/sign.ts'),
  timestamp: () => import('./protection/sign.ts').then(({ timestampDocument: run }) => ({ run })),
  nup: () => import('./layout/layout.ts').then(({ makeSheets: run }) => ({ run })),
  crop: () => import('./layout/crop.ts'),
  resize: () => import('./layout/layout.ts').then(({ resizePages: run }) => ({ run })),
  blank: () => import('./layout/layout.ts').then(({ insertBlanks: run }) => ({ run })),
  'form-show': () => import('./form/show.ts'),
  'form-fill': () => import('./form/fill.ts'),
  'form-flatten': () => import('./form/filled.ts').then(({ flatten: run }) => ({ run })),
  images: () => import('./pictures/images.ts'),
  ocr: () => import('./words/ocr.ts'),
  'extract-text': () => import('./words/text.ts').then(({ extract: run }) => ({ run })),
  'to-json': () => import('./words/text.ts').then(({ pagesAsJson: run }) => ({ run })),
  markdown: () => import('./words/markdown.ts'),
  tables: () => import('./words/tables.ts'),
  compress: () => import('./compress.ts').then(({ compressOne: run }) => ({ run })),
  'merge-compress': () => import('./compress.ts').then(({ mergeAndCompress: run }) => ({ run })),
  'images-to-pdf': () => import('./pictures/images-to-pdf.ts'),
  'images-to-pdf-compress': () => import('./compress.ts').then(({ compressImages: run }) => ({ run })),
  'redact-inspect': () => import('./redaction/redact.ts').then(({ inspect: run }) => ({ run })),
  'redact-review': () => import('./redaction/redact.ts').then(({ review: run }) => ({ run })),
  'redact-apply': () => import('./redaction/redact.ts').then(({ apply: run }) => ({ run })),
  'redact-check': () => import('./redaction/redact.ts').then(({ check: run }) => ({ run })),
  openapi: () => import('./openapi.ts'),
  'voice-preview': () => import('./speech/spoken.ts').then(({ preview: run }) => ({ run })),
  audiobook: () => import('./speech/spoken.ts').then(({ readAloud: run }) => ({ run })),
  narrate: () => import('./speech/spoken.ts').then(({ narrateSlides: run }) => ({ run })),
};

export function createLocalEngine(): Engine {
  return {
    name: 'local',
    refuses: (op) => refusal(op),
    async call<O extends Operation>(op: O, input: InputOf<O>, ctx: Context): Promise<ResultOf<O>> {
      const load = Object.hasOwn(handlers, op.name) ? handlers[op.name as keyof typeof handlers] : undefined;
      if (load === undefined) throw new Failure('unavailable', `${op.name}: ${refusal(op)}`);
      // The table pairs each name with the handler of its own row; the compiler checks each entry there.
      const handler = (await load()) as unknown as { readonly run: Handler<O> };
      return handler.run(completeInput(op, input), ctx);
    },
  };
}

function refusal(op: AnyOperation): string | undefined {
  if (op.disabled !== undefined) return op.disabled;
  return op.local === true ? undefined : op.local;
}
