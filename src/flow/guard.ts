// Owns refusing what the service would refuse, before a byte is sent. Knows only the Engine interface.
import type { InputOf, Operation, ResultOf } from '../contract/operation.ts';
import type { Context, Engine } from '../contract/ports.ts';
import { checkInput, type Probe } from './checks.ts';

/** The engine, behind the service's limits. For the remote engine and serve; the local engine is bound by memory and disk alone. */
export function guard(engine: Engine, probe: Probe): Engine {
  return {
    name: engine.name,
    refuses: (op) => engine.refuses(op),
    async call<O extends Operation>(op: O, input: InputOf<O>, ctx: Context): Promise<ResultOf<O>> {
      const checks = await checkInput(op, input, ctx, probe);
      const failed = checks.find(({ failure }) => failure !== undefined);
      if (failed?.failure !== undefined) throw failed.failure;
      return engine.call(op, input, ctx);
    },
  };
}
