// The table: every operation, once. Everything else is computed from it or runs it.
import { type AnyOperation, isOffered, type ServiceOperation } from '../operation.ts';
import { archive, check, invoiceAttach, invoiceShow } from './archive.ts';
import { attachAdd, attachExtract, attachList, attachRemove } from './attachments.ts';
import { bookmarksClear, bookmarksSet, bookmarksShow } from './bookmarks.ts';
import { compare } from './compare.ts';
import { number, overlay, stamp } from './edit.ts';
import { formFill, formFlatten, formShow } from './forms.ts';
import { labelsClear, labelsSet, labelsShow } from './labels.ts';
import { blank, crop, nup, resize } from './layout.ts';
import { metaClear, metaSet, metaShow } from './metadata.ts';
import { optimize } from './optimize.ts';
import { pagesDrop, pagesOrder, pagesReverse, pagesTake } from './page-order.ts';
import { info, merge, rotate, split } from './pages.ts';
import { images, ocr, toImages } from './pictures.ts';
import { decrypt, encrypt } from './protection.ts';
import { redactApply, redactCheck, redactInspect, redactReview } from './redaction.ts';
import { account, openapi } from './service.ts';
import { sign, timestamp, verify } from './signatures.ts';
import { compress, imagesToPdf, imagesToPdfCompress, mergeCompress } from './size.ts';
import { audiobook, jobCancel, jobDownload, jobStatus, narrate, translateAndSpeak, voicePreview } from './speech.ts';
import { extractText, markdown, tables, toJson } from './text.ts';
import { workflowCreate, workflowFinalize, workflowStatus } from './workflow.ts';

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
  verify,
  sign,
  timestamp,
  optimize,
  archive,
  check,
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

/** Those that a service offers, the extensions of `pdftool serve` among them. */
export const SERVICE_OPERATIONS: readonly ServiceOperation[] = OPERATIONS.filter(isOffered);

/** Rows that the local engine claims; a handler missing for one of them does not compile. */
export type LocalOperation = Extract<(typeof rows)[number], { readonly local: true }>;
