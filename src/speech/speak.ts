/**
 * Speaks a script into one file with chapters, slides and tags.
 *
 * Sentences come in order from their voices, or from the cache of an earlier run, all at the sample rate of the first one. The
 * first minute of them is held back to measure its loudness, which sets one gain for each voice. Then each sentence and the silence behind it is levelled and encoded while the
 * voice speaks the next one. Times are counted in samples and never rounded twice: chapters, pages and subtitles start at the
 * sample where their sentence does. Memory holds a minute of sound and eight slides, however long the book.
 */
import { Failure } from '../contract/base/failure.ts';
import type { Context, RandomAccess } from '../contract/base/ports.ts';
import { createAacEncoder } from './audio/aac.ts';
import { BITRATE } from './audio/encoder.ts';
import { atRate, gainFor, levelled, SAMPLE_SECONDS, type Sound, trimmed } from './audio/level.ts';
import { createMp3Encoder, infoFrame, isMp3Rate, type Mp3Rate } from './audio/mp3.ts';
import { keep, recall, sentenceKey } from './audio/sentence-cache.ts';
import { wavHead, wavSamples } from './audio/wav.ts';
import type { Book, Chapter, CoverImage } from './containers/book.ts';
import { id3Tag } from './containers/id3.ts';
import { Mp4Body, type Mp4Pictures, pour } from './containers/mp4.ts';
import type { Cue } from './containers/subtitles.ts';
import type { Script, Sentence } from './text/script.ts';
import { encodeSlides } from './video/slides.ts';
import type { Speaker } from './voices/catalogue.ts';

export type SoundFormat = 'mp3' | 'm4b' | 'mp4' | 'wav';

interface SpeechJob {
  readonly script: Script;
  readonly speaker: Speaker;
  /** The speakers of sentences in other languages, by language. */
  readonly others?: ReadonlyMap<string, Speaker>;
  readonly phones: ReadonlyMap<string, readonly string[]>;
  readonly format: SoundFormat;
  readonly title: string;
  readonly author?: string | undefined;
  readonly cover?: CoverImage | undefined;
  /** The pages of a video, in order, and how each is drawn as an RGBA slide. */
  readonly slides?: {
    readonly pages: readonly number[];
    /** Milliseconds for which a page without speech is shown; left out, such pages are not. */
    readonly blank: number | undefined;
    draw(page: number): Promise<Uint8Array>;
  };
}

/** Slides encoded at once: an even number, so that no two key frames in a row have the same number. */
const BATCH = 8;

export async function speak(job: SpeechJob, ctx: Context) {
  const { format, script } = job;
  const left = estimateTime(script, ctx.clock);
  const voices = sounds(job, left, ctx);
  let output: Output | undefined;
  try {
    const buffered: SpokenSentence[] = [];
    let heard = 0;
    while (heard < SAMPLE_SECONDS) {
      const next = await voices.next();
      if (next.done) break;
      buffered.push(next.value);
      heard += next.value.sound.pcm.length / next.value.sound.sampleRate;
    }
    const sampleRate = buffered[0]?.sound.sampleRate;
    if (sampleRate === undefined) throw new TypeError('a script has sentences');
    if (!isMp3Rate(sampleRate)) {
      const message = `the voice ${job.speaker.voice.id} gives ${sampleRate} samples a second, which no format here takes`;
      throw new Failure('unavailable', message);
    }
    const gains = new Map<Speaker, number>();
    const gainOf = ({ speaker, sound }: SpokenSentence): number => {
      const heard = buffered.filter((spoken) => spoken.speaker === speaker);
      const gain = gains.get(speaker) ?? gainFor(heard.length === 0 ? [sound] : heard.map((spoken) => spoken.sound));
      gains.set(speaker, gain);
      return gain;
    };
    output = await openOutput(format, sampleRate, ctx);
    const timeline = timelineOf(sampleRate, script);
    let recalled = 0;
    const first = buffered.values();
    const next = async (): Promise<SpokenSentence> => {
      const early = first.next();
      const spoken = early.done ? await voices.next() : early;
      if (spoken.done) throw new TypeError('every sentence has a sound');
      recalled += spoken.value.recalled ? 1 : 0;
      return spoken.value;
    };
    const slides = slideShow(job, output, ctx);
    for (const { page, sentences } of stretchesOf(job)) {
      if (page !== undefined) {
        timeline.page(page);
        await slides.show(page, timeline.at());
      }
      for (const sentence of sentences) {
        ctx.signal.throwIfAborted();
        const spoken = await next();
        const { sound } = spoken;
        if (page === undefined && timeline.page(sentence.page)) await slides.show(sentence.page, timeline.at());
        timeline.sentence(sentence, sound.pcm.length);
        await output.add(levelled(sound, gainOf(spoken)));
        await output.add(new Float32Array(timeline.silence(sentence.pause)));
        ctx.progress(timeline.progress(sentence, left.words()));
      }
      if (sentences.length === 0) await output.add(new Float32Array(timeline.silence(job.slides?.blank ?? 0)));
    }
    const pictures = await slides.finish();
    const { chapters, pages, cues, at } = timeline.end();
    const { title, author, cover } = job;
    const body = await output.finish({ title, author, cover, chapters, samples: at, sampleRate }, pictures);
    const seconds = (samples: number) => samples / sampleRate;
    if (recalled > 0) ctx.detail(`${recalled} of ${script.sentences.length} sentences were said before`);
    return {
      body,
      seconds: seconds(at),
      pages,
      chapters: chapters.map((chapter) => ({ title: chapter.title, start: seconds(chapter.start) })),
      cues,
    };
  } finally {
    output?.close();
    await voices.return(undefined);
  }
}

function stretchesOf({ script, slides }: SpeechJob) {
  if (slides?.blank === undefined) return [{ page: undefined, sentences: script.sentences }];
  const sentencesByPage = new Map<number, Sentence[]>(slides.pages.map((page) => [page, []]));
  for (const sentence of script.sentences) sentencesByPage.get(sentence.page)?.push(sentence);
  return [...sentencesByPage].map(([page, sentences]) => ({ page, sentences }));
}

interface SpokenSentence {
  readonly sound: Sound;
  readonly speaker: Speaker;
  readonly recalled: boolean;
}

async function* sounds(
  { script, speaker: main, others, phones }: SpeechJob,
  left: ReturnType<typeof estimateTime>,
  ctx: Context,
): AsyncGenerator<SpokenSentence, undefined> {
  const sorted = [...phones].sort(([a], [b]) => (a < b ? -1 : 1));
  let rate: number | undefined;
  for (const { spoken, language } of script.sentences) {
    ctx.signal.throwIfAborted();
    const speaker = others?.get(language ?? '') ?? main;
    const { engine, version, voice, speed } = speaker;
    const lexicon = engine.takesPhones ? sorted : [];
    const name = sentenceKey([engine.id, version, voice.id, speed, lexicon, spoken]);
    const known = recall(ctx.cache, name);
    const sound = known ?? trimmed(await engine.say(spoken, { voice, speed, phones, signal: ctx.signal }));
    if (known === undefined) keep(ctx.cache, name, sound);
    left.countSentence(spoken, known !== undefined);
    rate ??= sound.sampleRate;
    yield { sound: atRate(sound, rate), speaker, recalled: known !== undefined };
  }
  return undefined;
}

/** Estimates the remaining time of a job from the sentences that were spoken in this run. */
function estimateTime({ sentences }: Script, clock: Context['clock']) {
  let remaining = sentences.reduce((sum, { spoken }) => sum + spoken.length, 0);
  let last = clock.now();
  const worked = { milliseconds: 0, characters: 0 };
  return {
    /** Counts a finished sentence. Those from the cache do not measure the voice. */
    countSentence({ length }: string, recalled: boolean): void {
      const now = clock.now();
      if (!recalled) worked.milliseconds += now - last;
      if (!recalled) worked.characters += length;
      last = now;
      remaining -= length;
    },

    /** `2 min left`; undefined before anything was said, and at the end. */
    words(): string | undefined {
      if (worked.characters === 0 || remaining === 0) return undefined;
      const seconds = Math.ceil((remaining * worked.milliseconds) / worked.characters / 1000);
      return seconds >= 90 ? `${Math.round(seconds / 60)} min left` : `${seconds} s left`;
    },
  };
}

/** Where pages, chapters and sentences begin, in samples. */
function timelineOf(rate: number, script: Script) {
  const marks: { page: number; start: number }[] = [];
  const cues: Cue[] = [];
  const begun: Chapter[] = [];
  let at = 0;
  let spoken = 0;
  return {
    at: () => at,

    /** Records the page; returns whether it is a new one. */
    page(page: number): boolean {
      if (marks.at(-1)?.page === page) return false;
      marks.push({ page, start: at });
      return true;
    },

    sentence({ text }: Sentence, samples: number): void {
      const chapter = script.chapters[begun.length];
      // The first chapter begins with the book, whatever comes before its first sentence.
      if (chapter?.first === spoken) begun.push({ title: chapter.title, start: begun.length === 0 ? 0 : at });
      spoken += 1;
      cues.push({ text, start: at / rate, end: (at + samples) / rate });
      at += samples;
    },

    /** Adds a silence, and returns its length in samples. */
    silence(milliseconds: number): number {
      const samples = Math.round((milliseconds * rate) / 1000);
      at += samples;
      return samples;
    },

    progress({ page }: Sentence, left: string | undefined) {
      const chapters = script.chapters.length;
      const pages = script.sentences.at(-1)?.page ?? page;
      const where = chapters > 1 ? `chapter ${begun.length} of ${chapters}` : `page ${page} of ${pages}`;
      const made = `${(at / rate / 60).toFixed(1)} min made`;
      const note = [where, made, ...(left === undefined ? [] : [left])].join(', ');
      return {
        phase: 'speak',
        done: spoken,
        total: script.sentences.length,
        unit: 'sentences',
        note,
      } as const;
    },

    end() {
      // In seconds.
      const pages = marks.map(({ page, start }, i) => {
        const end = marks[i + 1]?.start ?? at;
        return { page, start: start / rate, end: end / rate };
      });
      return { pages, cues, chapters: begun, at };
    },
  };
}

/** Draws and encodes the pages of a video, some at a time. */
function slideShow({ slides }: SpeechJob, output: Output, ctx: Context) {
  let waiting: { page: number; start: number }[] = [];
  let config: Mp4Pictures | undefined;
  const encode = async () => {
    const drawn: Uint8Array[] = [];
    for (const { page } of waiting) {
      ctx.signal.throwIfAborted();
      drawn.push((await slides?.draw(page)) ?? new Uint8Array(0));
    }
    const encoded = await encodeSlides(drawn, ctx);
    config = encoded.config;
    for (const [i, { start }] of waiting.entries()) output.addPicture(encoded.pictures[i] ?? new Uint8Array(0), start);
    waiting = [];
  };
  return {
    async show(page: number, start: number): Promise<void> {
      if (slides === undefined) return;
      waiting.push({ page, start });
      if (waiting.length >= BATCH) await encode();
    },
    /** Returns what decodes the pictures; undefined where there are none. */
    async finish(): Promise<Mp4Pictures | undefined> {
      if (waiting.length > 0) await encode();
      return config;
    },
  };
}

interface Output {
  add(samples: Float32Array): Promise<void>;
  addPicture(picture: Uint8Array, start: number): void;
  finish(book: Book, pictures: Mp4Pictures | undefined): Promise<RandomAccess>;
  close(): void;
}

async function openOutput(format: SoundFormat, sampleRate: Mp3Rate, ctx: Context): Promise<Output> {
  switch (format) {
    case 'wav':
      return wavOutput(ctx);
    case 'mp3':
      return mp3Output(sampleRate, ctx);
    default:
      return mp4Output(format, sampleRate, ctx);
  }
}

const NO_PICTURES = { addPicture() {}, close() {} };

function wavOutput({ temp }: Context): Output {
  const sound = temp.create('sound.pcm');
  return {
    ...NO_PICTURES,
    add: async (samples) => sound.write(wavSamples(samples)),
    async finish({ samples, sampleRate }) {
      const file = temp.create('sound.wav');
      file.write(wavHead(samples, sampleRate));
      pour(sound.finish(), file);
      sound.discard();
      return file.finish();
    },
  };
}

async function mp3Output(sampleRate: Mp3Rate, ctx: Context): Promise<Output> {
  const { temp } = ctx;
  const sound = temp.create('sound.frames');
  const encoder = await createMp3Encoder(sampleRate, (bytes) => sound.write(bytes), ctx);
  return {
    ...NO_PICTURES,
    add: (samples) => encoder.add(samples),
    async finish(book) {
      await encoder.finish();
      const frames = sound.finish();
      const file = temp.create('sound.mp3');
      file.write(id3Tag(book));
      file.write(infoFrame(sampleRate, book.samples, frames));
      pour(frames, file);
      sound.discard();
      return file.finish();
    },
  };
}

async function mp4Output(format: 'm4b' | 'mp4', sampleRate: number, ctx: Context): Promise<Output> {
  const { temp } = ctx;
  const body = new Mp4Body(temp.create('sound.frames'), temp.create('pictures.frames'));
  const encoder = await createAacEncoder(sampleRate, (frame) => body.addFrame(frame), ctx);
  let encoding = Promise.resolve();
  return {
    /** The encoder has a thread of its own, and works on one piece while the voice speaks the next. */
    async add(samples) {
      await encoding;
      if (samples.length === 0) return;
      encoding = encoder.add(samples);
      // The next call of `add` or `finish` throws it.
      encoding.catch(() => undefined);
    },
    addPicture: (picture, start) => body.addPicture(picture, start),
    async finish(book, pictures) {
      await encoding;
      await encoder.finish();
      const file = temp.create(`sound.${format}`);
      const { delay, frameSize } = encoder;
      const sound = { config: encoder.config(), delay, frameSize, bitrate: BITRATE };
      body.write(file, format === 'm4b' ? 'M4B ' : 'isom', book, sound, pictures);
      return file.finish();
    },
    close: () => encoder.close(),
  };
}
