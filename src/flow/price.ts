import type { Context, Values } from '../contract/base/ports.ts';
import { type AnyOperation, isOffered } from '../contract/operation.ts';
import type { Probe } from './check.ts';
import { estimate, isSpoken } from './estimate.ts';

export interface Price {
  /** The price, or the most it can be. */
  readonly credits: number;
  /** Whether `credits` is an upper bound: audio is priced by the minute, workflow budgets are reserved. */
  readonly atMost: boolean;
  readonly why: string;
}

/** The price of a call. `estimated`: minutes of audio, where the text was read; without it the longest allowed. */
export function callPrice(op: AnyOperation, input: Values, estimated?: number): Price {
  if (!isOffered(op)) return { credits: 0, atMost: false, why: 'no service has it: it runs on this machine alone' };
  const { cost } = op;
  if ('credits' in cost) {
    const { credits } = cost;
    return { credits, atMost: false, why: credits === 0 ? 'free' : 'charged when it succeeds' };
  }
  if ('reserves' in cost) {
    const budget = input[cost.reserves];
    const credits = typeof budget === 'number' ? budget : 0;
    return { credits, atMost: true, why: 'reserved when the job is made; what is not used is returned' };
  }
  const format = input.output_format;
  const minute = (typeof format === 'string' ? cost.creditsPerMinuteBy?.[format] : undefined) ?? cost.creditsPerMinute;
  if (estimated !== undefined) {
    const why = `an estimate: ${estimated} minutes at ${minute} credits, from 900 characters a minute`;
    return { credits: minute * estimated, atMost: true, why };
  }
  const minutes = op.limits?.minutes ?? 0;
  return { credits: minute * minutes, atMost: true, why: `${minute} credits a minute, at most ${minutes} minutes` };
}

/** The price, with minutes estimated from the text for operations priced by the minute. */
export async function estimatePrice(op: AnyOperation, input: Values, ctx: Context, probe?: Probe): Promise<Price> {
  if (probe === undefined || !isSpoken(op)) return callPrice(op, input);
  return callPrice(op, input, (await estimate(op, input, ctx, probe)).minutes);
}
