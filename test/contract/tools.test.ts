// The tools for agents against the names in SERVICE.md, typed by hand, both ways.
import { expect, it } from 'vitest';
import { isOffered } from '../../src/contract/operation.ts';
import { OPERATIONS } from '../../src/contract/operations/all.ts';
import { TOOLS_WITHOUT_ROW } from '../../src/contract/tools.ts';

/** Tool name, the endpoint behind it (none is shown for some), and what the tool presets. */
const TOOLS: Readonly<Record<string, readonly [endpoint: string | undefined, preset?: object]>> = {
  account: ['GET /api/v1/account'],
  pdf_info: ['POST /api/v1/pdf-info'],
  merge_pdfs: ['POST /api/v1/merge'],
  split_pdf: ['POST /api/v1/split'],
  rotate_pdf: ['POST /api/v1/rotate'],
  compress_pdf: ['POST /api/v1/compress'],
  compress_pdf_to_target: ['POST /api/v1/compress'],
  compress_pdf_to_100kb: ['POST /api/v1/compress', { target_bytes: 102400 }],
  compress_pdf_to_200kb: ['POST /api/v1/compress', { target_bytes: 204800 }],
  compress_pdf_to_500kb: ['POST /api/v1/compress', { target_bytes: 512000 }],
  compress_pdf_to_1mb: ['POST /api/v1/compress', { target_bytes: 1048576 }],
  pdf_to_images: [undefined],
  images_to_pdf: ['POST /api/v1/images-to-pdf'],
  extract_text: ['POST /api/v1/extract-text'],
  pdf_to_json: ['POST /api/v1/pdf-to-json'],
  pdf_structured_markdown: ['POST /api/v1/pdf-structured-markdown'],
  ocr_pdf: [undefined],
  estimate_speech_cost: [undefined],
  voice_preview: ['POST /api/v1/voice-preview'],
  pdf_to_speech: ['POST /api/v1/pdf-to-audiobook'],
  pdf_to_audiobook: ['POST /api/v1/pdf-to-audiobook'],
  generate_audiobook: ['POST /api/v1/pdf-to-audiobook'],
  translate_and_speak: ['POST /api/v1/translate-and-speak'],
  presentation_narration: ['POST /api/v1/presentation-narration'],
  job_status: ['GET /api/v1/jobs/:id'],
  get_speech_job: ['GET /api/v1/jobs/:id'],
  download_audio: ['GET /api/v1/speech-jobs/:id/download'],
  first_run_checklist: [undefined],
  workflow_submit: ['POST /api/v1/workflow-jobs'],
  workflow_status: ['GET /api/v1/workflow-jobs/:jobId'],
  workflow_download: ['GET /api/v1/workflow-jobs/:jobId'],
};

it('names every tool of SERVICE.md once, behind the endpoint and with the preset it has there', () => {
  const named = OPERATIONS.flatMap((op) =>
    Object.entries(op.tools).flatMap(([tool, { preset }]) => {
      const isSpecified = isOffered(op) && op.extension !== true;
      // What SERVICE.md does not have may stand behind a tool whose endpoint it does not show, or be a tool of ours.
      if (!isSpecified && !(tool in TOOLS)) return [];
      const endpoint = isSpecified ? `${op.method} ${op.path}` : undefined;
      return [[tool, preset === undefined ? [endpoint] : [endpoint, preset]] as const];
    }),
  );
  const without = Object.keys(TOOLS_WITHOUT_ROW).map((tool) => [tool, [undefined]] as const);
  const all = [...named, ...without];
  expect(all.length).toBe(Object.keys(TOOLS).length);
  expect(Object.fromEntries(all)).toEqual(TOOLS);
});
