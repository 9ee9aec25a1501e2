import type { X509Certificate } from 'node:crypto';
import { Failure } from '../../contract/base/failure.ts';
import type { ByteSource, Context } from '../../contract/base/ports.ts';
import { field, say } from '../../contract/base/wording.ts';
import type { verify } from '../../contract/operations/edit/signatures.ts';
import { openSound } from '../../pdf/file/read/open-by-table.ts';
import { onDisk } from '../../pdf/file/read/random-access.ts';
import { certificatesIn } from '../../pdf/sign/trust.ts';
import { type SignatureVerdict, verifySignatures } from '../../pdf/sign/verify.ts';
import type { Handler } from '../frame/handler.ts';

/** Bytes of a file of certificates: one with all roots of a system has some 200 KB. */
const MOST_TRUST = 8 << 20;

export const run: Handler<typeof verify> = async ({ file, trust, online }, ctx) => {
  const named = trust === undefined ? [] : certificatesIn(await textOf(trust, ctx.signal));
  if (trust !== undefined && named.length === 0) {
    throw new Failure('usage', `${trust.name} holds no certificate`, { hint: 'Give certificates in PEM.' });
  }
  if (online === true && ctx.exchange === undefined) {
    throw new Failure('unavailable', 'verify: nobody on the network may be asked from here', {
      hint: say`Leave ${field('online')} out.`,
    });
  }
  const signatures = await judged(file, named, ctx, online === true);
  const valid = signatures.length > 0 && signatures.every(({ verdict }) => verdict === 'valid');
  const paragraphs = signatures.map((one) => paragraph(one).join('\n'));
  const summary = paragraphs.join('\n\n') || `${file.name} is not signed.`;
  return { kind: 'record', record: { ok: true, valid, signatures, summary } };
};

/** The verdicts on a file, with the trusted certificates of this machine and those given. */
async function judged(file: ByteSource, named: readonly X509Certificate[], ctx: Context, online: boolean) {
  const system = certificatesIn(((await ctx.trustedRoots?.()) ?? []).join('\n'));
  // A repaired file is not the one that was signed, so only its own cross-reference table is used.
  const pdf = await openSound(file, ctx.password?.bind(ctx));
  return verifySignatures(pdf, {
    source: onDisk(file),
    trusted: [...named, ...system],
    now: new Date(ctx.clock.now()),
    signal: ctx.signal,
    exchange: online ? ctx.exchange : undefined,
  });
}

/** The verdict of `verify` on a signed file, in one line. */
export async function verdictLine(file: ByteSource, ctx: Context): Promise<string> {
  try {
    const signatures = await judged(file, [], ctx, false);
    return signatures.map(({ field: name, verdict }) => `${name}: ${WORDS[verdict]}`).join('; ');
  } catch (error) {
    if (error instanceof Failure && error.code === 'unprocessable') return `not to be judged: ${error.message}`;
    throw error;
  }
}

async function textOf(file: ByteSource, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of file.open(signal)) {
    bytes += chunk.length;
    if (bytes > MOST_TRUST) throw new Failure('too_large', `${file.name} is larger than any list of certificates`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('latin1');
}

const WORDS = {
  valid: 'valid',
  untrusted: 'intact, but not trusted',
  changed: 'changed after signing',
  broken: 'broken',
} as const;

function paragraph(one: SignatureVerdict): string[] {
  const who = one.signer === undefined ? '' : ` by ${one.signer}`;
  const when = one.timestamp?.time ?? one.signing_time;
  const proved = one.timestamp !== undefined ? ` (timestamp of ${one.timestamp.authority})` : '';
  const covers = one.covers_whole_file === true ? 'the whole file' : `revision ${one.revision} of ${one.revisions}`;
  return [
    `${one.kind} ${one.field}${who}: ${WORDS[one.verdict]}`,
    ...one.reasons.map((reason) => `  ${reason}`),
    ...(when === undefined ? [] : [`  signed ${when}${proved}`]),
    ...(one.revision === undefined ? [] : [`  covers ${covers}`]),
    ...(one.algorithm === undefined ? [] : [`  ${one.algorithm}; issued by ${one.issuer}`]),
    ...(one.certifies === undefined ? [] : [`  certifies the document: allows ${one.certifies}`]),
    ...(one.verdict === 'changed' ? [] : (one.changes ?? []).map(({ what }) => `  allowed change: ${what}`)),
    ...(one.notes ?? []).map((note) => `  ${note}`),
  ];
}
