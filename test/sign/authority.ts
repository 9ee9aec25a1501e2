// Keys, certificates and a timestamp authority, made by OpenSSL for one test file.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { WebExchange } from '../../src/contract/base/ports.ts';

const folder = mkdtempSync(join(tmpdir(), 'pdftool-sign-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

export const at = (name: string): string => join(folder, name);

export function openssl(...args: string[]): Buffer {
  return execFileSync('openssl', args, { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] });
}

const EXTENSIONS = `[signer]
keyUsage=critical,digitalSignature
[stamps]
keyUsage=critical,digitalSignature
extendedKeyUsage=critical,timeStamping
[ca]
basicConstraints=critical,CA:true
keyUsage=critical,keyCertSign,cRLSign
[tsa]
default_tsa=one
[one]
serial=serial
crypto_device=builtin
signer_digest=sha256
default_policy=1.2.3.4
digests=sha256,sha384,sha512
accuracy=secs:1
ess_cert_id_alg=sha256
`;

/** A root; a key and a certificate by it for each name. `usage`: a section of the extensions above. */
export function makeRoot(): void {
  writeFileSync(at('openssl.cnf'), `[req]\ndistinguished_name=dn\n[dn]\n${EXTENSIONS}`);
  const config = ['-config', 'openssl.cnf', '-extensions', 'ca'];
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'root.key',
    '-out',
    'root.pem',
    '-days',
    '3650',
    '-subj',
    '/CN=Root',
    ...config,
  );
}

export function makeSigner(name: string, key: readonly string[], usage = 'signer'): void {
  openssl('genpkey', ...key, '-out', `${name}.key`);
  openssl(
    'req',
    '-new',
    '-key',
    `${name}.key`,
    '-out',
    `${name}.csr`,
    '-subj',
    `/CN=${name}`,
    '-config',
    'openssl.cnf',
  );
  const by = ['-CA', 'root.pem', '-CAkey', 'root.key', '-CAcreateserial', '-days', '3000'];
  openssl(
    'x509',
    '-req',
    '-in',
    `${name}.csr`,
    ...by,
    '-out',
    `${name}.pem`,
    '-extfile',
    'openssl.cnf',
    '-extensions',
    usage,
  );
}

/** Answers requests for timestamps as `openssl ts` does. `spoil`: changes a request or an answer on its way. */
export function authority(
  name: string,
  spoil: { request?: (bytes: Buffer) => Buffer; answer?: (bytes: Buffer) => Buffer } = {},
): WebExchange {
  return async (_url, post) => {
    const asked = Buffer.from(post?.body ?? []);
    writeFileSync(at('request.tsq'), spoil.request?.(asked) ?? asked);
    const signer = ['-signer', `${name}.pem`, '-inkey', `${name}.key`, '-chain', 'root.pem'];
    openssl(
      'ts',
      '-reply',
      '-config',
      'openssl.cnf',
      '-section',
      'one',
      '-queryfile',
      'request.tsq',
      ...signer,
      '-out',
      'answer.tsr',
    );
    const answer = readFileSync(at('answer.tsr'));
    return spoil.answer?.(answer) ?? answer;
  };
}
