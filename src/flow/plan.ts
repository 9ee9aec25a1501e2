import type { Context, Values } from '../contract/base/ports.ts';
import type { Engine } from '../contract/engine.ts';
import { type AnyOperation, isOffered, makesPdf, openValues } from '../contract/operation.ts';
import { checkRecord, type Probe } from './check.ts';
import { checkInput, filesOfInput } from './checks.ts';
import { type Estimate, estimate, isSpoken } from './estimate.ts';
import { callPrice, estimatePrice } from './price.ts';

/** The record of a plan. Sizes in bytes. */
export interface Plan {
  readonly ok: boolean;
  readonly operation: string;
  readonly engine: 'local' | 'remote';
  /** What would be sent; absent on the local engine. */
  readonly request?: {
    readonly method: string;
    readonly path: string;
    readonly fields: Values;
    readonly files: readonly { readonly name: string; readonly bytes?: number }[];
  };
  readonly checks: readonly { what: string; limit: string; found: string; ok: boolean; message?: string }[];
  /** The speech, where the text can be read here. */
  readonly speech?: Omit<Estimate, 'pages'> & { readonly pages: number };
  /** Signed files whose signatures do not hold for the output. */
  readonly ends_signatures?: readonly string[];
  readonly price: { readonly credits: number; readonly at_most: boolean; readonly why: string };
}

/** Computes what a call would do. `maxCredits`: the budget that the price is checked against. */
export async function planOf(
  engine: Engine['name'],
  op: AnyOperation,
  input: Values,
  ctx: Context,
  probe: Probe,
  maxCredits?: number,
): Promise<Plan> {
  if (engine === 'local' || !isOffered(op)) {
    const why = isOffered(op) ? 'the local engine costs nothing' : callPrice(op, input).why;
    const price = { credits: 0, at_most: false, why };
    // The service's limits do not bind this machine.
    const unbound = { ...op, limits: { minutes: Number.POSITIVE_INFINITY } } as AnyOperation;
    const speech = isSpoken(op) ? await speechOf(unbound, input, ctx, probe) : {};
    const ended = await endedBy(op, input, ctx, probe);
    return { ok: true, operation: op.name, engine, checks: [], ...speech, ...ended, price };
  }
  const { credits, atMost, why } = await estimatePrice(op, input, ctx, probe);
  const checks = (await checkInput(op, input, ctx, probe)).map(checkRecord);
  if (maxCredits !== undefined) {
    checks.push({ what: 'credits', limit: `at most ${maxCredits}`, found: String(credits), ok: credits <= maxCredits });
  }
  const fields = Object.entries(openValues(op, input)).filter(([name]) => op.input[name]?.extension !== true);
  return {
    ok: checks.every(({ ok }) => ok),
    operation: op.name,
    engine,
    request: {
      method: op.method,
      path: op.path,
      fields: Object.fromEntries(fields),
      files: filesOfInput(op, input).map(({ source: { name, size } }) => ({
        name,
        ...(size === undefined ? {} : { bytes: size }),
      })),
    },
    checks,
    ...(await speechOf(op, input, ctx, probe)),
    ...(await endedBy(op, input, ctx, probe)),
    price: { credits, at_most: atMost, why },
  };
}

async function speechOf(op: AnyOperation, input: Values, ctx: Context, probe: Probe): Promise<Pick<Plan, 'speech'>> {
  if (!isSpoken(op)) return {};
  const { pages, ...rest } = await estimate(op, input, ctx, probe);
  return pages === undefined ? {} : { speech: { pages: pages.length, ...rest } };
}

async function endedBy(
  op: AnyOperation,
  input: Values,
  ctx: Context,
  probe: Probe,
): Promise<Pick<Plan, 'ends_signatures'>> {
  if (!makesPdf(op) || op.appends === true || input.incremental === true) return {};
  const ended: string[] = [];
  for (const { source } of filesOfInput(op, input)) {
    if ((await probe.isSigned?.(source, ctx)) === true) ended.push(source.name);
  }
  return ended.length === 0 ? {} : { ends_signatures: ended };
}
