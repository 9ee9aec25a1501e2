// Decides whether a certificate is trusted (RFC 5280, 6.1, in part): by a path of issuers to a trusted one, each signed by the
// next, in force at the time, allowed to issue, within the path's length, and not revoked by CRLs and OCSP responses. A critical
// extension that is not understood here ends the path: what certifies fails closed.
import type { X509Certificate } from 'node:crypto';
import type { Certificate } from 'pkijs';
import { libraries, x509 } from './cms.ts';
import { statusInList } from './crl.ts';
import { derContents, fieldsOf } from './der.ts';

/** Certificates and revocation data that come with a signature or its file. */
export interface Evidence {
  readonly certificates: readonly X509Certificate[];
  readonly crls: readonly Uint8Array[];
  readonly ocsps: readonly Uint8Array[];
}

export interface TrustInputs extends Evidence {
  readonly trusted: readonly X509Certificate[];
  /** When the certificate was used. */
  readonly at: Date;
}

export interface Trust {
  readonly trusted: boolean;
  /** Why not, as the rest of a sentence about the certificate. */
  readonly why?: string;
  /** Names from the certificate to the trusted one. */
  readonly path: readonly string[];
  /** good: each certificate below the trusted one has a good status. unknown: there is no status for some of them. */
  readonly revocation: 'good' | 'revoked' | 'unknown';
}

const MOST_STEPS = 12;
/** Critical extensions that are checked here or by node:crypto. */
const UNDERSTOOD = new Set([
  '2.5.29.15', // key usage
  '2.5.29.19', // basic constraints
  '2.5.29.37', // extended key usage
  '2.5.29.32', // policies: none is asked for
  '2.5.29.17', // subject alternative names
]);

/** Finds the path from a certificate to a trusted one. */
export async function trustIn(subject: X509Certificate, inputs: TrustInputs): Promise<Trust> {
  const path = pathFrom(subject, inputs);
  const names = path.steps.map(subjectName);
  const untrusted = (why: string): Trust => ({ trusted: false, why, path: names, revocation: 'unknown' });
  if (path.why !== undefined) return untrusted(path.why);
  const { pki, parse } = await libraries();
  const parsed = path.steps.map(({ raw }) => new pki.Certificate({ schema: parse(raw).result }));
  for (const [i, certificate] of parsed.entries()) {
    const why = faultOf(certificate, i, i === parsed.length - 1);
    if (why !== undefined) return untrusted(`${names[i]} ${why}`);
  }
  let revocation: Trust['revocation'] = 'good';
  for (const [i, certificate] of path.steps.slice(0, -1).entries()) {
    const issuer = path.steps[i + 1];
    const status = issuer === undefined ? 'unknown' : await statusOf(certificate, issuer, inputs);
    if (status === 'revoked') {
      return { trusted: false, why: `${names[i]} was revoked`, path: names, revocation: 'revoked' };
    }
    if (status === 'unknown') revocation = 'unknown';
  }
  return { trusted: true, path: names, revocation };
}

/** The name by which people know a certificate. */
export function subjectName({ subject }: X509Certificate): string {
  const lines = subject?.split('\n') ?? [];
  const entry = (key: string): string | undefined =>
    lines.find((line) => line.startsWith(`${key}=`))?.slice(key.length + 1);
  return entry('CN') ?? entry('O') ?? lines.join(', ');
}

interface Path {
  readonly steps: readonly X509Certificate[];
  readonly why?: string;
}

/** Depth first over possible issuers: one of several certificates of an issuer may lead to trust. */
function pathFrom(subject: X509Certificate, { certificates, trusted, at }: TrustInputs): Path {
  let best: Path = { steps: [subject], why: 'no certificate of its issuer is at hand' };
  const isTrusted = (one: X509Certificate): boolean =>
    trusted.some((root) => root.fingerprint256 === one.fingerprint256);
  const search = (steps: readonly X509Certificate[]): Path | undefined => {
    const last = steps.at(-1) ?? subject;
    const late = outOfForce(last, at);
    if (late !== undefined) {
      best = { steps, why: `${subjectName(last)} ${late}` };
      return undefined;
    }
    if (isTrusted(last)) return { steps };
    if (last.checkIssued(last)) {
      best = { steps, why: `its path ends at ${subjectName(last)}, which is not trusted here` };
      return undefined;
    }
    if (steps.length >= MOST_STEPS) return undefined;
    for (const issuer of [...trusted, ...certificates]) {
      if (!last.checkIssued(issuer) || steps.includes(issuer) || !last.verify(issuer.publicKey)) continue;
      const chain = search([...steps, issuer]);
      if (chain !== undefined) return chain;
    }
    if (best.steps.length < steps.length)
      best = { steps, why: `no certificate of the issuer of ${subjectName(last)} is at hand` };
    return undefined;
  };
  return search([subject]) ?? best;
}

function outOfForce({ validFrom, validTo }: X509Certificate, at: Date): string | undefined {
  if (at.getTime() < Date.parse(validFrom)) return `was not yet in force on ${at.toISOString().slice(0, 10)}`;
  if (at.getTime() > Date.parse(validTo)) return `had expired by ${at.toISOString().slice(0, 10)}`;
  return undefined;
}

/** What is wrong with a certificate at step `i` of a path. A trusted root is trusted as it is. */
function faultOf({ extensions = [] }: Certificate, i: number, isRoot: boolean): string | undefined {
  if (isRoot) return undefined;
  const unknown = extensions.find(({ critical, extnID }) => critical && !UNDERSTOOD.has(extnID));
  if (unknown !== undefined) return `has a critical extension ${unknown.extnID}, which is not understood here`;
  const usage: Uint8Array | undefined = extensions.find(({ extnID }) => extnID === '2.5.29.15')?.parsedValue?.valueBlock
    .valueHexView;
  const bits = usage?.[0] ?? 0xff;
  if (i === 0) return (bits & 0xc0) === 0 ? 'is not meant for signatures' : undefined;
  const constraints = extensions.find(({ extnID }) => extnID === '2.5.29.19')?.parsedValue as
    | { cA?: boolean; pathLenConstraint?: number }
    | undefined; // BasicConstraints, as pkijs parses this extension.
  if (constraints?.cA !== true) return 'may not issue certificates';
  if ((bits & 0x04) === 0) return 'may not sign certificates';
  const below = i - 1;
  return (constraints.pathLenConstraint ?? below) < below ? 'allows a shorter path than this' : undefined;
}

async function statusOf(
  certificate: X509Certificate,
  issuer: X509Certificate,
  { crls, ocsps, certificates, at }: TrustInputs,
): Promise<Trust['revocation']> {
  const { serial } = fieldsOf(certificate.raw);
  const about = ocsps.filter((response) => Buffer.from(response).includes(Buffer.from(derContents(serial))));
  const statuses = [
    ...(await Promise.all(about.map((response) => byOcsp(response, certificate, issuer, certificates, at)))),
    ...(await Promise.all(crls.map((list) => statusInList(list, certificate, issuer, at)))),
  ];
  if (statuses.includes('revoked')) return 'revoked';
  return statuses.includes('good') ? 'good' : 'unknown';
}

async function byOcsp(
  der: Uint8Array,
  one: X509Certificate,
  by: X509Certificate,
  others: readonly X509Certificate[],
  at: Date,
): Promise<Trust['revocation']> {
  const { pki, parse } = await libraries();
  try {
    const [certificate, issuer] = [one, by].map(({ raw }) => new pki.Certificate({ schema: parse(raw).result }));
    if (certificate === undefined || issuer === undefined) return 'unknown';
    const outer = parse(der).result;
    const response = new pki.OCSPResponse({ schema: outer }).responseBytes?.response.valueBlock.valueHexView;
    const basic = new pki.BasicOCSPResponse({ schema: parse(response ?? new Uint8Array()).result });
    const more = others.map(({ raw }) => new pki.Certificate({ schema: parse(raw).result }));
    basic.certs = [...(basic.certs ?? []), ...more, issuer];
    if (!(await basic.verify({ trustedCerts: [issuer] }))) return 'unknown';
    const { isForCertificate, status } = await basic.getCertificateStatus(certificate, issuer);
    if (!isForCertificate || status === 2) return 'unknown';
    if (status === 0) return 'good';
    const revoked = basic.tbsResponseData.responses.map(
      ({ certStatus }) => certStatus?.valueBlock?.value?.[0]?.toDate?.() as Date | undefined,
    );
    return revoked.every((time) => time !== undefined && time > at) ? 'good' : 'revoked';
  } catch {
    return 'unknown'; // Hostile bytes: parsers throw errors of all classes, and what cannot be read tells nothing.
  }
}

/** The certificates in a PEM text; unreadable ones are left out. */
export function certificatesIn(text: string): X509Certificate[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.flatMap((block) => x509(Buffer.from(block.replace(/-----[A-Z ]+-----/g, ''), 'base64')) ?? []);
}
