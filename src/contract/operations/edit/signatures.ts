import { choice, file, flag, integer, optionalFile, required, secret, text } from '../../field.ts';
import { OWN_LIMITS } from '../../limits.ts';
import { ANY, JPEG, JSON_TYPE, P12, PDF, PEM, PNG } from '../../media.ts';
import { localOperation, operation } from '../../operation.ts';
import { PAID } from '../../shared-entries.ts';

export const verify = operation({
  ...PAID,
  extension: true,
  name: 'verify',
  group: 'edit',
  path: '/api/v1/verify-signatures',
  summary: 'Check the signatures and timestamps of a PDF',
  description:
    'Shows for each signature and timestamp who made it and when, which revision it covers, what was changed afterwards and whether its certificate leads to a trusted one. It uses no network unless you ask for that. It exits with 0 if all are intact and trusted, and with 3 if one is not or there is none',
  input: {
    file: file('The signed PDF', { types: [PDF] }),
    trust: optionalFile('Certificates to trust besides those of the system, in PEM', { types: [PEM] }),
    online: flag('Ask the issuers of certificates whether they were revoked', { extension: true }),
  },
  limits: { inputBytes: OWN_LIMITS.toImagesInput },
  outputs: { signatures: { kind: 'record', mediaType: JSON_TYPE, record: 'signatures', text: 'summary' } },
  verdict: { key: 'valid', exit: 'unmet' },
  failures: ['usage', 'unauthenticated', 'out_of_credits', 'too_large', 'unprocessable', 'password', 'unavailable'],
  tools: { verify_signatures: { when: 'Use it before relying on who signed a document.' } },
});

const online = flag('Ask the issuers of certificates whether they were revoked, and keep the answers in the file');
const revocation = optionalFile('A list of revoked certificates or an OCSP answer to keep in the file', {
  types: [ANY],
});

/** Rows that append a revision to the file. No service has them: no key leaves this machine. */
const appended = (suffix: string) =>
  ({
    group: 'edit',
    appends: true,
    work: 'copy',
    outputs: { pdf: { kind: 'bytes', mediaType: PDF, stem: { suffix } } },
  }) as const;

export const sign = localOperation({
  ...appended('-signed'),
  name: 'sign',
  summary: 'Sign a PDF (PAdES)',
  description:
    'Appends a signature to a PDF and keeps earlier ones valid: PAdES B-B; B-T with a timestamp; B-LT with the revocation data of the certificates. The key is a file in PEM or PKCS#12, or stays in a smart card, an HSM or a KMS that a command talks to. The command reads a digest from standard input; with certificates it answers with the signature of that digest, without them with a CMS message',
  input: {
    file: file('The PDF', { types: [PDF] }),
    key: optionalFile('The key, in PEM or PKCS#12', { types: [P12, PEM] }),
    key_password: secret('Password of the key', { environment: 'PDFTOOL_KEY_PASSWORD' }),
    cert: optionalFile('Certificates of the key and its issuers, in PEM', { types: [PEM] }),
    command: text('Command line of a program that signs in place of a key', { maxLength: 1000 }),
    digest: choice('Digest; by default one that suits the key', { values: ['sha256', 'sha384', 'sha512'] }),
    pss: flag('Sign with RSA-PSS if the key is an RSA key'),
    field: text('Signature field to sign, existing or new', { maxLength: 200 }),
    reason: text('Why it is signed', { maxLength: 500 }),
    location: text('Where it is signed', { maxLength: 200 }),
    contact: text('How to reach the signer', { maxLength: 200 }),
    visible: flag('Show the signature on a page'),
    page: integer('Page that shows it; the first unless given', { min: 1 }),
    position: choice('Where on the page', {
      values: ['bottom-right', 'bottom-left', 'top-right', 'top-left', 'bottom', 'top', 'center'],
    }),
    image: optionalFile('Picture in the visible signature', { types: [PNG, JPEG] }),
    certify: choice('Certify the document: what others may change afterwards', {
      values: ['no-changes', 'form-filling', 'annotations'],
    }),
    timestamp: text('Address of the timestamp authority', { maxLength: 500 }),
    revocation,
    online,
  },
  exclusive: [['key', 'command']],
  needsOneOf: ['key', 'command'],
});

export const timestamp = localOperation({
  ...appended('-timestamped'),
  name: 'timestamp',
  summary: 'Add a document timestamp to a PDF',
  description:
    'Appends a timestamp of the whole document (RFC 3161), which proves that its signatures existed at that time and keeps them valid. With the revocation data of the certificates the file is PAdES B-LTA',
  input: {
    file: file('The PDF', { types: [PDF] }),
    timestamp: required(text('Address of the timestamp authority', { maxLength: 500 })),
    field: text('Signature field to use, existing or new', { maxLength: 200 }),
    revocation,
    online,
  },
});
