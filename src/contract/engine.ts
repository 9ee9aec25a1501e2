import type { BytesResult, Context, RandomAccess } from './base/ports.ts';
import type { AnyOperation, InputOf, Operation, ResultOf } from './operation.ts';

/** Transfers to and from addresses that the service hands out for one job; they have no row. */
export interface Transfers {
  /** The bytes of a result address, as a finished draft of `ctx.temp`. The key goes to the service's own origin only. */
  fetch(address: string, ctx: Context): Promise<BytesResult>;
  /**
   * Sends `source` to an upload address, without the key. `again`: an earlier upload may have left a part there. Throws
   * `not_found` where the address is no longer valid.
   */
  upload(address: string, source: RandomAccess, mediaType: string, again: boolean, ctx: Context): Promise<void>;
}

/** What runs operations: the local engine, the service over HTTP, or a decorator of either. */
export interface Engine {
  readonly name: 'local' | 'remote';
  /** Why this engine cannot run the operation, as a sentence; undefined where it can. */
  refuses(op: AnyOperation): string | undefined;
  call<O extends Operation>(op: O, input: InputOf<O>, ctx: Context): Promise<ResultOf<O>>;
}
