import { Failure } from '../contract/base/failure.ts';
import type { Context } from '../contract/base/ports.ts';
import type { Transfers } from '../contract/engine.ts';
import { essence } from '../wire/response.ts';
import { nextHop } from './address.ts';
import { takeBody } from './answer.ts';
import { perform, type Session, sessions } from './exchange.ts';
import type { RemoteSettings } from './settings.ts';
import { upload } from './upload.ts';

export function createTransfers(settings: RemoteSettings): Transfers {
  const openSession = sessions(settings);
  return {
    async fetch(address, ctx) {
      return download(await openSession(), address, ctx);
    },
    async upload(address, source, mediaType, again, ctx) {
      const session = await openSession();
      await upload({ session, url: resolve(session, address), source, mediaType, again }, ctx);
    },
  };
}

/** A result's address is treated like a redirect: https only, and no key for another origin. */
async function download(session: Session, address: string, ctx: Context) {
  const name = 'download';
  return perform(
    {
      name,
      kind: 'download',
      request: { method: 'GET', path: '', headers: { accept: '*/*' } },
      url: resolve(session, address),
      async take(reply, partial, inner) {
        const mediaType = essence(reply.headers['content-type']);
        if (mediaType === 'text/html') {
          reply.discard();
          throw new Failure('server', `${name}: ${reply.url.host} answered with a page instead of the result`);
        }
        return { kind: 'bytes', mediaType, body: await takeBody(name, reply, partial, inner) } as const;
      },
    },
    session,
    ctx,
  );
}

function resolve({ base }: Session, address: string): URL {
  try {
    return nextHop(new URL(`${base.href.replace(/\/$/, '')}/`), address);
  } catch (cause) {
    const host = URL.canParse(address) ? new URL(address).host : 'no address at all';
    throw new Failure('server', `the service names an address that cannot be used: ${host}`, { cause });
  }
}
