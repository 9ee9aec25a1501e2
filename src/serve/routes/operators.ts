import { Failure } from '../../contract/base/failure.ts';
import { capabilities } from '../../derive/capabilities.ts';
import { describeApi } from '../../derive/openapi.ts';
import { baseAddress } from '../http/addresses.ts';
import type { Route } from '../http/app.ts';
import { assertBearer, authenticate } from '../http/auth.ts';
import { jsonAnswer } from '../http/exchange.ts';
import type { Service } from '../service/service.ts';

/** Routes for operators, without a key. `isPrivate`: on a port that clients do not reach. */
export function operatorRoutes(service: Service, isStopping: () => boolean, isPrivate: boolean): Route[] {
  const { version, settings, metrics } = service;
  const route = (path: string, handle: Route['handle']): Route => ({ method: 'GET', path, quiet: true, handle });
  const ready: Route['handle'] = async () => {
    const { ready, reason } = isStopping() ? { ready: false, reason: 'stopping' } : await service.health();
    if (!ready) throw new Failure('rate_limited', `not ready: ${reason}`, { status: 503 });
    return jsonAnswer(200, { ok: true });
  };
  return [
    route('/livez', async () => jsonAnswer(200, { ok: true })),
    route('/readyz', ready),
    route('/health', ready),
    route('/version', async () => jsonAnswer(200, { ok: true, name: 'pdftool', version, api: 'v1' })),
    route('/metrics', async ({ incoming }) => {
      const { metrics_token: token } = settings;
      if (token !== undefined) assertBearer(token, incoming, 'metrics_token');
      // On the client port metrics need a token, because they reveal all accounts.
      else if (!isPrivate) {
        const message = 'metrics are on a port of their own (--admin-port), or need metrics_token';
        throw new Failure('unauthenticated', message);
      }
      const { type, text } = await metrics.text();
      return { status: 200, headers: { 'Content-Type': type }, body: { text } };
    }),
  ];
}

/** Capabilities and openapi.json. */
export function descriptionRoutes(service: Service): Route[] {
  const { rows, version, settings } = service;
  let document: object | undefined;
  return [
    {
      method: 'GET',
      path: '/api/v1/capabilities',
      async handle() {
        const open = openWorkflows(service);
        return jsonAnswer(200, capabilities(rows, { version, workflows: open, uploadBytes: settings.upload_bytes }));
      },
    },
    ...rows
      .filter(({ name }) => name === 'openapi')
      .map(
        (op): Route => ({
          method: op.method,
          path: op.path,
          op,
          async handle(exchange) {
            await authenticate(exchange, service);
            document ??= describeApi(rows);
            return jsonAnswer(200, { ...document, servers: [{ url: baseAddress(exchange, service) }] });
          },
        }),
      ),
  ];
}

/** Inputs, outputs and limits of each workflow, for the capabilities. */
export function openWorkflows({ workflows }: Pick<Service, 'workflows'>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(workflows).map(([name, { inputBytes, pages, files, credits, input, output }]) => [
      name,
      { input, output, input_bytes: inputBytes, pages, files, max_credits: credits },
    ]),
  );
}
