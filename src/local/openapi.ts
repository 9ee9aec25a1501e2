import type { CompleteInputOf, ResultOf } from '../contract/operation.ts';
import { OPERATIONS } from '../contract/operations/all.ts';
import type { openapi } from '../contract/operations/service/account.ts';
import { describeApi } from '../derive/openapi.ts';

export async function run(_input: CompleteInputOf<typeof openapi>): Promise<ResultOf<typeof openapi>> {
  return { kind: 'record', record: describeApi(OPERATIONS) };
}
