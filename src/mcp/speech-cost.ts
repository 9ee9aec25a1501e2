/** What speaking a PDF would cost, read from its text on this machine before anything is sent. */
import * as v from 'valibot';
import { Failure } from '../contract/failure.ts';
import { PDF } from '../contract/media.ts';
import { audiobook, narrate } from '../contract/operations/speech.ts';
import { parsePageRange } from '../contract/page-range.ts';
import type { Context } from '../contract/ports.ts';
import { checkSpoken, estimate } from '../flow/estimate.ts';
import { priceOf } from '../flow/price.ts';
import { answerSchema, titleOf } from './describe.ts';
import type { Tool, Workbench } from './tool.ts';

const FORMATS = ['mp3', 'm4b', 'mp4'] as const;

const INPUT = v.strictObject({
  path: v.pipe(v.string(), v.nonEmpty()),
  page_range: v.optional(v.union([v.string(), v.number()])),
  output_format: v.optional(v.picklist(FORMATS), 'mp3'),
  narration: v.optional(v.boolean(), false),
});

export function speechCost(bench: Workbench): Tool {
  return {
    name: 'estimate_speech_cost',
    title: titleOf('estimate_speech_cost'),
    description:
      'Estimate how long a PDF would speak and how many credits the service would charge for it. Use it before a tool that makes speech on the service. It reads the text on this machine, sends nothing and costs nothing.',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1, description: 'Path of the PDF' },
        page_range: { type: 'string', description: 'Pages to speak, such as 1-5; all of them when left out' },
        output_format: {
          type: 'string',
          enum: FORMATS,
          default: 'mp3',
          description: 'What is to be made; mp4 costs more',
        },
        narration: { type: 'boolean', default: false, description: 'A narrated presentation, one slide a page' },
      },
      required: ['path'],
      additionalProperties: false,
    },
    outputSchema: answerSchema({
      pages: { type: 'integer', description: 'Pages that would be spoken' },
      characters: { type: 'integer' },
      minutes: { type: 'integer', description: 'An estimate: 900 characters a minute' },
      credits_estimated: { type: 'number', description: 'On the service; this machine charges nothing' },
      why: { type: 'string', description: 'How the credits were found' },
      within_limits: { type: 'boolean', description: 'Whether the service would take it' },
      limits: { type: 'array', items: { type: 'object' } },
    }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run(given, call) {
      const read = v.safeParse(INPUT, given);
      if (!read.success) {
        throw new Failure(
          'usage',
          read.issues.map((issue) => `${v.getDotPath(issue) ?? 'arguments'}: ${issue.message}`).join('\n'),
        );
      }
      const { path, page_range, output_format, narration } = read.output;
      const range = page_range === undefined ? undefined : String(page_range);
      if (range !== undefined) parsePageRange(range);
      const op = narration ? narrate : audiobook;
      const workspace = bench.sandbox.workspace();
      try {
        const { source } = bench.sandbox.source(path, [PDF], workspace);
        const temp = workspace.temp({ name: 'an estimate' });
        const ctx: Context = {
          signal: call.signal,
          clock: bench.clock,
          temp,
          progress: (event) => call.progress(event),
          detail: () => {},
        };
        const input = { file: source, output_format, ...(range === undefined ? {} : { page_range: range }) };
        const found = await estimate(op, input, ctx, bench.probe);
        const price = priceOf(op, input, found.minutes);
        const limits = checkSpoken(op, source, found).map(({ what, limit, found: is, failure }) => ({
          what,
          limit,
          found: is,
          ok: failure === undefined,
        }));
        return {
          record: {
            ok: true,
            ...(found.pages === undefined ? {} : { pages: found.pages.length }),
            ...(found.characters === undefined ? {} : { characters: found.characters, minutes: found.minutes }),
            credits_estimated: price.credits,
            why: price.why,
            within_limits: limits.every(({ ok }) => ok),
            limits,
          },
        };
      } finally {
        workspace.close();
      }
    },
  };
}
