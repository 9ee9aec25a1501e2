/** The tool that estimates what speaking a PDF would cost, from its text on this machine. */
import * as v from 'valibot';
import { PDF } from '../contract/media.ts';
import { audiobook, narrate } from '../contract/operations/speech.ts';
import { parsePageRange } from '../contract/page-range.ts';
import type { Schema } from '../derive/json-schema.ts';
import { checkSpoken, estimate } from '../flow/estimate.ts';
import { callPrice } from '../flow/price.ts';
import { readToolArguments } from './arguments.ts';
import { answerSchema, titleOf } from './describe.ts';
import { contextOf, type SharedState, type Tool } from './tool.ts';

const FORMATS = ['mp3', 'm4b', 'mp4'] as const;

const INPUT = v.strictObject({
  path: v.pipe(v.string(), v.nonEmpty()),
  page_range: v.optional(v.union([v.string(), v.number()])),
  output_format: v.optional(v.picklist(FORMATS), 'mp3'),
  narration: v.optional(v.boolean(), false),
});

const INPUT_SCHEMA: Schema = {
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 1, description: 'Path of the PDF' },
    page_range: { type: 'string', description: 'Pages to speak, such as 1-5; all of them when left out' },
    output_format: { type: 'string', enum: FORMATS, default: 'mp3', description: 'What is to be made; mp4 costs more' },
    narration: { type: 'boolean', default: false, description: 'A narrated presentation, one slide a page' },
  },
  required: ['path'],
  additionalProperties: false,
};

const OUTPUT_SCHEMA = answerSchema({
  pages: { type: 'integer', description: 'Pages that would be spoken' },
  characters: { type: 'integer' },
  minutes: { type: 'integer', description: 'An estimate: 900 characters a minute' },
  credits_estimated: { type: 'number', description: 'On the service; this machine charges nothing' },
  why: { type: 'string', description: 'How the credits were found' },
  within_limits: { type: 'boolean', description: 'Whether the service would take it' },
  limits: { type: 'array', items: { type: 'object' } },
});

export function speechCost(shared: SharedState): Tool {
  return {
    name: 'estimate_speech_cost',
    title: titleOf('estimate_speech_cost'),
    description:
      'Estimate how long a PDF would speak and how many credits the service would charge for it. Use it before a tool that makes speech on the service. It reads the text on this machine, sends nothing and costs nothing.',
    inputSchema: INPUT_SCHEMA,
    outputSchema: OUTPUT_SCHEMA,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run(given, call) {
      const { path, page_range, output_format, narration } = readToolArguments(INPUT, given);
      const range = page_range === undefined ? undefined : String(page_range);
      if (range !== undefined) parsePageRange(range);
      const op = narration ? narrate : audiobook;
      return shared.sandbox.withWorkspace(async (workspace) => {
        const { source } = shared.sandbox.source(path, [PDF], workspace);
        const ctx = contextOf({ ...call, shared }, workspace.temp({ name: 'an estimate' }));
        const input = { file: source, output_format, ...(range === undefined ? {} : { page_range: range }) };
        const estimated = await estimate(op, input, ctx, shared.probe);
        const { pages, characters, minutes } = estimated;
        const price = callPrice(op, input, minutes);
        const checks = checkSpoken(op, source, estimated);
        const limits = checks.map(({ failure, ...check }) => ({ ...check, ok: failure === undefined }));
        return {
          record: {
            ok: true,
            ...(pages === undefined ? {} : { pages: pages.length }),
            ...(characters === undefined ? {} : { characters, minutes }),
            credits_estimated: price.credits,
            why: price.why,
            within_limits: limits.every(({ ok }) => ok),
            limits,
          },
        };
      });
    },
  };
}
