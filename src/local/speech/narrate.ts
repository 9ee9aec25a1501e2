import { Failure } from '../../contract/failure.ts';
import type { narrate } from '../../contract/operations/speech.ts';
import type { Handler } from '../frame/handler.ts';
import { speakDocument } from './spoken-job.ts';

/** Seconds that a page without text is shown at most. */
const MOST_BLANK = 600;

export const run: Handler<typeof narrate> = async (input, ctx) => {
  const { output_format, blank_seconds: blank } = input;
  if (output_format !== 'mp4') {
    throw new Failure('usage', `a narration is an mp4 file, found ${output_format}`, {
      hint: 'For sound alone use pdftool audiobook.',
    });
  }
  if (!(blank > 0 && blank <= MOST_BLANK)) {
    throw new Failure('usage', `expected blank seconds above 0 and up to ${MOST_BLANK}, found ${blank}`);
  }
  const form = { format: 'mp4', blank: Math.round(blank * 1000), evenPauses: true, chapters: false } as const;
  return speakDocument(input, form, ctx);
};
