import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TlsServer {
  readonly port: number;
  /** The certificate, which is its own authority: PEM text, and the file that holds it. */
  readonly ca: string;
  readonly caFile: string;
  /** What the last request carried. */
  readonly seen: { authorization: string | undefined };
  close(): void;
}

export async function startTlsServer(): Promise<TlsServer> {
  const folder = mkdtempSync(join(tmpdir(), 'pdftool-tls-'));
  const [key, caFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const kind = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=test',
  ];
  const names = ['-addext', 'subjectAltName=DNS:localhost,DNS:service.test'];
  execFileSync('openssl', ['req', '-x509', ...kind, ...names, '-keyout', key, '-out', caFile], { stdio: 'ignore' });
  const seen: TlsServer['seen'] = { authorization: undefined };
  const ca = readFileSync(caFile, 'utf8');
  const account = { ok: true, credits_remaining: 9, credits_lifetime_used: 0, api_key: { id: 'k', label: null } };
  const server = createServer({ key: readFileSync(key), cert: ca }, (request, response) => {
    seen.authorization = request.headers.authorization;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(account));
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo; // listening on TCP
  return {
    port,
    ca,
    caFile,
    seen,
    close() {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
