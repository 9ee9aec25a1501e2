// The numbers of SERVICE.md, each in one place.
export const KB = 1024;
/** 1,048,576 bytes, for MB and MiB alike: SERVICE.md writes both, and what the service accepts must not be refused here. */
export const MB = 1024 * KB;
export const GB = 1024 * MB;

export const LIMITS = {
  mergeInput: 20 * MB,
  mergeOutput: 16 * MB,
  mergeMinFiles: 2,
  splitPages: 150,
  splitSegments: 25,
  splitZip: 48 * MB,
  imagesMax: 25,
  imagesInput: 30 * MB,
  mergeCompressMin: 2,
  mergeCompressMax: 20,
  extractInput: 12 * MB,
  markdownInput: 12 * MB,
  sourcePackInput: 12 * MB,
  sourcePackPages: 100,
  sourcePackDerivatives: 8 * MB,
  previewText: 600,
  audioInput: 10 * MB,
  audioPages: 20,
  audioCharacters: 18_000,
  audioMinutes: 20,
  audioActiveJobs: 1,
  targetBytesMin: 1,
  redactionRegionsMin: 1,
  redactionRegionsMax: 2_000,
  uploadSessionSeconds: 3_600,
  workflowCompressInput: 1 * GB,
  workflowFolderInput: 256 * MB,
  workflowFolderFilesMin: 1,
  workflowFolderFilesMax: 100,
  workflowSourcePackInput: 256 * MB,
  workflowSourcePackPages: 500,
  workflowRedactionInput: 256 * MB,
  workflowRedactionPages: 100,
  workflowCredits: 1,
  workflowFolderCreditsMax: 100,
  freeCredits: 20,
} as const;

/** Limits of `pdftool serve` for operations that SERVICE.md does not have. */
export const OWN_LIMITS = {
  toImagesInput: 20 * MB,
  toImagesPages: 150,
  toImagesZip: 96 * MB,
  editInput: 50 * MB,
  ocrInput: 50 * MB,
  /** OCR takes seconds a page, and the request waits for it. */
  ocrPages: 50,
  /** Small pictures for the page of serve in one request: starting a drawing process takes as long as drawing 60. */
  thumbnails: 60,
} as const;

export const CREDITS = {
  standard: 1,
  speechMinute: 15,
  narrationMinute: 20,
  translateMinute: 45,
} as const;

/** Values of target_bytes that SERVICE.md names as examples and that MCP tools preset. */
export const TARGETS = { '100kb': 102_400, '200kb': 204_800, '500kb': 512_000, '1mb': 1_048_576 } as const;

/** Pixels to the inch that compress leaves a picture unless told otherwise: paper shows no more. */
export const USUAL_DPI = 150;
