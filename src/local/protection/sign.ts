// Signs a document, or timestamps it, in appended revisions.
//
// The signer is a key in a file or another program that is given a digest. A revision is written with a hole of zeros
// for the message; the digest covers all bytes but the hole, which the message then fills. Certificates and revocation
// data follow in a revision of their own where they are asked for. The result is verified by reading it before it is
// returned.
import type { X509Certificate } from 'node:crypto';
import { Failure } from '../../contract/base/failure.ts';
import type { ByteSource, BytesResult, Context, Draft, RandomAccess, WebExchange } from '../../contract/base/ports.ts';
import { field, say } from '../../contract/base/wording.ts';
import type { sign, timestamp } from '../../contract/operations/edit/signatures.ts';
import { openSound } from '../../pdf/file/read/open-by-table.ts';
import { Pace } from '../../pdf/file/read/pace.ts';
import { readPages } from '../../pdf/file/read/page-tree.ts';
import type { PdfFile } from '../../pdf/file/read/pdf-file.ts';
import { fill, onDisk } from '../../pdf/file/read/random-access.ts';
import { appendSignature, appendVouchers, type SignatureRequest } from '../../pdf/sign/append.ts';
import { newHash } from '../../pdf/sign/cms.ts';
import { derContents, membersOf } from '../../pdf/sign/der.ts';
import { BadKey, type KeyPair, readKey } from '../../pdf/sign/keys.ts';
import { algorithmFor, digestFor, type Signer, signedMessage, signerWith } from '../../pdf/sign/message.ts';
import { completeChain, timestampOf, timestampOfDigest, type Vouchers, vouchersFor } from '../../pdf/sign/online.ts';
import { certificatesIn, subjectName } from '../../pdf/sign/trust.ts';
import { type SignatureVerdict, verifySignatures } from '../../pdf/sign/verify.ts';
import type { Handler } from '../frame/handler.ts';
import { signatureAppearance } from './appearance.ts';

const MOST_KEY = 8 << 20;
const CERTIFIES = { 'no-changes': 1, 'form-filling': 2, annotations: 3 } as const;
/** Bytes reserved for a timestamp: some 6 KB, with certificates of its authority up to 12 KB. */
const ROOM_OF_STAMP = 16 << 10;
const ROOM = 4 << 10;
/** Bytes reserved for a message that another program makes. */
const ROOM_OF_OTHERS = 64 << 10;

type SignInput = Parameters<Handler<typeof sign>>[0];

export const run: Handler<typeof sign> = async (input, ctx) => {
  const { file, certify, visible, image } = input;
  const stamp = stamper(input.timestamp, ctx);
  const more = input.cert === undefined ? [] : certificatesIn(latin1(input.cert));
  const signing =
    input.command === undefined ? await withKey(input, more, ctx) : withCommand(input, input.command, more, ctx);
  const holder = 'signer' in signing ? signing.signer.certificates[0] : undefined;
  if (holder !== undefined) refuseOutOfForce(holder, ctx);
  const revision = await Revision.open(file, ctx);
  const time = `${new Date(ctx.clock.now()).toISOString().slice(0, 19)}Z`;
  const name = holder === undefined ? undefined : subjectName(holder);
  const lines = [name === undefined ? 'Signed' : `Signed by ${name}`, time.replace('T', ' ').replace('Z', ' UTC')];
  const look = {
    page: input.page ?? 1,
    position: input.position ?? 'bottom-right',
    lines: [...lines, ...(input.reason === undefined ? [] : [input.reason])],
    image: image === undefined ? undefined : onDisk(image),
    signal: ctx.signal,
    fontFile: ctx.fontFile,
  };
  const shows = visible || image !== undefined || input.page !== undefined || input.position !== undefined;
  const request: SignatureRequest = {
    kind: 'signature',
    ...(name === undefined ? {} : { name }),
    field: input.field,
    reason: input.reason,
    location: input.location,
    contact: input.contact,
    time,
    certify: certify === undefined ? undefined : CERTIFIES[certify],
    appearance: shows ? signatureAppearance(revision.file, look) : undefined,
    digest: signing.digest,
    room: 'signer' in signing ? roomFor(signing.signer, stamp !== undefined) : ROOM_OF_OTHERS,
  };
  const signed = await revision.append(request, (digest) =>
    'signer' in signing ? signedMessage(signing.signer, digest, stamp) : signing.message(digest),
  );
  return signed.finish(input, ctx);
};

export const timestampDocument: Handler<typeof timestamp> = async (input, ctx) => {
  const { exchange, random } = means(ctx);
  let revision = await Revision.open(input.file, ctx);
  // Validation data for existing signatures is written before the timestamp, which proves that it existed in time.
  revision = await revision.vouched(input, ctx);
  const request: SignatureRequest = { kind: 'timestamp', field: input.field, digest: 'sha256', room: ROOM_OF_STAMP };
  const stamped = await revision.append(request, (digest) =>
    timestampOfDigest(digest, input.timestamp, exchange, random(16)),
  );
  return stamped.finish({}, ctx);
};

/** Successive revisions of a document: each is a file that begins with the bytes of the one before. */
class Revision {
  readonly file: PdfFile;
  private readonly source: RandomAccess;
  private readonly ctx: Context;
  private readonly draft: Draft | undefined;
  private readonly field: string | undefined;

  private constructor(source: RandomAccess, file: PdfFile, ctx: Context, draft?: Draft, field?: string) {
    this.source = source;
    this.file = file;
    this.ctx = ctx;
    this.draft = draft;
    this.field = field;
  }

  static async open(input: ByteSource, ctx: Context): Promise<Revision> {
    const source = onDisk(input);
    // A file that needs repair is refused: other readers would not read the same document.
    return new Revision(source, await openSound(source, ctx.password?.bind(ctx)), ctx);
  }

  append(request: SignatureRequest, contents: (digest: Uint8Array) => Promise<Uint8Array>): Promise<Revision> {
    return this.next(`${request.kind}.pdf`, async (parts) => appendSignature(this.file, request, contents, parts));
  }

  /** Adds validation data for the certificates of its signatures, where it was given or may be fetched. */
  async vouched(
    request: { readonly revocation?: ByteSource | undefined; readonly online?: boolean },
    ctx: Context,
  ): Promise<Revision> {
    const given = request.revocation === undefined ? undefined : revocationIn(request.revocation);
    if (given === undefined && request.online !== true) return this;
    const exchange = request.online === true ? means(ctx).exchange : undefined;
    const roots = certificatesIn(((await ctx.trustedRoots?.()) ?? []).join('\n'));
    const certificates = await certificatesOf(this.file, this.source, ctx);
    const chains = await Promise.all(certificates.map((one) => completeChain(one, roots, exchange)));
    const asked = exchange === undefined ? [] : await Promise.all(chains.map((chain) => vouchersFor(chain, exchange)));
    const all = [...(given === undefined ? [] : [given]), ...asked];
    const vouchers: Vouchers = {
      certificates: unique(chains.flat().map(({ raw }) => raw)),
      crls: unique(all.flatMap(({ crls }) => crls)),
      ocsps: unique(all.flatMap(({ ocsps }) => ocsps)),
    };
    return this.next('vouched.pdf', async (parts) => {
      await appendVouchers(this.file, vouchers, parts);
      return this.field;
    });
  }

  /** Verifies the result by reading it, and returns it. */
  async finish(request: Parameters<Revision['vouched']>[0], ctx: Context): Promise<BytesResult> {
    const last = await this.vouched(request, ctx);
    const verdicts = await verifySignatures(last.file, {
      source: last.source,
      trusted: [],
      now: new Date(ctx.clock.now()),
      signal: ctx.signal,
    });
    const made = verdicts.find(({ field: name }) => name === this.field);
    if (made === undefined || made.verdict === 'broken' || made.verdict === 'changed') {
      const why = made?.reasons.join('; ') ?? 'it is not there';
      throw new Failure('unprocessable', `the signature of ${this.file.name} does not hold: ${why}`, {
        hint: 'Look at the key, its certificate and the command: they may not belong together.',
      });
    }
    return {
      kind: 'bytes',
      mediaType: 'application/pdf',
      body: last.source,
      pages: readPages(last.file).pages.length,
      details: { signature: detailsOf(made) },
    };
  }

  private async next(
    name: string,
    write: (parts: Parameters<typeof appendVouchers>[2]) => Promise<string | undefined>,
  ) {
    const { ctx, file } = this;
    const draft = ctx.temp.create(name);
    const id = newHash('sha256').update(`${name} ${ctx.clock.now()} ${file.size}`).digest('hex').slice(0, 32);
    const made = await write({ draft, pace: new Pace(ctx), random: means(ctx).random, id });
    const source = draft.finish();
    const opened = await openSound(source, async () => file.password ?? '');
    this.draft?.discard();
    return new Revision(source, opened, ctx, draft, made);
  }
}

function detailsOf({ field: name, kind, signer, signing_time, timestamp: stamped, algorithm }: SignatureVerdict) {
  return { field: name, kind, signer, signing_time, timestamp: stamped, algorithm };
}

function means(ctx: Context): { readonly exchange: WebExchange; readonly random: NonNullable<Context['random']> } {
  const { random, exchange = offline } = ctx;
  if (random === undefined) throw new Failure('unavailable', 'sign: no random numbers can be had here');
  return { random, exchange };
}

const offline: WebExchange = async (url) => {
  throw new Failure('unavailable', `${url} cannot be asked: nothing is sent from here`);
};

function stamper(authority: string | undefined, ctx: Context) {
  if (authority === undefined) return undefined;
  const { exchange, random } = means(ctx);
  return (signature: Uint8Array) => timestampOf(signature, authority, exchange, random(16));
}

/** An upper bound for the size of a message. Certificates count twice, because an authority may send its own chain. */
function roomFor({ certificates }: Signer, isStamped: boolean): number {
  return ROOM + certificates.reduce((sum, { raw }) => sum + raw.length, 0) + (isStamped ? ROOM_OF_STAMP : 0);
}

type Signing =
  | { readonly digest: Signer['digest']; readonly signer: Signer }
  | { readonly digest: Signer['digest']; message(digest: Uint8Array): Promise<Uint8Array> };

async function withKey(input: SignInput, more: readonly X509Certificate[], ctx: Context): Promise<Signing> {
  const { key: source, key_password: password, digest, pss } = input;
  if (source === undefined) throw new TypeError('a key or a command was asked for');
  const pair = await keyIn(source, password, more, ctx);
  try {
    const signer = signerWith(pair, digest, pss);
    return { digest: signer.digest, signer };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new Failure('unprocessable', `${source.name}: ${error.message}`);
  }
}

async function keyIn(
  source: ByteSource,
  password: string | undefined,
  more: readonly X509Certificate[],
  ctx: Context,
): Promise<KeyPair> {
  const bytes = bytesOf(source);
  try {
    return readKey(bytes, password, more);
  } catch (error) {
    if (!(error instanceof BadKey)) throw error;
    const opened = error.legacy ? await byOpenssl(bytes, password ?? '', ctx) : undefined;
    if (opened !== undefined) return readKey(opened, undefined, more);
    throw new Failure('unprocessable', `${source.name} ${error.message}`, {
      cause: error,
      hint: /password/.test(error.message)
        ? say`Give its password with ${field('key_password')}.`
        : 'Have OpenSSL write it anew: openssl pkcs12 -legacy -in OLD.p12 -out KEY.pem.',
    });
  }
}

/** Converts a container with outdated ciphers to PEM with OpenSSL; undefined where it is not installed or cannot open it. */
async function byOpenssl(
  input: Uint8Array,
  password: string,
  { programs, signal }: Context,
): Promise<Uint8Array | undefined> {
  const path = programs?.find('openssl');
  if (programs === undefined || path === undefined) return undefined;
  const environment = { P12_PASSWORD: password };
  const args = ['pkcs12', '-legacy', '-nodes', '-passin', 'env:P12_PASSWORD'];
  const done = await programs.run(path, args, { signal, patience: 30_000, most: MOST_KEY, input, environment });
  return done.code === 0 ? done.bytes : undefined;
}

const PATIENCE = 120_000;

/** A signer that runs a command with the digest. */
function withCommand(
  { digest: wanted, pss }: SignInput,
  command: string,
  certificates: readonly X509Certificate[],
  { programs, signal }: Context,
): Signing {
  const [name = '', ...args] = (command.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) =>
    word.replace(/^(["'])(.*)\1$/, '$2'),
  );
  const path = /[/\\]/.test(name) ? name : programs?.find(name);
  if (programs === undefined || path === undefined)
    throw new Failure('usage', `there is no program ${name} to sign with`);
  const [holder] = certificates;
  const digest = holder === undefined ? (wanted ?? 'sha256') : digestFor(holder.publicKey, wanted);
  const ask = async (input: Uint8Array): Promise<Uint8Array> => {
    const environment = { PDFTOOL_DIGEST: digest };
    const done = await programs.run(path, args, {
      signal,
      patience: PATIENCE,
      most: ROOM_OF_OTHERS,
      input,
      environment,
    });
    if (done.code === 0 && done.bytes.length > 0) return done.bytes;
    throw new Failure('unprocessable', `${name} did not sign: ${done.output.trim() || `exit code ${done.code}`}`);
  };
  if (holder === undefined) return { digest, message: ask };
  const type = holder.publicKey.asymmetricKeyType ?? '';
  if (type === 'ed25519') throw new Failure('usage', 'a command signs a digest, and Ed25519 signs the message itself');
  const signer: Signer = {
    certificates,
    digest,
    algorithm: algorithmFor(type, digest, pss),
    sign: (bytes) => ask(newHash(digest).update(bytes).digest()),
  };
  return { digest, signer };
}

function refuseOutOfForce(certificate: X509Certificate, ctx: Context): void {
  const now = ctx.clock.now();
  const isOver = now > Date.parse(certificate.validTo);
  if (!isOver && now >= Date.parse(certificate.validFrom)) return;
  const when = isOver ? `expired on ${certificate.validTo}` : `is not in force before ${certificate.validFrom}`;
  throw new Failure('unprocessable', `the certificate of ${subjectName(certificate)} ${when}`, {
    hint: 'Nobody would trust the signature. Have the certificate renewed.',
  });
}

/** The certificates of each signature and timestamp, the signer's first. */
async function certificatesOf(file: PdfFile, source: RandomAccess, ctx: Context): Promise<X509Certificate[][]> {
  const chains: X509Certificate[][] = [];
  await verifySignatures(file, {
    source,
    trusted: [],
    now: new Date(ctx.clock.now()),
    signal: ctx.signal,
    onMessage: (message) => void chains.push([message.signer, ...message.certificates]),
  });
  return chains;
}

/** A certificate revocation list or an OCSP answer, in DER or PEM. */
function revocationIn(source: ByteSource): Vouchers {
  const bytes = bytesOf(source);
  const pem = /-----BEGIN [A-Z0-9 ]+-----([^-]+)-----END/.exec(latin1(source))?.[1];
  const der = pem === undefined ? bytes : Buffer.from(pem, 'base64');
  try {
    // An OCSP answer begins with a status (RFC 6960), a revocation list with the signed part (RFC 5280).
    const isStatus = membersOf(der)[0]?.[0] === 0x0a;
    if (!isStatus) derContents(membersOf(der)[2] ?? der);
    return { certificates: [], crls: isStatus ? [] : [der], ocsps: isStatus ? [der] : [] };
  } catch (cause) {
    throw new Failure('usage', `${source.name} is neither a list of revoked certificates nor an OCSP answer`, {
      cause,
    });
  }
}

function unique(all: readonly Uint8Array[]): Uint8Array[] {
  return [...new Map(all.map((bytes) => [Buffer.from(bytes).toString('base64'), bytes])).values()];
}

function bytesOf(source: ByteSource): Uint8Array {
  const disk = onDisk(source);
  if (disk.size > MOST_KEY) throw new Failure('too_large', `${source.name} is larger than any key or certificate`);
  const bytes = new Uint8Array(disk.size);
  return bytes.subarray(0, fill(disk, bytes, 0));
}

function latin1(source: ByteSource): string {
  return Buffer.from(bytesOf(source)).toString('latin1');
}
