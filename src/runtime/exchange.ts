// Requests to servers that vouch for signatures: authorities that stamp the time, and issuers of certificates.
import { Failure } from '../contract/failure.ts';
import type { Exchange } from '../contract/ports.ts';

const MOST = 32 << 20;
const PATIENCE = 30_000;

/** Asks by HTTP; neither a key nor a cookie goes with it. */
export function webExchange(signal: AbortSignal): Exchange {
  return async (url, post) => {
    if (!/^https?:\/\//i.test(url))
      throw new Failure('usage', `expected an address with http or https, found '${url}'`);
    try {
      const answer = await fetch(url, {
        ...(post === undefined
          ? {}
          : { method: 'POST', body: Buffer.from(post.body), headers: { 'content-type': post.type } }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]),
      });
      if (!answer.ok) throw new Failure('unavailable', `${url} answered with HTTP status ${answer.status}`);
      const chunks: Uint8Array[] = [];
      let size = 0;
      for await (const chunk of answer.body ?? []) {
        size += chunk.length;
        if (size > MOST) throw new Failure('too_large', `${url} answered with more than ${MOST} bytes`);
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Failure) throw error;
      throw new Failure('unavailable', `${url} gave no answer`, {
        cause: error,
        hint: 'Look at the address and the network.',
      });
    }
  };
}
