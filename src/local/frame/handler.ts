import type { CompleteInputOf, ResultOf } from '../../contract/operation.ts';
import type { Context } from '../../contract/ports.ts';

export type Handler<O> = (input: CompleteInputOf<O>, ctx: Context) => Promise<ResultOf<O>>;
