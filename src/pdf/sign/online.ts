// Requests over HTTP: timestamps (RFC 3161), certificate status (RFC 6960) and revocation lists. The surface supplies
// the function that sends them; nothing here runs unless an address was given or requests were allowed.
import { createHash, type X509Certificate } from 'node:crypto';
import { Failure } from '../../contract/base/failure.ts';
import type { WebExchange } from '../../contract/base/ports.ts';
import { BadSignature, libraries, readTimestamp, sameBytes, x509 } from './cms.ts';
import { derContents, membersOf } from './der.ts';
import { statusRequest, timestampRequest } from './message.ts';
import { certificatesIn } from './trust.ts';

/** Certificates and revocation data, in DER. */
export interface Vouchers {
  readonly certificates: readonly Uint8Array[];
  readonly crls: readonly Uint8Array[];
  readonly ocsps: readonly Uint8Array[];
}

/** A timestamp of these bytes from an authority, in DER, checked to be of them and for this request. */
export async function timestampOf(
  bytes: Uint8Array,
  authority: string,
  exchange: WebExchange,
  nonce: Uint8Array,
): Promise<Uint8Array> {
  const imprint = createHash('sha256').update(bytes).digest();
  return timestampOfDigest(imprint, authority, exchange, nonce);
}

/** The same for a SHA-256 digest. */
export async function timestampOfDigest(
  imprint: Uint8Array,
  authority: string,
  exchange: WebExchange,
  nonce: Uint8Array,
): Promise<Uint8Array> {
  const request = timestampRequest(imprint, nonce);
  const answer = await exchange(authority, { body: request, type: 'application/timestamp-query' });
  const refused = (why: string, cause?: unknown): Failure =>
    new Failure('unprocessable', `the timestamp of ${authority} is refused: ${why}`, { cause });
  let token: Uint8Array | undefined;
  try {
    const [status = new Uint8Array(), ...rest] = membersOf(answer);
    const code = derContents(membersOf(status)[0] ?? new Uint8Array()).at(-1);
    if (code !== 0 && code !== 1) throw refused(`the authority answered with status ${code}`);
    [token] = rest;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw refused('the answer is no timestamp', error);
  }
  if (token === undefined) throw refused('the answer holds none');
  try {
    const { digest, nonce: echoed } = await readTimestamp(token);
    if (digest.algorithm !== 'sha256' || !sameBytes(digest.value, imprint)) throw refused('it is of something else');
    if (echoed === undefined || !sameBytes(trimmed(echoed), trimmed(nonce)))
      throw refused('it answers another request');
  } catch (error) {
    if (error instanceof BadSignature) throw refused(error.message, error);
    throw error;
  }
  return token;
}

function trimmed(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? new Uint8Array() : bytes.subarray(first);
}

/** The issuers' certificates up to a root; missing ones are fetched from the addresses in certificates. */
export async function completeChain(
  certificates: readonly X509Certificate[],
  roots: readonly X509Certificate[],
  exchange: WebExchange | undefined,
): Promise<X509Certificate[]> {
  const [first] = certificates;
  const chain = first === undefined ? [] : [first];
  for (let last = first; last !== undefined && !last.checkIssued(last) && chain.length < 12; ) {
    const child: X509Certificate = last;
    const known = [...certificates, ...roots].find((one) => issued(child, one));
    last = known ?? (exchange === undefined ? undefined : await fetchedIssuer(child, exchange));
    if (last !== undefined) chain.push(last);
  }
  return chain;
}

function issued(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

async function fetchedIssuer(
  certificate: X509Certificate,
  exchange: WebExchange,
): Promise<X509Certificate | undefined> {
  for (const url of addresses(certificate, 'CA Issuers')) {
    // A server that fails is passed over: the chain stays incomplete, which the report says.
    const bytes = await exchange(url).catch(() => undefined);
    const certificates =
      bytes === undefined ? [] : [x509(bytes), ...certificatesIn(Buffer.from(bytes).toString('latin1'))];
    const issuer = certificates.find((one) => one !== undefined && issued(certificate, one));
    if (issuer !== undefined) return issuer;
  }
  return undefined;
}

function addresses({ infoAccess }: X509Certificate, kind: string): string[] {
  const lines = infoAccess?.split('\n') ?? [];
  return lines.flatMap((line) => (line.startsWith(`${kind} - URI:`) ? [line.slice(line.indexOf('URI:') + 4)] : []));
}

/** Revocation data of a chain: OCSP status of each certificate, else the revocation list. */
export async function vouchersFor(chain: readonly X509Certificate[], exchange: WebExchange): Promise<Vouchers> {
  const crls: Uint8Array[] = [];
  const ocsps: Uint8Array[] = [];
  for (const [i, certificate] of chain.slice(0, -1).entries()) {
    const issuer = chain[i + 1];
    if (issuer === undefined) break;
    const body = statusRequest(certificate, issuer);
    const asked = addresses(certificate, 'OCSP').map((url) =>
      exchange(url, { body, type: 'application/ocsp-request' }),
    );
    const [status] = await answered(asked);
    if (status !== undefined) ocsps.push(status);
    else crls.push(...(await answered((await listAddresses(certificate)).map((url) => exchange(url)))).slice(0, 1));
  }
  return { certificates: chain.map(({ raw }) => raw), crls, ocsps };
}

/** Answers that came; an unreachable authority says nothing, and verify reports the status as unknown. */
async function answered(requests: readonly Promise<Uint8Array>[]): Promise<Uint8Array[]> {
  const all = await Promise.allSettled(requests);
  return all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

async function listAddresses({ raw }: X509Certificate): Promise<string[]> {
  const { pki, parse } = await libraries();
  const { extensions = [] } = new pki.Certificate({ schema: parse(raw).result });
  const points = extensions.find(({ extnID }) => extnID === '2.5.29.31')?.parsedValue;
  if (!(points instanceof pki.CRLDistributionPoints)) return [];
  return points.distributionPoints.flatMap(({ distributionPoint }) =>
    (Array.isArray(distributionPoint) ? distributionPoint : []).flatMap(({ type, value }) =>
      type === 6 ? [String(value)] : [],
    ),
  );
}
