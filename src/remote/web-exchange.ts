// Requests to timestamp authorities and certificate issuers. They carry neither key nor cookies; proxies and trusted
// authorities are the usual ones.
import { Failure } from '../contract/base/failure.ts';
import type { WebExchange } from '../contract/base/ports.ts';
import { bytesOf } from './receive.ts';
import type { RemoteSettings } from './settings.ts';
import { describeError, openTransport } from './transport.ts';

const MOST = 32 << 20;
const PATIENCE = 30_000;

export function webExchange(settings: RemoteSettings, given: AbortSignal): WebExchange {
  return async (address, post) => {
    if (!/^https?:\/\//i.test(address) || !URL.canParse(address))
      throw new Failure('usage', `expected an address with http or https, found '${address}'`);
    const url = new URL(address);
    const method = post === undefined ? 'GET' : 'POST';
    const body = post && {
      contentType: post.type,
      length: post.body.length,
      async *open() {
        yield post.body;
      },
    };
    const signal = AbortSignal.any([given, AbortSignal.timeout(PATIENCE)]);
    try {
      const transport = await openTransport(settings, url, '');
      const sending = { started: false, sent: 0 };
      const request = { method, url, headers: {}, body, anonymous: true } as const;
      const answer = await transport.send(request, sending, { signal, progress: () => {} });
      if (answer.status !== 200) {
        answer.discard();
        throw new Failure('unavailable', `${address} answered with HTTP status ${answer.status}`);
      }
      const tooLarge = () => new Failure('too_large', `${address} answered with more than ${MOST} bytes`);
      return await bytesOf(answer.body, MOST, tooLarge);
    } catch (error) {
      given.throwIfAborted();
      if (error instanceof Failure) throw error;
      throw new Failure('unavailable', `${address} gave no answer: ${describeError(error, url, '')}`, {
        cause: error,
        hint: 'Look at the address, the network and the proxy.',
      });
    }
  };
}
