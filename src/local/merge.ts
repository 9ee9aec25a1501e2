// Owns merge on the local engine. Knows neither terminal nor HTTP.
import { Failure } from '../contract/failure.ts';
import type { InputOf, ResultOf } from '../contract/operation.ts';
import type { merge } from '../contract/operations/pages.ts';
import type { Context } from '../contract/ports.ts';

export async function run(_input: InputOf<typeof merge>, _ctx: Context): Promise<ResultOf<typeof merge>> {
  throw new Failure('unavailable', 'being written');
}
