// The comparison of the named limits, the workflows and the failure table with SERVICE.md and CLI.md typed by hand.
import { expect, it } from 'vitest';
import { FAILURES } from '../../src/contract/base/failure.ts';
import { CREDITS, LIMITS, TARGETS } from '../../src/contract/limits.ts';
import { WORKFLOWS } from '../../src/contract/operations/service/workflow.ts';

it('holds each number of SERVICE.md once, and no other', () => {
  expect(LIMITS).toEqual({
    mergeInput: 20_971_520,
    mergeOutput: 16_777_216,
    mergeMinFiles: 2,
    splitPages: 150,
    splitSegments: 25,
    splitZip: 50_331_648,
    imagesMax: 25,
    imagesInput: 31_457_280,
    mergeCompressMin: 2,
    mergeCompressMax: 20,
    extractInput: 12_582_912,
    markdownInput: 12_582_912,
    sourcePackInput: 12_582_912,
    sourcePackPages: 100,
    sourcePackDerivatives: 8_388_608,
    previewText: 600,
    audioInput: 10_485_760,
    audioPages: 20,
    audioCharacters: 18_000,
    audioMinutes: 20,
    audioActiveJobs: 1,
    targetBytesMin: 1,
    redactionRegionsMin: 1,
    redactionRegionsMax: 2_000,
    uploadSessionSeconds: 3_600,
    workflowCompressInput: 1_073_741_824,
    workflowFolderInput: 268_435_456,
    workflowFolderFilesMin: 1,
    workflowFolderFilesMax: 100,
    workflowSourcePackInput: 268_435_456,
    workflowSourcePackPages: 500,
    workflowRedactionInput: 268_435_456,
    workflowRedactionPages: 100,
    workflowCredits: 1,
    workflowFolderCreditsMax: 100,
    freeCredits: 20,
  });
  expect(CREDITS).toEqual({ standard: 1, speechMinute: 15, narrationMinute: 20, translateMinute: 45 });
  expect(TARGETS).toEqual({ '100kb': 102_400, '200kb': 204_800, '500kb': 512_000, '1mb': 1_048_576 });
});

it('bounds the four workflows as SERVICE.md does', () => {
  // Lists of steps are an extension of serve.
  const { steps: _, ...specified } = WORKFLOWS;
  expect(specified).toEqual({
    compress: {
      input: 'application/pdf',
      output: 'application/pdf',
      inputBytes: 1_073_741_824,
      maxCredits: [1, 1],
    },
    folder: {
      input: 'application/zip',
      output: 'application/zip',
      inputBytes: 268_435_456,
      files: [1, 100],
      maxCredits: [1, 100],
    },
    source_pack: {
      input: 'application/pdf',
      output: 'application/zip',
      inputBytes: 268_435_456,
      pages: 500,
      maxCredits: [1, 1],
    },
    redaction: {
      input: 'application/pdf',
      output: 'application/pdf',
      inputBytes: 268_435_456,
      pages: 100,
      regions: [1, 2_000],
      secret: ['find', 'regex'],
      maxCredits: [1, 1],
    },
  });
});

it('ends every failure with the exit code of CLI.md and the status of SERVICE.md', () => {
  const exits = Object.entries(FAILURES).map(([code, { exit }]) => [code, exit]);
  expect(Object.fromEntries(exits)).toEqual({
    internal: 1,
    usage: 2,
    unauthenticated: 4,
    forbidden: 4,
    out_of_credits: 5,
    over_max_credits: 5,
    refused: 6,
    not_found: 6,
    conflict: 6,
    too_large: 6,
    unprocessable: 6,
    password: 7,
    pending: 8,
    output_exists: 10,
    rate_limited: 20,
    network: 20,
    server: 20,
    ambiguous: 21,
    partial: 22,
    job_failed: 23,
    unavailable: 24,
    interrupted: 130,
    terminated: 143,
  });
  // The codes that SERVICE.md declares, each by the one failure that a client meets it as.
  const statuses = { usage: 400, unauthenticated: 401, out_of_credits: 402, forbidden: 403, too_large: 413 };
  for (const [code, status] of Object.entries({ ...statuses, unprocessable: 422 })) {
    expect(FAILURES).toHaveProperty([code, 'status'], status);
  }
});
