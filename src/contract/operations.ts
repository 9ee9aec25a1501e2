// The table: every operation, once. Everything else is computed from it or runs it.
import { type AnyOperation, isOffered, type ServiceOperation } from './operation.ts';
import { attachAdd, attachExtract, attachList, attachRemove } from './operations/attachments.ts';
import { bookmarksClear, bookmarksSet, bookmarksShow } from './operations/bookmarks.ts';
import { compare } from './operations/compare.ts';
import { number, overlay, stamp } from './operations/edit.ts';
import { formFill, formFlatten, formShow } from './operations/forms.ts';
import { labelsClear, labelsSet, labelsShow } from './operations/labels.ts';
import { blank, crop, nup, resize } from './operations/layout.ts';
import { metaClear, metaSet, metaShow } from './operations/metadata.ts';
import { optimize } from './operations/optimize.ts';
import { pagesDrop, pagesOrder, pagesReverse, pagesTake } from './operations/page-order.ts';
import { info, merge, rotate, split } from './operations/pages.ts';
import { images, ocr, toImages } from './operations/pictures.ts';
import { decrypt, encrypt } from './operations/protection.ts';
import { redactApply, redactCheck, redactInspect, redactReview } from './operations/redaction.ts';
import { account, openapi } from './operations/service.ts';
import { compress, imagesToPdf, imagesToPdfCompress, mergeCompress } from './operations/size.ts';
import { audiobook, jobDownload, jobStatus, narrate, translateAndSpeak, voicePreview } from './operations/speech.ts';
import { extractText, markdown, toJson } from './operations/text.ts';
import { workflowCreate, workflowFinalize, workflowStatus } from './operations/workflow.ts';

const rows = [
  info,
  merge,
  split,
  rotate,
  pagesTake,
  pagesDrop,
  pagesReverse,
  pagesOrder,
  encrypt,
  decrypt,
  metaShow,
  metaSet,
  metaClear,
  bookmarksShow,
  bookmarksSet,
  bookmarksClear,
  labelsShow,
  labelsSet,
  labelsClear,
  attachList,
  attachAdd,
  attachExtract,
  attachRemove,
  compress,
  mergeCompress,
  imagesToPdf,
  imagesToPdfCompress,
  toImages,
  images,
  ocr,
  stamp,
  number,
  overlay,
  nup,
  crop,
  resize,
  blank,
  compare,
  optimize,
  formShow,
  formFill,
  formFlatten,
  extractText,
  toJson,
  markdown,
  voicePreview,
  audiobook,
  narrate,
  translateAndSpeak,
  jobStatus,
  jobDownload,
  workflowCreate,
  workflowFinalize,
  workflowStatus,
  redactInspect,
  redactReview,
  redactApply,
  redactCheck,
  account,
  openapi,
] as const;

/** Every row, in the order people meet them in help. */
export const OPERATIONS: readonly AnyOperation[] = rows;

/** Those that a service offers, the extensions of `pdftool serve` among them. */
export const SERVICE_OPERATIONS: readonly ServiceOperation[] = OPERATIONS.filter(isOffered);

/** Rows that the local engine claims; a handler missing for one of them does not compile. */
export type LocalOperation = Extract<(typeof rows)[number], { readonly local: true }>;
