import { audiobook } from '../../contract/operations/speech.ts';
import type { Handler } from '../frame/handler.ts';
import { speakDocument } from './spoken-job.ts';

export const run: Handler<typeof audiobook> = (input, ctx) => {
  const { output_format: format = audiobook.outputs.job.extension, normalize_pauses, preserve_chapters } = input;
  return speakDocument(input, { format, evenPauses: normalize_pauses, chapters: preserve_chapters }, ctx);
};
