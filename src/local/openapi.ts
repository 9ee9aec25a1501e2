import { OPERATIONS } from '../contract/operations/all.ts';
import type { openapi } from '../contract/operations/service/account.ts';
import { describeApi } from '../derive/openapi.ts';
import type { Handler } from './frame/handler.ts';

export const run: Handler<typeof openapi> = async () => ({ kind: 'record', record: describeApi(OPERATIONS) });
