import type { InputOf, ResultOf } from '../contract/operation.ts';
import type { openapi } from '../contract/operations/service.ts';
import { OPERATIONS } from '../contract/operations.ts';
import { describeApi } from '../derive/openapi.ts';

export async function run(_input: InputOf<typeof openapi>): Promise<ResultOf<typeof openapi>> {
  return { kind: 'record', record: describeApi(OPERATIONS) };
}
