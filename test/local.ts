// Operations as surfaces call them: through the local engine, which fills in the defaults of their rows.

import type { Context } from '../src/contract/base/ports.ts';
import type { InputOf, Operation, ResultOf } from '../src/contract/operation.ts';
import * as archiving from '../src/contract/operations/edit/archive.ts';
import * as attachments from '../src/contract/operations/edit/attachments.ts';
import * as forms from '../src/contract/operations/edit/forms.ts';
import * as metadata from '../src/contract/operations/edit/metadata.ts';
import * as protection from '../src/contract/operations/edit/protection.ts';
import * as edit from '../src/contract/operations/edit/stamp.ts';
import * as layout from '../src/contract/operations/pages/layout.ts';
import * as pages from '../src/contract/operations/pages/pages.ts';
import * as pictures from '../src/contract/operations/pictures.ts';
import * as size from '../src/contract/operations/size/compress.ts';
import * as optimizing from '../src/contract/operations/size/optimize.ts';
import * as texts from '../src/contract/operations/text.ts';
import { createLocalEngine } from '../src/local/engine.ts';

const engine = createLocalEngine();

function run<O extends Operation>(op: O): (input: InputOf<O>, ctx: Context) => Promise<ResultOf<O>> {
  return (input, ctx) => engine.call(op, input, ctx);
}

export const attachAdd = run(attachments.attachAdd);
export const attachRemove = run(attachments.attachRemove);
export const archive = run(archiving.archive);
export const check = run(archiving.checkStandards);
export const invoiceAttach = run(archiving.invoiceAttach);
export const invoiceShow = run(archiving.invoiceShow);
export const stamp = run(edit.stamp);
export const number = run(edit.numberPages);
export const overlay = run(edit.overlay);
export const formShow = run(forms.formShow);
export const formFill = run(forms.formFill);
export const formFlatten = run(forms.formFlatten);
export const nup = run(layout.nup);
export const crop = run(layout.crop);
export const resize = run(layout.resize);
export const blank = run(layout.blank);
export const optimize = run(optimizing.optimize);
export const merge = run(pages.merge);
export const split = run(pages.split);
export const ocr = run(pictures.ocr);
export const compress = run(size.compress);
export const mergeCompress = run(size.mergeCompress);
export const imagesToPdf = run(size.imagesToPdf);
export const imagesToPdfCompress = run(size.imagesToPdfCompress);
export const extractText = run(texts.extractText);
export const toJson = run(texts.toJson);
export const markdown = run(texts.markdown);
export const tables = run(texts.tables);
export const rotate = run(pages.rotate);
export const encrypt = run(protection.encrypt);
export const metaSet = run(metadata.metaSet);
export const metaClear = run(metadata.metaClear);
