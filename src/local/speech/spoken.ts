import { Failure } from '../../contract/base/failure.ts';
import { command, field, say } from '../../contract/base/wording.ts';
import { MP3, WAV } from '../../contract/media.ts';
import { audiobook, type narrate, type voicePreview } from '../../contract/operations/speech.ts';
import { speak } from '../../speech/speak.ts';
import { NO_FIXES } from '../../speech/text/pronunciation.ts';
import { writeScript } from '../../speech/text/script.ts';
import { chooseSpeaker, speechEngines } from '../../speech/voices/catalogue.ts';
import type { Handler } from '../frame/handler.ts';
import { speakDocument } from './spoken-job.ts';

export const readAloud: Handler<typeof audiobook> = (input, ctx) => {
  const { output_format: format = audiobook.outputs.job.extension, normalize_pauses, preserve_chapters } = input;
  return speakDocument(input, { format, evenPauses: normalize_pauses, chapters: preserve_chapters }, ctx);
};

/** Seconds that a page without text is shown at most. */
const MOST_BLANK = 600;

export const narrateSlides: Handler<typeof narrate> = async (input, ctx) => {
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

const TYPES = { mp3: MP3, wav: WAV } as const;

export const preview: Handler<typeof voicePreview> = async (input, ctx) => {
  const { text, output_format: format } = input;
  const speaker = await chooseSpeaker(speechEngines(ctx), input);
  const paragraphs = text.split(/\n\s*\n/).map((paragraph) => ({ page: 1, kind: 'text', text: paragraph }) as const);
  const script = writeScript(paragraphs, {
    language: input.language ?? speaker.voice.language,
    asides: 'word',
    ascii: speaker.engine.ascii,
    evenPauses: true,
    pronunciations: NO_FIXES,
    chapters: false,
  });
  if (script.sentences.length === 0) {
    throw new Failure('unprocessable', `the voice ${speaker.voice.id} can say nothing of this text`, {
      hint: say`Choose a voice of its language with ${field('language')}; see ${command('voices')}.`,
    });
  }
  const signs = script.unsaid.map(({ character }) => character);
  // Samples are not cached: they are short and rarely repeated.
  const { cache: _, ...rest } = ctx;
  const made = await speak({ script, speaker, phones: new Map(), format, title: 'Voice preview' }, rest);
  return {
    kind: 'bytes',
    mediaType: TYPES[format],
    body: made.body,
    ...(signs.length === 0 ? {} : { warnings: [`this voice cannot say: ${signs.join(' ')}`] }),
  };
};
