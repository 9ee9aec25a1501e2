import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { audiobook } from '../../contract/operations/speech.ts';
import type { Context } from '../../contract/ports.ts';
import { speakDocument } from './spoken-job.ts';

export function run(input: InputOf<typeof audiobook>, ctx: Context): Promise<ResultOf<typeof audiobook>> {
  const { output_format: format = 'mp3', normalize_pauses = true, preserve_chapters = true } = input;
  return speakDocument(input, { format, evenPauses: normalize_pauses, chapters: preserve_chapters }, ctx);
}
