/** Tools for agents at /mcp: read-only, without a key and without a line in the log. */
import type { IncomingMessage } from 'node:http';
import { Failure } from '../../contract/base/failure.ts';
import type { ServiceOperation } from '../../contract/operation.ts';
import type { AnswerMessage } from '../../contract/tools.ts';
import type { ServerFacts } from '../../derive/capabilities.ts';
import { parseJson } from '../../wire/json.ts';
import type { Route } from '../http/app.ts';
import { readBody } from '../http/body.ts';
import { askForBody } from '../http/exchange.ts';
import type { Service } from '../service/service.ts';
import { openWorkflows } from './operators.ts';

export interface About extends ServerFacts {
  readonly rows: readonly ServiceOperation[];
}

/** Small, because no key is needed. */
const MOST_BYTES = 64 * 1024;
/** Messages of a batch. */
const MOST_MESSAGES = 20;

/** `answerWith` is injected, because src/serve does not import src/mcp. */
export function toolsRoute(service: Service, answerWith: (about: About) => AnswerMessage): Route {
  const { rows, version, settings, rates } = service;
  const about = { rows, version, workflows: openWorkflows(service), uploadBytes: settings.upload_bytes };
  const answer = answerWith(about);
  return {
    method: 'POST',
    path: '/mcp',
    quiet: true,
    async handle(exchange) {
      const { incoming } = exchange;
      assertOwnPage(incoming, service);
      rates.countQuestions(incoming, 1);
      askForBody(exchange);
      const message = parseJson(await readBody(exchange, service, MOST_BYTES), 'the body');
      if (Array.isArray(message)) {
        if (message.length > MOST_MESSAGES)
          throw new Failure('too_large', `expected at most ${MOST_MESSAGES} messages`);
        rates.countQuestions(incoming, message.length - 1);
      }
      const { status, type, text } = await answer(message, plain(incoming));
      return { status, ...(type === undefined ? {} : { headers: { 'Content-Type': type } }), body: { text } };
    },
  };
}

/** Headers as text, without credentials. */
function plain({ headers }: IncomingMessage): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !['authorization', 'x-api-key', 'cookie'].includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

const THIS_MACHINE = ['localhost', '127.0.0.1', '::1'];

/**
 * Blocks pages of other sites, also by DNS rebinding: Origin and Host must name this server. A rebound name is never a
 * numeric address, so those pass as Host. Programs send no Origin.
 */
export function assertOwnPage({ headers }: IncomingMessage, { listening, settings }: Service): void {
  const names = [...THIS_MACHINE, listening().host, ...settings.hosts, hostnameOf(settings.public_url ?? '')];
  const known = names.flatMap((name) => name?.toLowerCase() ?? []);
  const host = hostnameOf(`http://${headers.host ?? ''}`) ?? '';
  const isAddress = host.includes(':') || /^\d{1,3}(\.\d{1,3}){3}$/.test(host);
  if (!known.includes(host) && !isAddress) {
    throw new Failure('forbidden', 'this server is not the host that the Host header names');
  }
  const { origin } = headers;
  if (origin === undefined) return;
  const from = hostnameOf(origin);
  if (from === undefined || !known.includes(from)) {
    throw new Failure('forbidden', 'requests from pages of other sites are refused');
  }
}

function hostnameOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname.replace(/^\[|\]$/g, '').toLowerCase() : undefined;
}
