// The common part of audiobook and narrate: voice, script, estimate and result.

import { Failure } from '../../contract/base/failure.ts';
import type { ByteSource, BytesResult, Context } from '../../contract/base/ports.ts';
import { command, field, say } from '../../contract/base/wording.ts';
import { M4B, MP3, MP4 } from '../../contract/media.ts';
import { type CompleteInputOf, completeInput, type InputOf } from '../../contract/operation.ts';
import { audiobook, narrate } from '../../contract/operations/speech.ts';
import { pagesNamed } from '../../pdf/text/output/no-text.ts';
import { subtitles } from '../../speech/containers/subtitles.ts';
import { type SoundFormat, speak } from '../../speech/speak.ts';
import { languageOf } from '../../speech/text/language.ts';
import { readPronunciations } from '../../speech/text/pronunciation.ts';
import { type Script, type SpokenBlock, writeScript } from '../../speech/text/script.ts';
import { chooseSpeaker, type Speaker, speaks, speechEngines, voiceStyle } from '../../speech/voices/catalogue.ts';
import { withWords } from '../words/with-words.ts';
import { withSlides } from './slides.ts';
import { readSpoken, type SpokenDocument } from './spoken-document.ts';

/** Characters a minute: the rate of the service, which the embedded voices keep. */
const CHARACTERS_A_MINUTE = 900;

type SpokenInput = Omit<CompleteInputOf<typeof narrate>, 'output_format' | 'blank_seconds'>;

interface SpokenForm {
  readonly format: Extract<SoundFormat, 'mp3' | 'm4b' | 'mp4'>;
  /** Where each page is a slide: milliseconds that a page without text is shown. */
  readonly blank?: number;
  readonly evenPauses: boolean;
  readonly chapters: boolean;
}

const TYPES = { mp3: MP3, m4b: M4B, mp4: MP4 } as const;

/** Everything before the first sentence is spoken. Throws all refusals that are possible by then. */
async function prepareSpeech(input: SpokenInput, form: SpokenForm, ctx: Context) {
  // Cheap checks first.
  const pronunciations = readPronunciations(input.pronunciation_fixes);
  const asked = await chooseSpeaker(speechEngines(ctx), input);
  const worded = await withWords(input.file, input.ocr, ctx, input.page_range);
  const document = await readSpoken(worded.file, input.page_range, form.blank !== undefined, ctx);
  const speaker = await speakerOf(document, asked, input, ctx);
  const { takesPhones, id } = speaker.engine;
  const { blocks, others, warnings: foreign } = await withReaders(document, speaker, input, ctx);
  const script = writeScript(blocks, {
    language: input.language ?? speaker.voice.language,
    asides: input.asides,
    ascii: speaker.engine.ascii,
    others: new Map([...others].map(([language, { engine }]) => [language, { language, ascii: engine.ascii }])),
    evenPauses: form.evenPauses,
    pronunciations,
    marks: document.marks,
    chapters: form.chapters,
  });
  if (script.sentences.length === 0) throw unsayable(input.file, script, speaker);
  const warnings = [...worded.warnings, ...document.warnings, ...foreign, ...unsaidWarning(script)];
  if (pronunciations.phones.size > 0 && !takesPhones)
    warnings.push(`${id} cannot be told sounds: words with /PHONES/ are said as it knows them`);
  return { document, script, speaker, others, phones: pronunciations.phones, warnings };
}

/** The chosen voice; with neither voice nor language given, one for the language of the document. */
async function speakerOf(
  { blocks, language: declared }: SpokenDocument,
  asked: Speaker,
  input: SpokenInput,
  ctx: Context,
): Promise<Speaker> {
  if (input.voice_id !== undefined || input.language !== undefined) return asked;
  const told = languageOf(blocks.map(({ text }) => text).join('\n'));
  // /Lang is often the default of the program that wrote the document: it decides where the text is too short to tell.
  const language = told ?? declared?.split('-')[0]?.toLowerCase();
  if (language === undefined || speaks(asked.voice, language)) return asked;
  try {
    return await chooseSpeaker(speechEngines(ctx), { ...input, language });
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'unavailable') throw error;
    if (told === undefined) return asked;
    throw new Failure(
      'unavailable',
      `${input.file.name} is written in ${nameOf(language)}, and no voice here speaks ${language}`,
      {
        hint: `${error.hint ?? ''} To have it read by another voice all the same, name the voice or the language.`.trim(),
        cause: error,
      },
    );
  }
}

/**
 * Characters, minutes and chapters of a job, for its price. Undefined where the file cannot be read: the engine reports
 * that. Throws where this machine has voices, but not the one asked for.
 */
export async function measureSpeech(
  name: string,
  given: InputOf<typeof narrate> | InputOf<typeof audiobook>,
  ctx: Context,
) {
  const input = completeInput(name === 'narrate' ? narrate : audiobook, given);
  const form: SpokenForm =
    'normalize_pauses' in input
      ? { format: 'mp3', evenPauses: input.normalize_pauses, chapters: input.preserve_chapters }
      : { format: 'mp3', evenPauses: true, chapters: false, blank: 1 };
  // An estimate neither draws nor recognises anything.
  if (input.ocr === true) {
    readPronunciations(input.pronunciation_fixes);
    if (ctx.packageFile !== undefined) await chooseSpeaker(speechEngines(ctx), input);
    return undefined;
  }
  if (ctx.packageFile !== undefined) {
    const { script, speaker, others } = await prepareSpeech(input, form, ctx);
    const { id, language } = speaker.voice;
    const more = [...others.values()].map(({ voice }) => `${voice.id} (${voice.language})`);
    return {
      ...measured(script, speaker.speed),
      voice: id,
      language,
      ...(more.length === 0 ? {} : { other_voices: more }),
    };
  }
  const pronunciations = readPronunciations(input.pronunciation_fixes);
  const { voice_style, asides, speed } = input;
  const reading = readSpoken(input.file, input.page_range, form.blank !== undefined, ctx);
  const document = await reading.catch((error: unknown) => {
    if (error instanceof Failure && !ctx.signal.aborted) return undefined;
    throw error;
  });
  if (document === undefined) return undefined;
  const { marks, blocks } = document;
  const script = writeScript(blocks, {
    // The voice is not known yet; most texts are English.
    language: input.language ?? 'en',
    asides,
    ascii: false,
    evenPauses: form.evenPauses,
    pronunciations,
    marks,
    chapters: form.chapters,
  });
  return measured(script, (speed ?? 1) * voiceStyle(voice_style).speed);
}

function measured(script: Script, speed: number) {
  return {
    characters: script.characters,
    minutes: Math.max(1, Math.ceil(script.characters / CHARACTERS_A_MINUTE / speed)),
    chapters: script.chapters.length,
  };
}

export async function speakDocument(input: SpokenInput, form: SpokenForm, ctx: Context): Promise<BytesResult> {
  const prepared = await prepareSpeech(input, form, ctx);
  const { document, script, speaker, others, phones } = prepared;
  const { format, blank } = form;
  return withSlides(input.file, format === 'mp4', ctx, async (slides) => {
    const { title, author, pages } = document;
    // A video shows its pages itself.
    const cover = format === 'mp4' ? undefined : await slides?.cover(pages[0] ?? 1);
    const shown = format === 'mp4' && slides !== undefined ? { slides: { pages, blank, draw: slides.draw } } : {};
    const made = await speak({ script, speaker, others, phones, format, title, author, cover, ...shown }, ctx);
    return {
      kind: 'bytes',
      mediaType: TYPES[format],
      body: made.body,
      warnings: [...prepared.warnings, ...emptyWarning(document, blank)],
      details: {
        seconds: round(made.seconds),
        minutes: Math.max(1, Math.ceil(made.seconds / 60)),
        characters: script.characters,
        sentences: script.sentences.length,
        voice: speaker.voice.id,
        pages: made.pages.map(({ page, start, end }) => ({ page, start: round(start), end: round(end) })),
        chapters: made.chapters.map((chapter) => ({ title: chapter.title, start: round(chapter.start) })),
      },
      ...(input.subtitles === undefined ? {} : { beside: [cuesOf(input.subtitles, made.cues, ctx)] }),
    };
  });
}

/** Seconds rounded to milliseconds; the file itself is exact to the sample. */
function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

function cuesOf(format: 'srt' | 'vtt', cues: Parameters<typeof subtitles>[1], ctx: Context) {
  const draft = ctx.temp.create(`subtitles.${format}`);
  draft.write(new TextEncoder().encode(subtitles(format, cues)));
  return { extension: format, body: draft.finish() };
}

function emptyWarning({ empty }: SpokenDocument, blank: number | undefined): string[] {
  if (empty.length === 0) return [];
  const shown = blank === undefined ? 'nothing is said for it' : `shown for ${blank / 1000} s in silence`;
  return [`no text on ${pagesNamed(empty)}: ${shown}`];
}

function nameOf(language: string): string {
  return new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language;
}

/**
 * Gives the paragraphs in other languages to voices that speak them, unless the voice or language was asked for. The warnings
 * name those that no voice here speaks.
 */
async function withReaders({ blocks }: SpokenDocument, main: Speaker, input: SpokenInput, ctx: Context) {
  const others = new Map<string, Speaker>();
  const unspoken = new Set<string>();
  if (input.voice_id !== undefined || input.language !== undefined) return { blocks, others, warnings: [] };
  const unread: { language: string; page: number }[] = [];
  const given: SpokenBlock[] = [];
  for (const block of blocks) {
    const language = languageOf(block.text);
    if (language === undefined || speaks(main.voice, language)) {
      given.push(block);
      continue;
    }
    // Looking for a voice asks other programs: once for each language.
    if (!others.has(language) && !unspoken.has(language)) {
      const speaker = await speakerFor(language, input, ctx);
      if (speaker === undefined) unspoken.add(language);
      else others.set(language, speaker);
    }
    if (unspoken.has(language)) unread.push({ language: nameOf(language), page: block.page });
    given.push(unspoken.has(language) ? block : { ...block, language });
  }
  const [first] = unread;
  if (first === undefined) return { blocks: given, others, warnings: [] };
  const names = new Intl.ListFormat('en').format(new Set(unread.map(({ language }) => language)));
  const paragraphs = unread.length === 1 ? 'a paragraph' : `${unread.length} paragraphs`;
  const warning = `${paragraphs} in ${names} read by a voice for ${nameOf(main.voice.language)}, from page ${first.page} on`;
  return { blocks: given, others, warnings: [warning] };
}

/** A voice for a language; undefined where none here speaks it. */
async function speakerFor(language: string, input: SpokenInput, ctx: Context): Promise<Speaker | undefined> {
  try {
    return await chooseSpeaker(speechEngines(ctx), { ...input, language });
  } catch (error) {
    if (error instanceof Failure && error.code === 'unavailable') return undefined;
    throw error;
  }
}

/** Characters listed in the warning about those that a voice cannot speak. */
const MOST_NAMED = 12;

function unsaidWarning({ unsaid }: Script): string[] {
  const [first] = unsaid;
  if (first === undefined) return [];
  const times = unsaid.reduce((sum, { times: count }) => sum + count, 0);
  const named = [...unsaid]
    .sort((a, b) => b.times - a.times)
    .slice(0, MOST_NAMED)
    .map(({ character }) => character);
  return [
    `${times} ${times === 1 ? 'character' : 'characters'} that this voice cannot say left out, from page ${first.page} on: ${named.join(' ')}`,
  ];
}

function unsayable(file: ByteSource, { unsaid }: Script, { voice }: Speaker): Failure {
  const signs = unsaid
    .slice(0, MOST_NAMED)
    .map(({ character }) => character)
    .join(' ');
  const message = `${file.name}: nothing of its text can be said by the voice ${voice.id}${signs === '' ? '' : `, such as ${signs}`}`;
  return new Failure('unprocessable', message, {
    kind: 'no-text',
    hint: say`Choose a voice of its language with ${field('language')}; see ${command('voices')}.`,
  });
}
