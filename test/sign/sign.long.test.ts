// Signatures that pdftool makes, judged by pdfsig, by `openssl cms` and by `openssl ts`; and what attackers make of them.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WebExchange } from '../../src/contract/base/ports.ts';
import { readMessage, readTimestamp } from '../../src/pdf/sign/cms.ts';
import { der, derContents, membersOf } from '../../src/pdf/sign/der.ts';
import { readKey } from '../../src/pdf/sign/keys.ts';
import { signedMessage, signerWith } from '../../src/pdf/sign/message.ts';
import { certificatesIn } from '../../src/pdf/sign/trust.ts';
import { encrypt } from '../local.ts';
import { bytesOf, sourceOf } from '../properties/context.ts';
import { at, authority, makeRoot, makeSigner, openssl } from './authority.ts';
import { context, key, NOW, PLAIN, pdfsig, pem, signed, stamped, verdicts, words } from './rig.ts';

/** The last message of a file and the bytes that it signs. */
function messageOf(bytes: Buffer): { contents: Buffer; covered: Buffer } {
  const text = bytes.toString('latin1');
  const [, ...range] = [...text.matchAll(/\/ByteRange \[(\d+) (\d+) (\d+) (\d+)/g)].at(-1) ?? [];
  const [, first = 0, second = 0, rest = 0] = range.map(Number);
  const contents = Buffer.from(text.slice(first + 1, second - 1), 'hex');
  return { contents, covered: Buffer.concat([bytes.subarray(0, first), bytes.subarray(second, second + rest)]) };
}

function opensslVerifies(bytes: Buffer): void {
  const { contents, covered } = messageOf(bytes);
  writeFileSync(at('message.der'), contents);
  writeFileSync(at('covered.bin'), covered);
  openssl(
    'cms',
    '-verify',
    '-binary',
    '-inform',
    'DER',
    '-in',
    'message.der',
    '-content',
    'covered.bin',
    '-CAfile',
    'root.pem',
    '-purpose',
    'any',
    '-out',
    'out.bin',
  );
}

/** As the one above, for Ed25519, which `cms` of OpenSSL 3.0 does not know. */
function pkeyutlVerifies(bytes: Buffer, name: string): void {
  const signedData = derContents(membersOf(messageOf(bytes).contents)[1] ?? bytes);
  const info = membersOf(membersOf(membersOf(signedData).at(-1) ?? bytes)[0] ?? bytes);
  // The attributes are signed as a set, and stand there under another tag.
  writeFileSync(at('attributes.der'), der(0x31, derContents(info[3] ?? bytes)));
  writeFileSync(at('signature.bin'), derContents(info[5] ?? bytes));
  writeFileSync(at('public.pem'), openssl('x509', '-in', `${name}.pem`, '-pubkey', '-noout'));
  openssl(
    'pkeyutl',
    '-verify',
    '-pubin',
    '-inkey',
    'public.pem',
    '-rawin',
    '-in',
    'attributes.der',
    '-sigfile',
    'signature.bin',
  );
}

beforeAll(() => {
  makeRoot();
  makeSigner('rsa', ['-algorithm', 'RSA']);
  makeSigner('p256', ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256']);
  makeSigner('p384', ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384']);
  makeSigner('p521', ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-521']);
  makeSigner('ed25519', ['-algorithm', 'ED25519']);
  makeSigner('tsa', ['-algorithm', 'RSA'], 'stamps');
}, 60_000);

describe('a signature', () => {
  it('whose attributes are signed in another order than DER is one, and as a timestamp it is refused: some readers sort them', async () => {
    const certificates = certificatesIn(readFileSync(at('rsa.pem'), 'latin1'));
    const signer = signerWith(readKey(readFileSync(at('rsa.key')), undefined, certificates), undefined, false);
    const turned = (bytes: Uint8Array) => Buffer.concat(membersOf(bytes).toReversed());
    let signedPart: Uint8Array = new Uint8Array();
    const upsideDown = async (bytes: Uint8Array) => {
      signedPart = bytes;
      return signer.sign(der(0x31, turned(bytes)));
    };
    const message = Buffer.from(await signedMessage({ ...signer, sign: upsideDown }, new Uint8Array(32)));
    const from = message.indexOf(derContents(signedPart));
    await expect(readMessage(message)).rejects.toThrow(/signature does not hold/);
    turned(signedPart).copy(message, from);
    expect((await readMessage(message)).isOrdered).toBe(false);
    await expect(readTimestamp(message)).rejects.toThrow(/signed attributes are out of order/);
  });

  it.each([
    ['rsa', {}, 'RSA with SHA256'],
    ['rsa', { digest: 'sha512' }, 'RSA with SHA512'],
    ['rsa', { pss: true, digest: 'sha384' }, 'RSA-PSS with SHA384'],
    ['p256', {}, 'ECDSA with SHA256'],
    ['p384', {}, 'ECDSA with SHA384'],
    ['p521', {}, 'ECDSA with SHA512'],
    ['ed25519', {}, 'Ed25519'],
  ] as const)('by %s with %o holds for others', async (name, options, algorithm) => {
    const bytes = await signed(PLAIN, { key: key(name), cert: pem(name), ...options });
    expect(await verdicts(bytes)).toMatchObject([
      { verdict: 'valid', algorithm, covers_whole_file: true, signer: name },
    ]);
    if (name === 'ed25519') pkeyutlVerifies(bytes, name);
    else opensslVerifies(bytes);
    // NSS, by which pdfsig checks, has no Ed25519.
    if (name !== 'ed25519') expect(pdfsig(bytes)).toEqual(['Signature is Valid.']);
  });

  it.each([
    ['of today', []],
    ['with 3DES', ['-certpbe', 'PBE-SHA1-3DES', '-keypbe', 'PBE-SHA1-3DES']],
    ['with RC2', ['-legacy']],
  ])('takes a container %s, and no other password', async (_, options) => {
    openssl(
      'pkcs12',
      '-export',
      '-inkey',
      'p256.key',
      '-in',
      'p256.pem',
      '-certfile',
      'root.pem',
      '-passout',
      'pass:pässword',
      '-out',
      'key.p12',
      ...options,
    );
    const container = sourceOf('key.p12', readFileSync(at('key.p12')));
    expect(pdfsig(await signed(PLAIN, { key: container, key_password: 'pässword' }))).toEqual(['Signature is Valid.']);
    await expect(signed(PLAIN, { key: container, key_password: 'other' })).rejects.toThrow(/does not open|old cipher/);
  });

  it('by a command signs a digest, or is a message of its own', async () => {
    const command = `openssl pkeyutl -sign -inkey ${at('p256.key')} -pkeyopt digest:sha256`;
    expect(pdfsig(await signed(PLAIN, { command, cert: pem('p256') }))).toEqual(['Signature is Valid.']);
    await expect(signed(PLAIN, { command, cert: pem('rsa') })).rejects.toThrow(/does not hold/);
    await expect(signed(PLAIN, { command: 'false', cert: pem('rsa') })).rejects.toThrow(/did not sign/);
    await expect(signed(PLAIN, { command: 'no-such-program' })).rejects.toThrow(/no program/);
  });

  it('leaves earlier ones as they are, and says what it allows', async () => {
    const first = await signed(PLAIN, { certify: 'form-filling', visible: true, reason: 'I (agree) – Ω', page: 1 });
    const second = await signed(first, { key: key('p256'), cert: pem('p256'), field: 'Second' });
    expect(second.subarray(0, first.length)).toEqual(first);
    expect(await verdicts(second)).toMatchObject([
      { verdict: 'valid', certifies: 'form-filling', reason: 'I (agree) – Ω' },
      { verdict: 'valid', field: 'Second' },
    ]);
    expect(pdfsig(second)).toEqual(['Signature is Valid.', 'Signature is Valid.']);
    await expect(signed(second, { certify: 'no-changes' })).rejects.toThrow(/first signature/);
    await expect(signed(second, { field: 'Second' })).rejects.toThrow(/signed already/);
    await expect(signed(await signed(PLAIN, { certify: 'no-changes' }))).rejects.toThrow(/against all changes/);
    writeFileSync(at('shown.pdf'), first);
    const seen = spawnSync('pdftotext', [at('shown.pdf'), '-'], { encoding: 'utf8' }).stdout;
    expect(seen).toMatch(/Signed by rsa/);
  });

  it('of an encrypted file holds, its texts encrypted', async () => {
    const locked = await encrypt(
      { file: sourceOf('in.pdf', Buffer.from(PLAIN, 'latin1')), user_password: 'u' },
      context(),
    );
    const password = async () => 'u';
    const input = { reason: 'because', visible: true };
    const bytes = await signed(await bytesOf(locked.body), input, { password });
    expect(await verdicts(bytes, 'u')).toMatchObject([{ verdict: 'valid', reason: 'because' }]);
    expect(bytes.includes('because')).toBe(false);
    expect(pdfsig(bytes, '-upw', 'u')).toEqual(['Signature is Valid.']);
    for (const method of ['--use-aes=y', '--use-aes=n']) {
      writeFileSync(at('in.pdf'), PLAIN, 'latin1');
      const made = spawnSync(
        'qpdf',
        ['--encrypt', 'u', 'o', '128', method, '--allow-weak-crypto', '--', at('in.pdf'), at('old.pdf')].toSorted(
          (a, b) => Number(b === '--allow-weak-crypto') - Number(a === '--allow-weak-crypto'),
        ),
      );
      expect(made.status).toBe(0);
      const old = await signed(readFileSync(at('old.pdf')), input, { password });
      expect(await verdicts(old, 'u')).toMatchObject([{ verdict: 'valid', reason: 'because' }]);
      writeFileSync(at('old-signed.pdf'), old);
      expect(spawnSync('qpdf', ['--password=u', '--check', at('old-signed.pdf')]).status).toBe(0);
    }
  });

  it('refuses keys that do not go with their certificate', async () => {
    await expect(signed(PLAIN, { key: key('p256'), cert: pem('rsa') })).rejects.toThrow(/no certificate that goes/);
    await expect(signed(PLAIN, { key: sourceOf('key.pem', Buffer.from('nothing')) })).rejects.toThrow(
      /neither PEM nor/,
    );
    const future = { clock: { now: () => NOW + 1e12, sleep: async () => {} } };
    await expect(signed(PLAIN, {}, future)).rejects.toThrow(/expired/);
  });
});

describe('a timestamp', () => {
  const timestamp = 'http://tsa.test';

  it('of a signature and of a document is proved by OpenSSL', async () => {
    const once = await signed(PLAIN, { timestamp, certify: 'no-changes' }, { exchange: authority('tsa') });
    const twice = await stamped(once);
    expect(await verdicts(twice)).toMatchObject([
      { kind: 'signature', verdict: 'valid', timestamp: { authority: 'tsa', trusted: true } },
      { kind: 'timestamp', verdict: 'valid', signer: 'tsa' },
    ]);
    expect(pdfsig(once)).toEqual(['Signature is Valid.']);
    const { contents, covered } = messageOf(twice);
    writeFileSync(at('token.der'), contents);
    writeFileSync(at('covered.bin'), covered);
    openssl('ts', '-verify', '-data', 'covered.bin', '-in', 'token.der', '-token_in', '-CAfile', 'root.pem');
  });

  it('is kept with what vouches for it', async () => {
    writeFileSync(at('index.txt'), '');
    writeFileSync(
      at('crl.cnf'),
      `[ca]\ndefault_ca=c\n[c]\ndatabase=index.txt\ndefault_md=sha256\ndefault_crl_days=30\n`,
    );
    openssl('ca', '-gencrl', '-config', 'crl.cnf', '-keyfile', 'root.key', '-cert', 'root.pem', '-out', 'crl.pem');
    const revocation = sourceOf('crl.pem', readFileSync(at('crl.pem')));
    const trustedRoots = async () => [readFileSync(at('root.pem'), 'latin1')];
    const lt = await signed(PLAIN, { timestamp, revocation }, { exchange: authority('tsa'), trustedRoots });
    expect(await verdicts(lt)).toMatchObject([{ verdict: 'valid', revocation: 'good' }]);
    const lta = await stamped(lt);
    expect(await verdicts(lta)).toMatchObject([{ revocation: 'good' }, { verdict: 'valid', revocation: 'good' }]);
    expect(pdfsig(lt)).toEqual(['Signature is Valid.']);
  });

  it.each([
    ['cut', { answer: (bytes: Buffer) => bytes.subarray(0, bytes.length - 40) }, /no timestamp/],
    ['no timestamp at all', { answer: () => Buffer.from('<html>') }, /no timestamp/],
    ['with another nonce', { request: (bytes: Buffer) => changed(bytes, bytes.length - 6) }, /another request/],
    [
      'of another hash',
      { request: (bytes: Buffer) => changed(bytes, bytes.indexOf(Buffer.from([4, 32])) + 5) },
      /something else/,
    ],
    ['changed', { answer: (bytes: Buffer) => changed(bytes, bytes.length - 5) }, /does not hold|no timestamp/],
  ])('that is %s is refused', async (_, spoil, why) => {
    await expect(signed(PLAIN, { timestamp }, { exchange: authority('tsa', spoil) })).rejects.toThrow(why);
  });

  it('by a certificate that is not for timestamps is refused', async () => {
    // Its contents are those of a true answer, signed anew: `openssl ts` itself refuses such a certificate.
    const forged: WebExchange = async (url, post) => {
      writeFileSync(at('answer.tsr'), await authority('tsa')(url, post));
      openssl('ts', '-reply', '-in', 'answer.tsr', '-token_out', '-out', 'token.der');
      openssl('cms', '-verify', '-noverify', '-inform', 'DER', '-in', 'token.der', '-binary', '-out', 'info.der');
      const as = ['-econtent_type', '1.2.840.113549.1.9.16.1.4', '-cades', '-signer', 'rsa.pem', '-inkey', 'rsa.key'];
      openssl(
        'cms',
        '-sign',
        '-nodetach',
        '-binary',
        '-in',
        'info.der',
        ...as,
        '-outform',
        'DER',
        '-out',
        'forged.der',
      );
      return der(0x30, Buffer.from('3003020100', 'hex'), readFileSync(at('forged.der')));
    };
    await expect(signed(PLAIN, { timestamp }, { exchange: forged })).rejects.toThrow(/not meant for timestamps/);
    await expect(signed(PLAIN, { timestamp })).rejects.toThrow(/nothing is sent from here/);
  });
});

function changed(bytes: Buffer, index: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[index] = (copy[index] ?? 0) ^ 1;
  return copy;
}

describe('attacks', () => {
  let bytes: Buffer;
  beforeAll(async () => {
    bytes = await signed(PLAIN);
  });

  /** Appends a revision with these objects and this root. */
  function appended(objects: Readonly<Record<number, string>>, root = 1, to = bytes): Buffer {
    const start = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(to.toString('latin1'))?.[1];
    let body = '\n';
    const rows = Object.entries(objects).map(([num, value]) => {
      const place = String(to.length + body.length).padStart(10, '0');
      body += `${num} 0 obj\n${value}\nendobj\n`;
      return `${num} 1\n${place} 00000 n \n`;
    });
    const table = to.length + body.length;
    body += `xref\n${rows.join('')}trailer\n<</Size 40/Root ${root} 0 R/Prev ${start}>>\nstartxref\n${table}\n%%EOF\n`;
    return Buffer.concat([to, Buffer.from(body, 'latin1')]);
  }

  /** An object as the signed file has it last. */
  const object = (num: number): string => {
    const text = bytes.toString('latin1');
    const from = text.lastIndexOf(`\n${num} 0 obj\n`) + `\n${num} 0 obj\n`.length;
    return text.slice(from, text.indexOf('\nendobj', from));
  };
  const text = () => bytes.toString('latin1');
  const replaced = (from: string | RegExp, to: string): Buffer => Buffer.from(text().replace(from, to), 'latin1');
  const range = () => /\/ByteRange \[(\d+) (\d+) (\d+) (\d+)( *)\]/.exec(text()) ?? [];
  const withRange = (...numbers: readonly (number | string)[]): Buffer => {
    const [whole = ''] = range();
    return replaced(whole, `/ByteRange [${numbers.join(' ').padEnd(48)}]`);
  };
  const inserted = (at: number, what: string): Buffer =>
    Buffer.concat([bytes.subarray(0, at), Buffer.from(what, 'latin1'), bytes.subarray(at)]);
  const drawn = (length: number) => `<</Length ${length}>>stream\n${'0 0 m 9 9 l S'.padEnd(length)}\nendstream`;
  const form = '<</Type/XObject/Subtype/Form/BBox[0 0 80 20]/Length 4>>stream\nq Q \nendstream';

  const attacks: readonly (readonly [string, () => Buffer | Promise<Buffer>])[] = [
    // Incremental saving, and shadows: what is shown is replaced or hidden after signing.
    ['contents of the page replaced', () => appended({ 4: drawn(20) })],
    [
      'another page in the tree',
      () =>
        appended({
          2: '<</Type/Pages/Kids[30 0 R]/Count 1>>',
          30: object(3).replace('/Contents 4', '/Contents 31'),
          31: drawn(20),
        }),
    ],
    ['a page added', () => appended({ 2: '<</Type/Pages/Kids[3 0 R 30 0 R]/Count 2>>', 30: object(3) })],
    ['the media box moved', () => appended({ 3: object(3).replace('[0 0 300 400]', '[0 50 300 400]') })],
    [
      'another catalog',
      () =>
        appended(
          {
            30: object(1).replace('/Pages 2', '/Pages 31'),
            31: '<</Type/Pages/Kids[32 0 R]/Count 1>>',
            32: object(3).replace('/Contents 4', '/Contents 33'),
            33: drawn(20),
          },
          30,
        ),
    ],
    [
      'an action when it is opened',
      () => appended({ 1: object(1).replace('<<', '<</OpenAction<</S/JavaScript/JS(x)>>') }),
    ],
    [
      'JavaScript in the names',
      () => appended({ 1: object(1).replace('<<', '<</Names<</JavaScript<</Names[(a)<</S/JavaScript/JS(x)>>]>>>>') }),
    ],
    ['layers that hide', () => appended({ 1: object(1).replace('<<', '<</OCProperties<</OCGs[]/D<<>>>>') })],
    [
      'an annotation over the page',
      () =>
        appended({
          3: object(3).replace('/Annots [', '/Annots [30 0 R '),
          30: '<</Type/Annot/Subtype/FreeText/Rect[0 0 300 400]/DA(/F 9 Tf)/Contents(x)>>',
        }),
    ],
    ['an annotation removed', () => appended({ 3: object(3).replace('6 0 R', '') })],
    ['an annotation changed', () => appended({ 6: object(6).replace('/F 4', '/F 2') })],
    ['a field hidden', () => appended({ 5: object(5).replace('/F 4', '/F 2') })],
    ['a field moved', () => appended({ 5: object(5).replace('[10 10', '[20 10') })],
    [
      'a field added',
      () =>
        appended({
          1: object(1).replace('/Fields [', '/Fields [30 0 R '),
          30: '<</FT/Tx/T(more)/Subtype/Widget/Rect[0 0 9 9]>>',
        }),
    ],
    [
      'a signature field that shows something and is not signed',
      () =>
        appended({
          3: object(3).replace('/Annots [', '/Annots [30 0 R '),
          1: object(1).replace('/Fields [', '/Fields [30 0 R '),
          30: '<</FT/Sig/T(fake)/Type/Annot/Subtype/Widget/Rect[0 0 300 400]/P 3 0 R/AP<</N 31 0 R>>>>',
          31: form,
        }),
    ],
    ['bytes behind the end', () => Buffer.concat([bytes, Buffer.from('\n% more words\n')])],
    // Signature wrapping: the byte range leaves out more, or the signed bytes are moved.
    ['a hole that begins before', () => withRange(0, Number(range()[2]) - 9, range()[3] ?? '', range()[4] ?? '')],
    ['a hole that ends behind', () => withRange(0, range()[2] ?? '', Number(range()[3]) + 9, Number(range()[4]) - 9)],
    ['bytes in front that are not signed', () => Buffer.concat([Buffer.from('%PDF-1.7\n'), bytes])],
    ['bytes put into the hole', () => inserted(Number(range()[2]) + 1, '/Reason(other) ')],
    [
      'a signed part that was moved',
      () => {
        const [, , first = 0, second = 0] = range().map(Number);
        const moved = Buffer.concat([
          bytes.subarray(0, second),
          Buffer.from('<</Evil true>>'.padEnd(200)),
          bytes.subarray(second),
        ]);
        const changedRange = moved
          .toString('latin1')
          .replace(
            /\/ByteRange \[[^\]]*\]/,
            `/ByteRange [${`0 ${first} ${second + 200} ${bytes.length - second}`.padEnd(48)}]`,
          );
        return Buffer.from(changedRange, 'latin1');
      },
    ],
    ['a range that ends early', () => withRange(0, range()[2] ?? '', range()[3] ?? '', Number(range()[4]) - 30)],
    [
      'a range that goes on behind the end',
      () => withRange(0, range()[2] ?? '', range()[3] ?? '', Number(range()[4]) + 30),
    ],
    // Universal forgery: the signature lacks what would be checked.
    ['no byte range', () => replaced('/ByteRange [', '/ByteRangf [')],
    ['a negative byte range', () => withRange(0, -1, range()[3] ?? '', range()[4] ?? '')],
    ['an empty byte range', () => withRange(0, 0, 0, 0)],
    ['a byte range of one part', () => withRange(0, bytes.length)],
    ['a byte range that is null', () => replaced(/\/ByteRange \[([^\]]*)\]/, '/ByteRange null $1%')],
    [
      'contents of zeros',
      () =>
        replaced(/\/Contents <[0-9a-f]+>/, `/Contents <${'0'.repeat(Number(range()[3]) - Number(range()[2]) - 2)}>`),
    ],
    [
      'contents that are null',
      () => replaced(/\/Contents <[0-9a-f]+>/, `/Contents ${'null'.padEnd(Number(range()[3]) - Number(range()[2]))}`),
    ],
    [
      'another digest in the message',
      () => {
        const { contents } = messageOf(bytes);
        const where = contents.indexOf(Buffer.from('2a864886f70d010904', 'hex')) + 16;
        return replaced(contents.toString('hex'), changed(contents, where).toString('hex'));
      },
    ],
    [
      'a signature of another document',
      async () => {
        const other = await signed(PLAIN.replace('100 100 l', '200 200 l'));
        return replaced(messageOf(bytes).contents.toString('hex'), messageOf(other).contents.toString('hex'));
      },
    ],
    ['a value that is no dictionary', () => appended({ 8: '(signed)' })],
  ];

  it.each(attacks)('%s is seen', async (_, attack) => {
    const attacked = await attack();
    expect(attacked.equals(bytes)).toBe(false);
    const all = await words(attacked).catch(() => ['refused as damaged']);
    expect(all).not.toContain('valid');
  });

  it('on any byte of what is covered are seen, by pdfsig too', async () => {
    const [, , first = 0, second = 0] = range().map(Number);
    for (let i = 0; i < bytes.length; i += 61) {
      if (i >= first && i < second) continue;
      const all = await words(changed(bytes, i)).catch(() => []);
      expect(all, `byte ${i}`).not.toContain('valid');
    }
    expect(pdfsig(changed(bytes, text().indexOf('100 100 l')))).toEqual(['Digest Mismatch.']);
  });

  it('are no false alarm where a form is filled, another signs, or a timestamp is added', async () => {
    const filled = appended({ 5: object(5).replace('(you)', '(me)').replace('/N 7', '/N 30'), 30: form });
    expect(await verdicts(filled)).toMatchObject([{ verdict: 'valid', changes: [{ kind: 'form' }, { kind: 'form' }] }]);
    expect(await words(await stamped(await signed(filled)))).toEqual(['valid', 'valid', 'valid']);
    const shadow = appended(
      { 5: object(5).replace('(you)', '(me)').replace('/N 7', '/N 30'), 30: form },
      1,
      await signed(PLAIN.replace('(you) Tj', '(him) Tj')),
    );
    expect(await words(shadow)).toEqual(['changed']);
  });
});
