// The certificates that this machine trusts: those of the system, else those that come with Node.
import { promises } from 'node:fs';

/** Files in which systems keep all of them; SSL_CERT_FILE names another. */
const FILES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/** The trusted certificates in PEM, one each. */
export async function systemRoots(): Promise<readonly string[]> {
  for (const path of [process.env.SSL_CERT_FILE, ...FILES]) {
    if (path === undefined) continue;
    // Each system has one of these files; the others are missing.
    const text = await promises.readFile(path, 'latin1').catch(() => '');
    const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
    if (certificates !== null) return certificates;
  }
  const tls = await import('node:tls');
  return tls.rootCertificates;
}
