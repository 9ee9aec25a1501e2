// Verifies the signatures and timestamps of a document (ISO 32000-2, 12.8; ETSI EN 319 142-1).

import type { X509Certificate } from 'node:crypto';
import type { RandomAccess, WebExchange } from '../../contract/base/ports.ts';
import { present } from '../../contract/base/present.ts';
import { catalogOf, listOf } from '../file/read/entries.ts';
import { type SignatureField, signatureFields } from '../file/read/form-fields.ts';
import type { PdfFile } from '../file/read/pdf-file.ts';
import { Damage, unlessDamaged } from '../syntax/damage.ts';
import { isoDate } from '../syntax/dates.ts';
import { textOf } from '../syntax/text-strings.ts';
import { Ref } from '../syntax/values.ts';
import { type Change, changesBetween } from './changes.ts';
import { BadSignature, newHash, readMessage, readTimestamp, type SignedMessage, sameBytes, x509 } from './cms.ts';
import { endsAt, feedSigned, openRevision, type SignaturePlace, signaturePlace, signedEnd } from './coverage.ts';
import { completeChain, vouchersFor } from './online.ts';
import { allows, CERTIFIES, ownPermission, permissionOf } from './permissions.ts';
import { type Evidence, subjectName, type Trust, trustIn } from './trust.ts';

/** The verdict on one signature. intact: the document shows what was signed, except for allowed changes. */
export interface SignatureVerdict {
  readonly field: string;
  readonly kind: 'signature' | 'timestamp';
  readonly verdict: 'valid' | 'untrusted' | 'changed' | 'broken';
  /** Why it is not valid, as sentences without their full stops. */
  readonly reasons: readonly string[];
  readonly signer?: string;
  readonly issuer?: string;
  readonly algorithm?: string;
  /** The time claimed by the signer's machine, and the time that a timestamp proves. */
  readonly signing_time?: string;
  readonly timestamp?: { readonly time: string; readonly authority: string; readonly trusted: boolean };
  readonly reason?: string;
  readonly location?: string;
  /** The number of the signed revision, from 1, and how many there are. */
  readonly revision?: number;
  readonly revisions?: number;
  readonly covers_whole_file?: boolean;
  /** What a certification allows others to change. */
  readonly certifies?: 'no-changes' | 'form-filling' | 'annotations';
  readonly changes?: readonly Change[];
  readonly path?: readonly string[];
  readonly revocation?: Trust['revocation'];
  readonly notes?: readonly string[];
}

export interface VerifyInputs {
  readonly source: RandomAccess;
  readonly trusted: readonly X509Certificate[];
  readonly now: Date;
  readonly signal: AbortSignal;
  /** Called for each message that was read, also for timestamps in signatures. */
  readonly onMessage?: ((message: SignedMessage) => void) | undefined;
  /** Asks issuers for revocation; left out, nobody is asked. */
  readonly exchange?: WebExchange | undefined;
}

/** Verifies every signature of a file that was opened by its own table, oldest first. */
export async function verifySignatures(file: PdfFile, inputs: VerifyInputs): Promise<readonly SignatureVerdict[]> {
  const verdicts: SignatureVerdict[] = [];
  const stored = storedEvidence(file);
  for (const field of signatureFields(file)) {
    inputs.signal.throwIfAborted();
    if (!field.dict.has('V')) continue;
    verdicts.push(await judged(file, field, inputs, stored));
  }
  return verdicts.toSorted((a, b) => (a.revision ?? 0) - (b.revision ?? 0));
}

async function judged(
  file: PdfFile,
  field: SignatureField,
  inputs: VerifyInputs,
  stored: Evidence,
): Promise<SignatureVerdict> {
  const value = file.dict(field.dict.get('V'));
  const kind =
    value?.name('Type') === 'DocTimeStamp' || value?.name('SubFilter') === 'ETSI.RFC3161' ? 'timestamp' : 'signature';
  const text = (key: string): string | undefined => textOf(file.resolve(value?.get(key))) || undefined;
  const about = present({ field: field.name, kind, reason: text('Reason'), location: text('Location') } as const);
  try {
    return await judge(file, field, inputs, stored, about);
  } catch (error) {
    if (!(error instanceof BadSignature || error instanceof Damage)) throw error;
    return { ...about, verdict: 'broken', reasons: [error.message] };
  }
}

type About = Pick<SignatureVerdict, 'field' | 'kind' | 'reason' | 'location'>;

async function judge(
  file: PdfFile,
  field: SignatureField,
  { source, trusted, now, onMessage, exchange }: VerifyInputs,
  stored: Evidence,
  about: About,
): Promise<SignatureVerdict> {
  const place = signaturePlace(file, field);
  const end = signedEnd(file, place);
  const { message, time, digest, legacy } = await readContents(place, about.kind);
  onMessage?.(message);
  const { direct } = message;
  const hash = newHash(digest.algorithm);
  await feedSigned(file, end, place.hole, direct ?? hash);
  if (direct === undefined ? !sameBytes(hash.digest(), digest.value) : !direct.holds()) {
    throw new BadSignature('the signed bytes were changed after signing');
  }
  const revision = await openRevision(source, file, end);
  refuseForeign(revision, file, field, place);
  const changes = changesBetween(revision, file);
  const permission = permissionOf(revision, place.dict);
  const certifies = ownPermission(revision, place.dict);
  const forbidden = changes.filter((change) => !allows(file, place.dict, permission, change));
  const isNewest = revision.xref.start === file.xref.start;
  const trailing = !isNewest || endsAt(file, end) ? [] : ['bytes that belong to no revision follow the signed ones'];

  const known = [message.signer, ...message.certificates, ...stored.certificates];
  const asked = exchange && (await vouchersFor(await completeChain(known, trusted, exchange), exchange));
  const evidence = {
    ...stored,
    crls: [...stored.crls, ...message.crls, ...(asked?.crls ?? [])],
    ocsps: [...stored.ocsps, ...message.ocsps, ...(asked?.ocsps ?? [])],
  };
  const fetched = (asked?.certificates ?? []).flatMap((bytes) => x509(bytes) ?? []);
  const certificates = [...message.certificates, ...stored.certificates, ...fetched];
  const stamp =
    about.kind === 'timestamp'
      ? undefined
      : await stampOf(message, { ...evidence, certificates, trusted, now, onMessage });
  // A certificate is judged at the time that a trusted timestamp proves, else now: a signer may claim any time.
  const at = time ?? (stamp?.trusted === true ? new Date(stamp.time) : now);
  const trust = await trustIn(message.signer, { ...evidence, certificates, trusted, at });
  const weak = legacy ? 'it uses SHA-1, which can be forged' : message.weak;
  const reasons = [
    ...forbidden.map(({ what }) => `after signing: ${what}`),
    ...trailing,
    ...(trust.trusted ? [] : [`the certificate of ${subjectName(message.signer)}: ${trust.why}`]),
    ...(weak === undefined ? [] : [weak]),
    ...(stamp?.fault === undefined ? [] : [`its timestamp does not hold: ${stamp.fault}`]),
  ];
  const changed = forbidden.length > 0 || trailing.length > 0;
  const claimed = message.signingTime?.toISOString() ?? isoDate(textOf(file.resolve(place.dict.get('M'))));
  const isPades = place.dict.name('SubFilter') === 'ETSI.CAdES.detached';
  const told = isPades && !message.namesCertificate ? UNNAMED : [];
  return present({
    ...about,
    verdict: changed ? ('changed' as const) : reasons.length > 0 ? ('untrusted' as const) : ('valid' as const),
    reasons,
    signer: subjectName(message.signer),
    issuer: issuerOf(message.signer),
    algorithm: message.algorithm,
    signing_time: (time?.toISOString() ?? claimed) || undefined,
    timestamp:
      stamp === undefined || stamp.fault !== undefined
        ? undefined
        : { time: stamp.time, authority: stamp.authority, trusted: stamp.trusted },
    revision: revision.xref.revisions,
    revisions: file.xref.revisions,
    covers_whole_file: end === file.size,
    certifies: certifies && CERTIFIES[certifies],
    changes: changes.length === 0 ? undefined : changes,
    path: trust.path,
    revocation: trust.revocation,
    notes: told.length === 0 ? undefined : told,
  });
}

interface Contents {
  readonly message: SignedMessage;
  readonly digest: SignedMessage['digest'];
  readonly time?: Date;
  readonly legacy?: true;
}

async function readContents({ dict, contents }: SignaturePlace, kind: SignatureVerdict['kind']): Promise<Contents> {
  const format = dict.name('SubFilter');
  if (kind === 'timestamp') {
    const { message, digest, time } = await readTimestamp(contents);
    return { message, digest, time };
  }
  if (format === 'adbe.x509.rsa_sha1') throw new BadSignature('its format adbe.x509.rsa_sha1 is not supported');
  const message = await readMessage(contents);
  const { content, digest } = message;
  if (format === 'adbe.pkcs7.sha1') {
    if (content === undefined) throw new BadSignature('it lacks the digest that its format holds');
    if (!sameBytes(newHash(digest.algorithm).update(content).digest(), digest.value)) {
      throw new BadSignature('the digest in it does not hold');
    }
    return { message, digest: { algorithm: 'sha1', value: content }, legacy: true };
  }
  // Even empty content: some programs compare the digest with it and not with the document.
  if (content !== undefined) throw new BadSignature('it signs something else than the document');
  return { message, digest };
}

/** Throws where the signed revision lacks this very signature: it was moved here from another document. */
function refuseForeign(revision: PdfFile, file: PdfFile, field: SignatureField, place: SignaturePlace): void {
  const original = signatureFields(revision).find(({ name, dict }) => name === field.name && dict.has('V'));
  const there = original === undefined ? undefined : signaturePlace(revision, original);
  if (there === undefined || there.num !== place.num || there.hole.start !== place.hole.start) {
    throw new BadSignature(`the revision that it signs has no such signature in ${file.name}`);
  }
}

const MOST_EVIDENCE = 16 << 20;

/** Validation data in /DSS (ISO 32000-2, 12.8.4.3). */
function storedEvidence(file: PdfFile): Evidence {
  const store = file.dict(catalogOf(file).get('DSS'));
  const streams = (key: string): Uint8Array[] => {
    const refs = listOf(file, store?.get(key)).filter((item) => item instanceof Ref);
    // Evidence that cannot be read proves nothing.
    return refs.flatMap(({ num }) => unlessDamaged([], () => file.streamBytes(num, MOST_EVIDENCE)?.bytes ?? []));
  };
  return {
    certificates: streams('Certs').flatMap((der) => x509(der) ?? []),
    crls: streams('CRLs'),
    ocsps: streams('OCSPs'),
  };
}

/** Verifies the timestamp of a signature: that it is of this signature, and whether it is trusted. */
async function stampOf(message: SignedMessage, inputs: Evidence & Pick<VerifyInputs, 'trusted' | 'now' | 'onMessage'>) {
  if (message.timestamp === undefined) return undefined;
  try {
    const { time, digest, message: stamp } = await readTimestamp(message.timestamp);
    if (!sameBytes(newHash(digest.algorithm).update(message.signature).digest(), digest.value)) {
      throw new BadSignature('it stamps another signature');
    }
    inputs.onMessage?.(stamp);
    const certificates = [...stamp.certificates, ...inputs.certificates];
    const { trusted } = await trustIn(stamp.signer, { ...inputs, certificates, at: time });
    return { time: time.toISOString(), authority: subjectName(stamp.signer), trusted };
  } catch (error) {
    if (!(error instanceof BadSignature)) throw error;
    return { time: '', authority: '', trusted: false, fault: error.message };
  }
}

const UNNAMED = ['it names no certificate in a signed attribute, as PAdES wants'];

function issuerOf({ issuer }: X509Certificate): string {
  const lines = issuer.split('\n');
  return (lines.find((line) => line.startsWith('CN=')) ?? lines[0] ?? '').replace(/^\w+=/, '');
}
