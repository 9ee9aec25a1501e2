// What is appended to signed files, judged by `verify`, by pdfsig and by qpdf; and evidence that is asked for on the network.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signatureMeans } from '../../src/cli/children/means.ts';
import type { BytesResult, Context } from '../../src/contract/base/ports.ts';
import type { AnyOperation } from '../../src/contract/operation.ts';
import { attachAdd } from '../../src/contract/operations/edit/attachments.ts';
import { bookmarksSet } from '../../src/contract/operations/edit/bookmarks.ts';
import { formFill } from '../../src/contract/operations/edit/forms.ts';
import { labelsSet } from '../../src/contract/operations/edit/labels.ts';
import { metaSet } from '../../src/contract/operations/edit/metadata.ts';
import { stamp } from '../../src/contract/operations/edit/stamp.ts';
import { rotate } from '../../src/contract/operations/pages/pages.ts';
import { createLocalEngine } from '../../src/local/engine.ts';
import { webExchange } from '../../src/remote/web-exchange.ts';
import { systemEntropy } from '../../src/runtime/entropy.ts';
import { readSettings, type SettingFlags } from '../../src/runtime/settings/settings.ts';
import { judge, judgeClasses } from '../conformance/judge.mjs';
import { encrypt } from '../local.ts';
import { bytesOf, sourceOf } from '../properties/context.ts';
import { pdfOf } from '../structure/run.ts';
import { at, authority, makeRoot, makeSigner, openssl } from './authority.ts';
import { context, key, NOW, PLAIN, pdfsig, pem, signed, stamped, verdicts } from './rig.ts';

const engine = createLocalEngine();
async function append(op: AnyOperation, file: Uint8Array, input: object, more: Partial<Context> = {}) {
  const files = op === attachAdd ? [sourceOf('in.pdf', file), sourceOf('data.csv', Buffer.from('a,b'))] : undefined;
  const all = { ...input, incremental: true, file: files ?? sourceOf('in.pdf', file) };
  // The values suit each row, which the table below has by its side.
  const result = (await engine.call(op, all as never, context(more))) as BytesResult;
  const bytes = Buffer.from(await bytesOf(result.body));
  expect(bytes.subarray(0, file.length).equals(Buffer.from(file))).toBe(true);
  return { bytes, warnings: result.warnings ?? [] };
}

/** Each row that appends, the kind of change that `verify` sees, and whether signatures stay valid after it. */
const ROWS: readonly (readonly [string, AnyOperation, object, RegExp, boolean])[] = [
  ['meta set', metaSet, { title: 'New' }, /information about the document.*metadata|metadata.*information/, true],
  ['form fill', formFill, { values: { name: 'me' } }, /the value of field name/, true],
  ['stamp', stamp, { text: 'Draft' }, /page 1 \(\/Contents\)/, false],
  ['rotate', rotate, { angle: 90 }, /page 1 \(\/Rotate\)/, false],
  ['attach add', attachAdd, {}, /\/Names of the catalog/, false],
  ['bookmarks set', bookmarksSet, { bookmarks: 'One\t1' }, /\/Outlines of the catalog/, false],
  ['labels set', labelsSet, { labels: '1:r' }, /\/PageLabels of the catalog/, false],
];

beforeAll(() => {
  makeRoot();
  makeSigner('rsa', ['-algorithm', 'RSA']);
  makeSigner('tsa', ['-algorithm', 'RSA'], 'stamps');
}, 60_000);

describe('an update of a signed file', () => {
  let approved: Buffer;
  let certified: Buffer;
  beforeAll(async () => {
    approved = await signed(PLAIN);
    certified = await signed(PLAIN, { certify: 'form-filling' });
  });

  it.each(ROWS)('by %s is seen by verify, and told beforehand', async (_, op, input, what, isAllowed) => {
    const { bytes, warnings } = await append(op, approved, input);
    const [verdict] = await verdicts(bytes);
    expect(verdict).toMatchObject({ verdict: isAllowed ? 'valid' : 'changed', covers_whole_file: false });
    expect(JSON.stringify(verdict?.changes)).toMatch(what);
    expect(warnings).toContainEqual(
      expect.stringMatching(isAllowed ? /stay valid and allow the change/ : /holds for what was signed/),
    );
    expect(pdfsig(bytes)).toEqual(['Signature is Valid.']);
    writeFileSync(at('updated.pdf'), bytes);
    expect(spawnSync('qpdf', ['--check', at('updated.pdf')]).status).toBe(0);
    if (isAllowed) expect((await append(op, certified, input)).bytes.length).toBeGreaterThan(certified.length);
    else await expect(append(op, certified, input)).rejects.toThrow(/must not change, by its certification/);
  });

  it('is refused where a certification allows nothing, or a signature locks the field', async () => {
    const sealed = await signed(PLAIN, { certify: 'no-changes' });
    await expect(append(formFill, sealed, { values: { name: 'me' } })).rejects.toThrow(/which allows no-changes/);
    expect((await append(metaSet, sealed, { title: 'New' })).warnings.join()).toMatch(/stay valid/);
    const locking = await signed(withLock('/Action/Include/Fields[(name)]'), { field: 'lock' });
    expect(await verdicts(locking)).toMatchObject([{ verdict: 'valid', field: 'lock' }]);
    await expect(append(formFill, locking, { values: { name: 'me' } })).rejects.toThrow(
      /by a signature, which locks it/,
    );
    const open = await signed(withLock('/Action/Include/Fields[(other)]'), { field: 'lock' });
    expect(await verdicts((await append(formFill, open, { values: { name: 'me' } })).bytes)).toMatchObject([
      { verdict: 'valid', changes: [{ kind: 'form' }, { kind: 'form' }] },
    ]);
  });

  it('of an encrypted file stays encrypted, its texts and streams too', async () => {
    const input = { file: sourceOf('in.pdf', Buffer.from(PLAIN, 'latin1')), user_password: 'u' };
    const password = async () => 'u';
    const locked = await signed(await bytesOf((await encrypt(input, context())).body), {}, { password });
    for (const [, op, values] of ROWS) {
      const { bytes, warnings } = await append(op, locked, values, { password });
      expect(warnings.join()).not.toMatch(/was encrypted/);
      writeFileSync(at('locked.pdf'), bytes);
      expect(spawnSync('qpdf', ['--password=u', '--check', at('locked.pdf')]).status).toBe(0);
      expect(pdfsig(bytes, '-upw', 'u')).toEqual(['Signature is Valid.']);
      if (op !== metaSet) continue;
      expect(spawnSync('pdfinfo', ['-upw', 'u', at('locked.pdf')], { encoding: 'utf8' }).stdout).toMatch(/Title: +New/);
    }
  });

  it('that is none says beforehand that the signature ends', async () => {
    const told: string[] = [];
    const ctx = context({ beforehand: (warning) => told.push(warning) });
    const result = await engine.call(rotate, { file: sourceOf('in.pdf', approved), angle: 90 }, ctx);
    expect(told).toEqual(['in.pdf is signed; the signature does not hold for the new file']);
    expect(result.warnings).toEqual(told);
  });
});

/** The plain file with a signature field that locks others when it is signed. */
function withLock(lock: string): string {
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R 5 0 R]/DA(/Helv 9 Tf)>>>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]/Resources<<>>/Annots[4 0 R 5 0 R]>>',
    `<</Type/Annot/Subtype/Widget/FT/Sig/T(lock)/F 132/P 3 0 R/Rect[0 0 0 0]/Lock<</Type/SigFieldLock${lock}>>>>`,
    '<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/F 4/P 3 0 R/Rect[10 10 90 30]/DA(/Helv 9 Tf)/MK<<>>/V()/AP<</N 6 0 R>>>>',
    '<</Type/XObject/Subtype/Form/BBox[0 0 80 20]/Length 4>>stream\nq Q \nendstream',
  ]);
}

describe('a visible signature', () => {
  it.each([0, 90, 180, 270])('stands upright on a page that is turned by %i, with its picture', async (turn) => {
    const file = PLAIN.replace('/MediaBox[0 0 300 400]', `/Rotate ${turn}/MediaBox[0 0 300 400]`);
    const red = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#ff0000' } })
      .png()
      .toBuffer();
    const fixed = file.replace(/xref[\s\S]*$/, '');
    const bytes = await signed(rebuilt(fixed), {
      visible: true,
      position: 'top-left',
      image: sourceOf('red.png', red),
    });
    expect(await verdicts(bytes)).toMatchObject([{ verdict: 'valid' }]);
    writeFileSync(at('turned.pdf'), bytes);
    const words = spawnSync('pdftotext', ['-bbox', at('turned.pdf'), '-'], { encoding: 'utf8' }).stdout;
    const [, x = '', y = ''] = /xMin="([\d.]+)" yMin="([\d.]+)"[^>]*>Signed</.exec(words) ?? [];
    // Beside the picture, 36 points from the edges of the page as it is shown.
    expect([Number(x), Number(y)]).toEqual([expect.closeTo(104, -0.5), expect.closeTo(56, -0.5)]);
    const drawn = spawnSync('pdftoppm', ['-r', '72', '-png', at('turned.pdf')], { maxBuffer: 1 << 26 }).stdout;
    const pixel = await sharp(drawn).extract({ left: 60, top: 60, width: 1, height: 1 }).removeAlpha().raw().toBuffer();
    expect([...pixel]).toEqual([255, 0, 0]);
  });

  it('embeds its font in a file that claims PDF/A', async () => {
    const packet =
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" pdfaid:part="2" pdfaid:conformance="B"/></rdf:RDF></x:xmpmeta>';
    const claiming = pdfOf([
      '<</Type/Catalog/Pages 2 0 R/Metadata 4 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]/Resources<<>>>>',
      `<</Type/Metadata/Subtype/XML/Length ${packet.length}>>stream\n${packet}\nendstream`,
    ]);
    const fontFile = async (name: string) =>
      readFileSync(join(import.meta.dirname, '../../node_modules/pdfjs-dist/standard_fonts', name));
    writeFileSync(at('archived.pdf'), await signed(claiming, { visible: true }, { fontFile }));
    const fonts = spawnSync('pdffonts', [at('archived.pdf')], { encoding: 'utf8' }).stdout;
    expect(fonts).toMatch(/LiberationSans .* yes yes yes/);
  });
});

/** Text of a file whose lengths changed, with a table that is right again. */
function rebuilt(text: string): string {
  const objects = [...text.matchAll(/\d+ 0 obj\n([\s\S]*?)\nendobj/g)].map(([, object = '']) => object);
  return pdfOf(objects);
}

describe('with online', () => {
  const servers: (() => void)[] = [];
  afterAll(() => {
    for (const stop of servers) stop();
  });

  async function serve(answer: () => Uint8Array): Promise<string> {
    const server = createServer((_, response) => response.end(answer())).listen(0, '127.0.0.1');
    servers.push(() => server.close());
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** A signer whose certificate says where its status and the list of revoked ones are. */
  function makeKnown(name: string, extension: string): void {
    makeSigner(name, ['-algorithm', 'RSA']);
    writeFileSync(at('known.cnf'), `[known]\nkeyUsage=critical,digitalSignature\n${extension}\n`);
    const by = [
      '-CA',
      'root.pem',
      '-CAkey',
      'root.key',
      '-days',
      '3000',
      '-set_serial',
      `0x${Buffer.from(name).toString('hex')}`,
    ];
    openssl(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      ...by,
      '-out',
      `${name}.pem`,
      '-extfile',
      'known.cnf',
      '-extensions',
      'known',
    );
  }

  const settings = { baseUrl: undefined, apiKey: undefined, entropy: systemEntropy };
  const online = (): Partial<Context> => ({
    exchange: webExchange(settings, new AbortController().signal),
    trustedRoots: async () => [readFileSync(at('root.pem'), 'latin1')],
  });

  it('an authority behind HTTPS is asked by the certificate of --ca-cert, and not without it', async () => {
    openssl('genpkey', '-algorithm', 'RSA', '-out', 'web.key');
    const wish = ['req', '-new', '-x509', '-key', 'web.key', '-out', 'web.pem', '-subj', '/CN=web', '-days', '30'];
    openssl(...wish, '-addext', 'subjectAltName=IP:127.0.0.1', '-config', 'openssl.cnf');
    const tls = { key: readFileSync(at('web.key')), cert: readFileSync(at('web.pem')) };
    const server = createSecureServer(tls, async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      response.end(await authority('tsa')('', { type: 'application/timestamp-query', body }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.push(() => server.close());
    const timestamp = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const exchangeWith = (flags: SettingFlags) =>
      signatureMeans({ timestamp }, () => readSettings(flags, {}), new AbortController().signal);
    const known = await signed(PLAIN, { timestamp }, await exchangeWith({ caCert: at('web.pem') }));
    expect(await verdicts(known)).toMatchObject([{ verdict: 'valid', timestamp: { authority: 'tsa', trusted: true } }]);
    await expect(signed(PLAIN, { timestamp }, await exchangeWith({}))).rejects.toThrow(/certificate/);
  });

  it('the status of a certificate is kept from a responder, and a timestamp proves it', async () => {
    const port = 20_000 + Math.floor(Math.random() * 20_000);
    makeKnown('known', `authorityInfoAccess=OCSP;URI:http://127.0.0.1:${port}`);
    const end = new Date(NOW + 9e9).toISOString().replace(/[-:T]/g, '').slice(2, 14);
    const serial = Buffer.from('known').toString('hex').toUpperCase();
    writeFileSync(at('index.txt'), `V\t${end}Z\t\t${serial}\tunknown\t/CN=known\n`);
    const args = [
      'ocsp',
      '-index',
      'index.txt',
      '-port',
      String(port),
      '-rsigner',
      'root.pem',
      '-rkey',
      'root.key',
      '-CA',
      'root.pem',
      '-ndays',
      '30',
    ];
    const responder = spawn('openssl', args, { cwd: at(''), stdio: ['ignore', 'pipe', 'pipe'] });
    servers.push(() => responder.kill());
    await Promise.race([once(responder.stdout, 'data'), once(responder.stderr, 'data')]);
    const who = { key: key('known'), cert: pem('known'), online: true };
    const lt = await signed(PLAIN, who, online());
    expect(await verdicts(lt)).toMatchObject([{ verdict: 'valid', revocation: 'good' }]);
    expect(lt.includes('/OCSPs')).toBe(true);
    const lta = await stamped(lt, { ...online(), exchange: authority('tsa') });
    expect(await verdicts(lta)).toMatchObject([
      { verdict: 'valid', revocation: 'good' },
      { kind: 'timestamp', verdict: 'valid' },
    ]);
    expect(pdfsig(lta)[0]).toBe('Signature is Valid.');
  });

  it('the list of revoked certificates is kept, and what stands in it is not trusted', async () => {
    let list: Uint8Array = Buffer.alloc(0);
    const url = await serve(() => list);
    makeKnown('listed', `crlDistributionPoints=URI:${url}/list.crl`);
    writeFileSync(at('crl.cnf'), '[ca]\ndefault_ca=c\n[c]\ndatabase=crl.txt\ndefault_md=sha256\ndefault_crl_days=30\n');
    const listing = (index: string): Buffer => {
      writeFileSync(at('crl.txt'), index);
      openssl('ca', '-gencrl', '-config', 'crl.cnf', '-keyfile', 'root.key', '-cert', 'root.pem', '-out', 'list.pem');
      return openssl('crl', '-in', 'list.pem', '-outform', 'DER');
    };
    list = listing('');
    const who = { key: key('listed'), cert: pem('listed'), online: true };
    expect(await verdicts(await signed(PLAIN, who, online()))).toMatchObject([
      { verdict: 'valid', revocation: 'good' },
    ]);
    const serial = Buffer.from('listed').toString('hex').toUpperCase();
    list = listing(`R\t400101000000Z\t200101000000Z\t${serial}\tunknown\t/CN=listed\n`);
    expect(await verdicts(await signed(PLAIN, who, online()))).toMatchObject([
      { verdict: 'untrusted', revocation: 'revoked', reasons: [expect.stringMatching(/listed was revoked/)] },
    ]);
  });
});

const { path, why } = judgeClasses();

it.skipIf(path === undefined)(
  `a visible signature leaves a PDF/A what it was (${why ?? 'veraPDF is here'})`,
  { timeout: 120_000 },
  async () => {
    const files = await Promise.all(
      ['1b', '2b', '3b', '4'].map(async (flavour) => {
        const bytes = readFileSync(join(import.meta.dirname, `../fixtures/conformance/pdfa-${flavour}.pdf`));
        const image = sourceOf(
          'look.png',
          await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
            .png()
            .toBuffer(),
        );
        writeFileSync(at(`${flavour}.pdf`), await signed(bytes, { visible: true, image, reason: 'Approved' }));
        return [flavour, at(`${flavour}.pdf`)] as const;
      }),
    );
    const verdicts = await judge(files);
    expect(verdicts).toEqual(files.map(() => ({ verdict: 'PASS', rules: '' })));
  },
);
