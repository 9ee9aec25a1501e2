import { Failure } from '../contract/base/failure.ts';
import type { Context } from '../contract/base/ports.ts';
import { say, setting } from '../contract/base/wording.ts';
import type { Engine } from '../contract/engine.ts';
import type { InputOf, Operation, ResultOf } from '../contract/operation.ts';
import type { Probe } from './check.ts';
import { estimatePrice } from './price.ts';

/**
 * Decorates an engine with a budget: a call that would exceed `maxCredits` in total is refused before it is sent. A
 * call whose outcome is unknown counts as charged.
 */
export function limitSpending(engine: Engine, maxCredits: number, probe?: Probe): Engine {
  let spent = 0;
  return {
    ...engine,
    async call<O extends Operation>(op: O, input: InputOf<O>, ctx: Context): Promise<ResultOf<O>> {
      const price = await estimatePrice(op, input, ctx, probe);
      if (spent + price.credits > maxCredits) {
        const costs = `${op.name} costs ${price.atMost ? 'up to ' : ''}${price.credits} credits (${price.why})`;
        const after = spent === 0 ? '' : `, ${spent} are spent`;
        const message = say`${costs}${after}; ${setting('max-credits')} is ${maxCredits}; nothing was sent`;
        throw new Failure('over_max_credits', message, {
          hint: say`Allow it with ${setting('max-credits', spent + price.credits)}, or work here with ${setting('local')}.`,
        });
      }
      // Counted before the call, so that parallel calls share the budget; returned where nothing was charged.
      spent += price.credits;
      try {
        const result = await engine.call(op, input, ctx);
        const used = result.credits?.used;
        if (used !== undefined) spent += used - price.credits;
        return result;
      } catch (error) {
        if (error instanceof Failure && error.charged === 'no') spent -= price.credits;
        throw error;
      }
    },
  };
}
