import type { Server } from 'node:http';
import type { Log } from './base/log.ts';
import { createApp, type Route } from './http/app.ts';
import { listen } from './http/listen.ts';
import type { Service } from './service/service.ts';

/** Milliseconds that connections have to end when the server stops. */
const CLOSE_GRACE = 1_000;

interface Site {
  readonly routes: readonly Route[];
  readonly at: { readonly host: string; readonly port: number };
}

/** The ports of a server: one for clients, unless it only runs jobs, and an optional one for operators. */
export class Listeners {
  readonly #servers: Server[] = [];
  port: number | undefined;
  adminPort: number | undefined;

  /** Throws when it cannot listen on one of the addresses, and closes the other. */
  async open(clients: Site | undefined, operators: Site | undefined, service: Service, log: Log): Promise<void> {
    const start = async ({ routes, at }: Site) => {
      const server = await listen(createApp(routes, service, log), at, service, log);
      this.#servers.push(server);
      const address = server.address();
      return typeof address === 'object' && address !== null ? address.port : at.port;
    };
    try {
      if (clients !== undefined) this.port = await start(clients);
      if (operators !== undefined) this.adminPort = await start(operators);
    } catch (error) {
      for (const server of this.#servers) server.close();
      throw error;
    }
  }

  async close(sleep: (milliseconds: number) => Promise<void>): Promise<void> {
    const closed = this.#servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
    for (const server of this.#servers) server.closeIdleConnections();
    await Promise.race([Promise.all(closed), sleep(CLOSE_GRACE)]);
    for (const server of this.#servers) server.closeAllConnections();
  }
}
