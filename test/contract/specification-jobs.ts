// The endpoints of SERVICE.md that speak or make jobs, typed by hand like the rest of the specification. It must not
// import a row, a limit or a schema.
import type { SpecEndpoint, SpecField } from './specification.ts';

const PDF: SpecField = { type: 'binary', required: true, accepts: ['application/pdf'] };
const VOICE_STYLE: SpecField = { type: 'text', seen: ['audiobook', 'professional', 'educational', 'presenter'] };
const JOB = { job: 'application/json' };
const AUDIO_LIMITS = {
  inputBytes: 10_485_760,
  pages: 20,
  characters: 18_000,
  minutes: 20,
  activeJobs: 1,
};

export const JOBS: Readonly<Record<string, SpecEndpoint>> = {
  'POST /api/v1/voice-preview': {
    cost: 0,
    body: 'json-or-multipart',
    fields: {
      text: { type: 'text', required: true, maxLength: 600 },
      output_format: { type: 'text', values: ['mp3', 'wav'], default: 'mp3' },
      voice_style: VOICE_STYLE,
      voice_id: { type: 'text' },
      language: { type: 'text', seen: ['en'] },
      speed: { type: 'number' },
    },
    limits: { characters: 600 },
    outputs: { mp3: 'audio/mpeg', wav: 'audio/wav' },
    outputBy: 'output_format',
    success: 200,
    replay: 'free POST',
  },
  'POST /api/v1/pdf-to-audiobook': {
    aliases: ['/api/v1/pdf-to-speech', '/api/v1/generate-audiobook'],
    cost: '15 a minute, mp4 20',
    body: 'multipart',
    fields: {
      file: PDF,
      output_format: { type: 'text', values: ['mp3', 'm4b', 'mp4'] },
      voice_style: VOICE_STYLE,
      voice_id: { type: 'text' },
      language: { type: 'text', seen: ['en'] },
      speed: { type: 'number' },
      page_range: { type: 'text' },
      normalize_pauses: { type: 'flag' },
      preserve_chapters: { type: 'flag' },
      pronunciation_fixes: { type: 'text' },
    },
    limits: AUDIO_LIMITS,
    outputs: JOB,
    success: 202,
    replay: 'charged POST',
  },
  'POST /api/v1/presentation-narration': {
    cost: '20 a minute',
    body: 'multipart',
    fields: {
      file: PDF,
      output_format: { type: 'text', default: 'mp4', seen: ['mp4'] },
      voice_style: VOICE_STYLE,
      speed: { type: 'number' },
      page_range: { type: 'text' },
    },
    limits: AUDIO_LIMITS,
    outputs: JOB,
    success: 202,
    replay: 'charged POST',
  },
  'POST /api/v1/translate-and-speak': {
    cost: '45 a minute, disabled',
    body: 'multipart',
    fields: {
      file: PDF,
      target_language: { type: 'text', required: true, seen: ['hi', 'es', 'fr'] },
      source_language: { type: 'text' },
      output_format: { type: 'text' },
      voice_style: VOICE_STYLE,
      speed: { type: 'number' },
      page_range: { type: 'text' },
      segmentation_mode: { type: 'text', values: ['chapters', 'pages'] },
      translation_glossary: { type: 'text' },
    },
    limits: AUDIO_LIMITS,
    outputs: JOB,
    success: 202,
    replay: 'charged POST',
  },
  'GET /api/v1/jobs/:id': {
    aliases: ['/api/v1/speech-jobs/:id'],
    cost: 0,
    body: 'none',
    fields: { id: { type: 'text', required: true } },
    outputs: { record: 'application/json' },
    success: 200,
    replay: 'GET',
  },
  'GET /api/v1/speech-jobs/:id/download': {
    cost: 0,
    body: 'none',
    fields: { id: { type: 'text', required: true } },
    // The formats of pdf-to-audiobook and of narration.
    outputs: { audio: 'audio/mpeg', book: 'audio/mp4', film: 'video/mp4' },
    success: 200,
    replay: 'GET',
  },
  'POST /api/v1/workflow-jobs': {
    cost: 'reserves maxCredits',
    body: 'json',
    fields: {
      workflow: { type: 'text', required: true, seen: ['source_pack'] },
      inputBytes: { type: 'integer', required: true, min: 1 },
      options: { type: 'object' },
      maxCredits: { type: 'integer', required: true, min: 1, max: 100 },
    },
    headers: ['Idempotency-Key'],
    outputs: { record: 'application/json' },
    success: 200,
    replay: 'workflow',
  },
  'POST /api/v1/workflow-jobs/:uploadId': {
    cost: 'reserves maxCredits',
    body: 'none',
    fields: { uploadId: { type: 'text', required: true } },
    outputs: { record: 'application/json' },
    success: 200,
    replay: 'workflow',
  },
  'GET /api/v1/workflow-jobs/:jobId': {
    cost: 0,
    body: 'none',
    fields: { jobId: { type: 'text', required: true } },
    outputs: { record: 'application/json' },
    success: 200,
    replay: 'GET',
  },
};
