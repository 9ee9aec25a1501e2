// A large upload arrives byte for byte although its buffers are used again: slow readers, http and https.
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { RandomAccess } from '../../src/contract/base/ports.ts';
import { mergeCompress } from '../../src/contract/operations/size/compress.ts';
import { createRemoteEngine } from '../../src/remote/engine.ts';
import { sourceBytes } from '../../src/wire/multipart.ts';
import { bytesSource, createContext, settingsFor } from '../faults/context.ts';

it.each(['http', 'https'])('over %s', async (scheme) => {
  const folder = mkdtempSync(join(tmpdir(), 'pdftool-upload-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject], {
    stdio: 'ignore',
  });
  // The second file ends in the middle of a buffer, the third is smaller than one; the fourth is read by another thread.
  const files = [6 * 1024 ** 2, 5_000_001, 1000].map((size, index) => bytesSource(`${index}.pdf`, randomBytes(size)));
  files.push(readAside(bytesSource('3.pdf', randomBytes(7_000_001))));
  let received: Buffer | undefined;
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      chunks.push(chunk);
      await sleep(2);
    }
    if (request.method === 'POST') received = Buffer.concat(chunks);
    response
      .writeHead(request.method === 'POST' ? 200 : 404, { 'content-type': 'application/pdf' })
      .end('%PDF-1.7 %%EOF');
  };
  const tls = { key: readFileSync(key), cert: readFileSync(cert) };
  const server = scheme === 'http' ? createServer(listener) : createHttps(tls, listener);
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo; // listening on TCP
  const settings = settingsFor(`${scheme}://localhost:${port}`, { ca: [String(tls.cert)] });
  const context = createContext();
  await createRemoteEngine(settings).call(mergeCompress, { file: files }, context);
  server.close();
  rmSync(folder, { recursive: true });
  if (received === undefined) throw new Error('nothing received');
  for (const file of files) {
    const expected = Buffer.alloc(file.size);
    file.read(expected, 0);
    const at = received.indexOf(expected.subarray(0, 64));
    expect(hash(received.subarray(at, at + file.size))).toBe(hash(expected));
  }
  const uploads = context.events.filter(({ phase }) => phase === 'upload');
  expect(uploads.at(-1)).toMatchObject({ done: received.length, total: received.length, unit: 'bytes' });
});

it('a read that fails after the upload was given up is nobody’s', async () => {
  const data = bytesSource('a.pdf', randomBytes(8 * 1024 ** 2));
  const stop = new AbortController();
  let fail = (_: Error) => {};
  const source = {
    ...data,
    readAside: async (into: Uint8Array, position: number) => {
      if (position === 0) return data.read(into, position);
      return new Promise<number>((_, reject) => {
        fail = reject;
      });
    },
  };
  const body = sourceBytes(source, stop.signal);
  expect((await body.next()).value).toHaveLength(2 * 1024 ** 2);
  stop.abort();
  await body.return(undefined);
  const unhandled: unknown[] = [];
  const keep = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', keep);
  fail(new Error('the disk is gone'));
  await sleep(20);
  process.off('unhandledRejection', keep);
  expect(unhandled).toEqual([]);
});

it('a file that ends early ends the body, which the length then tells', async () => {
  const data = bytesSource('a.pdf', randomBytes(3_000_000));
  const source = { ...readAside(data), size: 5_000_000 };
  let length = 0;
  for await (const chunk of sourceBytes(source, new AbortController().signal)) length += chunk.length;
  expect(length).toBe(3_000_000);
});

/** Spoils a buffer as soon as it is given one, and fills it later: bytes that are still being sent must not be in it. */
function readAside(source: RandomAccess): RandomAccess {
  return {
    ...source,
    async readAside(into, position) {
      into.fill(0xee);
      await sleep(5);
      return source.read(into, position);
    },
  };
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
