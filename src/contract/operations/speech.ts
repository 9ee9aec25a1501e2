import { choice, file, flag, number, required, text } from '../field.ts';
import { CREDITS, LIMITS } from '../limits.ts';
import { JSON_TYPE, M4B, MP3, MP4, PDF, WAV } from '../media.ts';
import { operation } from '../operation.ts';
import { ASKED } from '../shared-entries.ts';
import { OCR } from './text.ts';

const voice_style = text('Voice style', { seen: ['audiobook', 'professional', 'educational', 'presenter'] });
const voice_id = text('Voice id, as pdftool voices lists them');
const language = text('Language of the speech', { seen: ['en'] });
const speed = number('Speed of the speech; 1 is normal');
const asides = choice('What is said for links, tables and code: a word, nothing, or all of it', {
  values: ['word', 'skip', 'read'],
  default: 'word',
  extension: true,
});
const subtitles = choice('Subtitles in a file beside the output', { values: ['srt', 'vtt'], extension: true });
const FIXES = 'Pronunciation fixes: JSON, or lines word==said; @FILE reads a file';
const page_range = text('Pages to speak, in the order of the PDF, such as 1-5', { grammar: 'pages' });

const audioLimits = {
  inputBytes: LIMITS.audioInput,
  pages: LIMITS.audioPages,
  characters: LIMITS.audioCharacters,
  minutes: LIMITS.audioMinutes,
  activeJobs: LIMITS.audioActiveJobs,
} as const;

/** The entries that the rows of all audio jobs share. */
const AUDIO_JOB = {
  group: 'speech',
  method: 'POST',
  work: 'render',
  body: 'multipart',
  limits: audioLimits,
  success: 202,
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large', 'unprocessable'],
  replay: 'never',
} as const;

export const voicePreview = operation({
  name: 'voice-preview',
  group: 'speech',
  method: 'POST',
  summary: 'Hear a short sample of a voice, at no cost',
  work: 'render',
  cost: { credits: 0 },
  body: 'json-or-multipart',
  input: {
    text: required(text('What to say', { maxLength: LIMITS.previewText })),
    output_format: choice('Sound format', { values: ['mp3', 'wav'], default: 'mp3' }),
    voice_style,
    voice_id,
    language,
    speed,
  },
  limits: { characters: LIMITS.previewText },
  outputs: {
    mp3: { kind: 'bytes', mediaType: MP3, stem: { fixed: 'voice-preview' } },
    wav: { kind: 'bytes', mediaType: WAV, stem: { fixed: 'voice-preview' } },
  },
  outputBy: 'output_format',
  success: 200,
  failures: ['usage', 'unauthenticated'],
  replay: 'free',
  tools: { voice_preview: { when: 'Use it to choose a voice before a whole document is spoken.' } },
  local: true,
});

export const audiobook = operation({
  ...AUDIO_JOB,
  name: 'audiobook',
  aliases: ['pdf-to-audiobook', 'pdf-to-speech', 'generate-audiobook'],
  path: '/api/v1/pdf-to-audiobook',
  pathAliases: ['/api/v1/pdf-to-speech', '/api/v1/generate-audiobook'],
  summary: 'Turn a PDF into an audiobook',
  cost: { creditsPerMinute: CREDITS.speechMinute, creditsPerMinuteBy: { mp4: CREDITS.narrationMinute } },
  input: {
    file: file('The PDF', { types: [PDF] }),
    output_format: choice('Sound format', { values: ['mp3', 'm4b', 'mp4'] }),
    voice_style,
    voice_id,
    language,
    speed,
    page_range,
    normalize_pauses: flag('Even out pauses', { default: true }),
    preserve_chapters: flag('Keep chapters', { default: true }),
    pronunciation_fixes: text(FIXES, { fromFile: true }),
    asides,
    subtitles,
    ocr: OCR,
  },
  outputs: {
    job: { kind: 'job', mediaType: JSON_TYPE, record: 'speech-job-created', extension: 'mp3', beside: 'subtitles' },
  },
  tools: {
    pdf_to_audiobook: { when: 'Use it for a book or a long document, with chapters; ask estimate_speech_cost first.' },
    pdf_to_speech: { when: 'Use it to have a PDF read aloud; ask estimate_speech_cost first.' },
    generate_audiobook: { when: 'The same as pdf_to_audiobook, under another name.' },
  },
  local: true,
});

export const narrate = operation({
  ...AUDIO_JOB,
  name: 'narrate',
  aliases: ['presentation-narration'],
  path: '/api/v1/presentation-narration',
  summary: 'Narrate a PDF page by page, as a video of slides',
  cost: { creditsPerMinute: CREDITS.narrationMinute },
  input: {
    file: file('The PDF; each page is a slide', { types: [PDF] }),
    output_format: text('Format of the narration', { seen: ['mp4'], default: 'mp4' }),
    voice_style,
    speed,
    page_range,
    voice_id: text('Voice id, as pdftool voices lists them', { extension: true }),
    language: text('Language of the speech', { seen: ['en'], extension: true }),
    pronunciation_fixes: text(FIXES, { fromFile: true, extension: true }),
    blank_seconds: number('Seconds that a page without text is shown', { default: 3, extension: true }),
    asides,
    subtitles,
    ocr: OCR,
  },
  outputs: {
    job: { kind: 'job', mediaType: JSON_TYPE, record: 'speech-job-created', extension: 'mp4', beside: 'subtitles' },
  },
  tools: {
    presentation_narration: {
      when: 'Use it for slides: each page is shown while it is spoken; ask estimate_speech_cost first.',
    },
  },
  local: true,
});

export const translateAndSpeak = operation({
  ...AUDIO_JOB,
  name: 'translate-and-speak',
  summary: 'Translate a PDF and speak it (disabled by the service)',
  cost: { creditsPerMinute: CREDITS.translateMinute },
  input: {
    file: file('The PDF', { types: [PDF] }),
    target_language: required(text('Language to translate into', { seen: ['hi', 'es', 'fr'] })),
    source_language: text('Language of the PDF'),
    output_format: text('Sound format'),
    voice_style,
    speed,
    page_range,
    segmentation_mode: choice('How the audio is cut; pages for slides', { values: ['chapters', 'pages'] }),
    translation_glossary: text('Glossary'),
  },
  outputs: { job: { kind: 'job', mediaType: JSON_TYPE, record: 'speech-job-created', extension: 'mp3' } },
  tools: { translate_and_speak: { when: 'Do not use it while it is disabled.' } },
  local: 'translation needs a service',
  disabled: 'the service has disabled translate-and-speak',
});

/** The entries that the rows about a job share. */
const OF_JOB = {
  ...ASKED,
  surface: 'internal',
  input: { id: required(text('Job id')) },
  local: 'jobs run on the service',
} as const;

export const jobStatus = operation({
  ...OF_JOB,
  name: 'job-status',
  group: 'speech',
  path: '/api/v1/jobs/:id',
  pathAliases: ['/api/v1/speech-jobs/:id'],
  summary: 'Poll an audio job',
  outputs: { record: { kind: 'record', mediaType: JSON_TYPE, record: 'job-status' } },
  failures: ['unauthenticated', 'not_found'],
  tools: {
    job_status: {
      when: 'Use it with the job_id that a speech tool gave, every ten seconds or so, until it succeeds or fails.',
    },
    get_speech_job: { when: 'The same as job_status, under another name.' },
  },
});

export const jobCancel = operation({
  ...OF_JOB,
  name: 'job-cancel',
  group: 'service',
  method: 'POST',
  path: '/api/v1/jobs/:id/cancel',
  summary: 'Cancel a job of any kind that has not ended; the credits it set aside are returned',
  outputs: { record: { kind: 'record', mediaType: JSON_TYPE, record: 'job-status' } },
  failures: ['unauthenticated', 'not_found', 'conflict'],
  extension: true,
});

export const jobDownload = operation({
  ...OF_JOB,
  name: 'job-download',
  group: 'speech',
  path: '/api/v1/speech-jobs/:id/download',
  summary: 'Download the audio of a finished job',
  outputs: {
    audio: { kind: 'bytes', mediaType: MP3, stem: { fixed: 'audio' } },
    book: { kind: 'bytes', mediaType: M4B, stem: { fixed: 'audio' } },
    film: { kind: 'bytes', mediaType: MP4, stem: { fixed: 'audio' } },
  },
  failures: ['unauthenticated', 'not_found', 'conflict'],
  tools: { download_audio: { when: 'Use it when job_status says that the job has succeeded.' } },
});
