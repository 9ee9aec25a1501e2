import type { CompleteInputOf, ResultOf } from '../../contract/operation.ts';
import type { Context } from '../../contract/ports.ts';

/** Does an operation on this machine. */
export type Handler<O> = (input: CompleteInputOf<O>, ctx: Context) => Promise<ResultOf<O>>;
