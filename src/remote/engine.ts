// Owns the Engine over HTTP: every row by one path. Loads its HTTP client when first called.
import { Failure } from '../contract/failure.ts';
import type { InputOf, Operation, ResultOf } from '../contract/operation.ts';
import type { Context, Engine } from '../contract/ports.ts';
import { encodeRequest } from '../wire/request.ts';
import { takeAnswer } from './answer.ts';
import { perform, sessions } from './exchange.ts';
import { classOf } from './replay.ts';
import type { RemoteSettings } from './settings.ts';

export function createRemoteEngine(settings: RemoteSettings): Engine {
  const openSession = sessions(settings);
  return {
    name: 'remote',
    refuses: (op) => op.disabled,
    async call<O extends Operation>(op: O, input: InputOf<O>, ctx: Context): Promise<ResultOf<O>> {
      if (op.disabled !== undefined) throw new Failure('unavailable', `${op.name}: ${op.disabled}`);
      const session = await openSession();
      const result = await perform(
        {
          name: op.name,
          kind: classOf(op, input),
          request: encodeRequest(op, input, `pdftool-${settings.entropy.token()}`),
          take: (reply, partial, inner) => takeAnswer(op, input, reply, partial, inner),
        },
        session,
        ctx,
      );
      session.balance.learn(result.credits);
      return result as ResultOf<O>; // takeAnswer makes the kind that the row's output names
    },
  };
}
