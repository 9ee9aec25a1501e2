import { Failure } from '../../contract/failure.ts';
import type { InputOf, ResultOf } from '../../contract/operation.ts';
import type { narrate } from '../../contract/operations/speech.ts';
import type { Context } from '../../contract/ports.ts';
import { speakDocument } from './spoken-job.ts';

/** Seconds that a page without text is shown. */
const BLANK = 3;
const MOST_BLANK = 600;

export async function run(input: InputOf<typeof narrate>, ctx: Context): Promise<ResultOf<typeof narrate>> {
  const { output_format = 'mp4', blank_seconds: blank = BLANK } = input;
  if (output_format !== 'mp4') {
    throw new Failure('usage', `a narration is an mp4 file, found ${output_format}`, {
      hint: 'For sound alone use pdftool audiobook.',
    });
  }
  if (!(blank > 0 && blank <= MOST_BLANK)) {
    throw new Failure('usage', `expected blank seconds above 0 and up to ${MOST_BLANK}, found ${blank}`);
  }
  return speakDocument(
    input,
    { format: 'mp4', blank: Math.round(blank * 1000), evenPauses: true, chapters: false },
    ctx,
  );
}
