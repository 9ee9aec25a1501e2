import type { Context } from '../../contract/base/ports.ts';
import type { CompleteInputOf, ResultOf } from '../../contract/operation.ts';

export type Handler<O> = (input: CompleteInputOf<O>, ctx: Context) => Promise<ResultOf<O>>;
