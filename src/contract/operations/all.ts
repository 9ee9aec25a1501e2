// The table: every operation, once.
import { type AnyOperation, isOffered, type ServiceOperation } from '../operation.ts';
import { archive, checkStandards, invoiceAttach, invoiceShow } from './edit/archive.ts';
import { attachAdd, attachExtract, attachList, attachRemove } from './edit/attachments.ts';
import { bookmarksClear, bookmarksSet, bookmarksShow } from './edit/bookmarks.ts';
import { formFill, formFlatten, formShow } from './edit/forms.ts';
import { labelsClear, labelsSet, labelsShow } from './edit/labels.ts';
import { metaClear, metaSet, metaShow } from './edit/metadata.ts';
import { decrypt, encrypt } from './edit/protection.ts';
import { redactApply, redactCheck, redactInspect, redactReview } from './edit/redaction.ts';
import { sign, timestamp, verify } from './edit/signatures.ts';
import { numberPages, overlay, stamp } from './edit/stamp.ts';
import { compare } from './pages/compare.ts';
import { blank, crop, nup, resize } from './pages/layout.ts';
import { pagesDrop, pagesOrder, pagesReverse, pagesTake } from './pages/page-order.ts';
import { info, merge, rotate, split } from './pages/pages.ts';
import { images, ocr, toImages } from './pictures.ts';
import { account, openapi } from './service/account.ts';
import { workflowCreate, workflowFinalize, workflowStatus } from './service/workflow.ts';
import { compress, imagesToPdf, imagesToPdfCompress, mergeCompress } from './size/compress.ts';
import { optimize } from './size/optimize.ts';
import { audiobook, jobCancel, jobDownload, jobStatus, narrate, translateAndSpeak, voicePreview } from './speech.ts';
import { extractText, markdown, tables, toJson } from './text.ts';

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
  numberPages,
  overlay,
  nup,
  crop,
  resize,
  blank,
  compare,
  verify,
  sign,
  timestamp,
  optimize,
  archive,
  checkStandards,
  invoiceAttach,
  invoiceShow,
  formShow,
  formFill,
  formFlatten,
  extractText,
  toJson,
  markdown,
  tables,
  voicePreview,
  audiobook,
  narrate,
  translateAndSpeak,
  jobStatus,
  jobCancel,
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

export const SERVICE_OPERATIONS: readonly ServiceOperation[] = OPERATIONS.filter(isOffered);

/** Rows that the local engine claims; a handler missing for one of them does not compile. */
export type LocalOperation = Extract<(typeof rows)[number], { readonly local: true }>;
