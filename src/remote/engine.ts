import { Failure } from '../contract/base/failure.ts';
import type { Context, Result } from '../contract/base/ports.ts';
import { operationNamed, say, setting } from '../contract/base/wording.ts';
import type { Engine } from '../contract/engine.ts';
import {
  type AnyOperation,
  type InputOf,
  isOffered,
  type Operation,
  type ResultOf,
  type ServiceOperation,
} from '../contract/operation.ts';
import { encodeRequest } from '../wire/request.ts';
import { readAnswer } from './answer.ts';
import { perform, type RemoteCall, sessions } from './exchange.ts';
import { classOf } from './replay.ts';
import type { RemoteSettings } from './settings.ts';

export function createRemoteEngine(settings: RemoteSettings): Engine {
  const openSession = sessions(settings);
  return {
    name: 'remote',
    refuses: refusal,
    async call<O extends Operation>(op: O, input: InputOf<O>, ctx: Context): Promise<ResultOf<O>> {
      const row: AnyOperation = op;
      if (!isOffered(row) || row.disabled !== undefined) {
        throw new Failure('unavailable', `${op.name}: ${refusal(row)}`);
      }
      const session = await openSession();
      const exchange: RemoteCall<Result> = {
        name: op.name,
        kind: classOf(row, input),
        request: encodeRequest(row, input, `pdftool-${settings.entropy.token()}`),
        take: (reply, partial, inner) => readAnswer(op, input, reply, partial, inner),
      };
      const result = await perform(exchange, session, ctx).catch((error: unknown) => {
        throw isMissingThere(row, error) ? notOffered(row, error) : error;
      });
      session.balance.learn(result.credits);
      return result as ResultOf<O>; // takeAnswer makes the kind that the row's output names
    },
  };
}

function refusal(op: AnyOperation): string | undefined {
  return isOffered(op) ? op.disabled : 'no service has it';
}

/** A 404 at a path without parameters means that the operation is missing, not a job or file. */
function isMissingThere(op: ServiceOperation, error: unknown): error is Failure {
  if (!(error instanceof Failure) || op.extension !== true || op.path.includes(':')) return false;
  return (error.status === 404 || error.status === 405) && error.charged === 'no';
}

function notOffered({ name, local }: ServiceOperation, cause: Failure): Failure {
  const { status, meta } = cause;
  return new Failure('unavailable', `this service does not offer ${name}, which is an extension of pdftool serve`, {
    hint:
      local === true
        ? say`Run it on this machine: ${operationNamed(name)} ${setting('local')}`
        : say`Choose another service with ${setting('profile')}.`,
    status,
    meta,
    cause,
  });
}
