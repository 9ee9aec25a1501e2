// What a server must survive: each a clean error record, nothing charged, no file left, and the next request served.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { folder } from '../e2e/pdftool.ts';
import { formBytes, noisyPdf } from './documents.ts';
import { form, type Rig, startRig, until } from './rig.ts';

const LOREM = readFileSync(join(import.meta.dirname, '../fixtures/lorem-ipsum.pdf'));

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({
    settings: {
      limits: { rotate: { inputBytes: 300_000 }, 'extract-text': { inputBytes: 200_000 } },
      minimum_rate: 1_000,
      rate_window_seconds: 1,
      request_seconds: 20,
    },
  });
});
afterAll(() => rig.close());

afterEach(async () => {
  const { gate, folders, store } = rig.server.service;
  await until(() => (gate.inside === 0 ? true : undefined));
  expect(readdirSync(folders.requests)).toEqual([]);
  expect(await store.audit()).toMatchObject({ entries: { charge: 0 }, reserved: 0, mismatches: [] });
  const { status } = await rig.send('/api/v1/account');
  expect(status).toBe(200);
});

/** Bytes as they are, over a plain connection; what came back, and how many of them had been sent by then. */
function raw(head: string, chunks: AsyncIterable<string | Buffer> | Iterable<string | Buffer> = []) {
  return new Promise<{ status: number; text: string; sent: number }>((resolve) => {
    let [text, sent] = ['', 0];
    const socket: Socket = connect(rig.server.port, '127.0.0.1', async () => {
      socket.write(head.replaceAll('\n', '\r\n'));
      try {
        for await (const chunk of chunks) {
          if (text !== '' || socket.destroyed) break;
          if (!socket.write(chunk)) await new Promise((drained) => socket.once('drain', drained));
          sent += chunk.length;
        }
      } catch {
        // The server closed the connection: what it said is what counts.
      }
    });
    const done = () => resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text, sent });
    socket.on('data', (chunk) => {
      text += String(chunk);
      if (/\r\n\r\n.*\}$/s.test(text)) {
        done();
        socket.destroy();
      }
    });
    socket.on('error', () => {});
    socket.on('close', done);
  });
}

const head = (path: string, more: string) =>
  `POST /api/v1/${path} HTTP/1.1\nHost: x\nX-API-Key: ${rig.key}\n${more}\n\n`;
const FORM = 'Content-Type: multipart/form-data; boundary=XX';
const PART = (name: string) => `--XX\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
const send = (path: string, body: string, type = FORM) =>
  raw(head(path, `${type}\nContent-Length: ${Buffer.byteLength(body)}`), [body]);

describe('multipart', () => {
  it.each([
    ['no content type', 'X-Nothing: 1', 'x', /no content type/],
    ['no boundary', 'Content-Type: multipart/form-data', 'x', /with a boundary/],
    ['an empty boundary', 'Content-Type: multipart/form-data; boundary=', 'x', /boundary/],
    ['another type', 'Content-Type: application/pdf', '%PDF-1.4', /expected multipart\/form-data/],
    ['a body of another boundary', FORM, '--YY\r\n\r\nx\r\n--YY--\r\n', /malformed|missing/],
    ['no closing boundary', FORM, `${PART('a.pdf')}%PDF-1.4`, /malformed/],
    ['an empty body', FORM, '', /malformed|missing/],
    ['a part without a name', FORM, '--XX\r\nContent-Type: text/plain\r\n\r\nx\r\n--XX--\r\n', /malformed/],
    [
      'a part that is no form-data',
      FORM,
      '--XX\r\nContent-Disposition: attachment; name="file"\r\n\r\nx\r\n--XX--\r\n',
      /malformed/,
    ],
    ['a file as text', FORM, '--XX\r\nContent-Disposition: form-data; name="file"\r\n\r\nx\r\n--XX--\r\n', /file part/],
    ['a file of another name', FORM, `${PART('a').replace('name="file"', 'name="pdf"')}x\r\n--XX--\r\n`, /named file/],
  ])('with %s is a 400', async (_, type, body, says) => {
    const { status, text } = await send('rotate', body, type);
    expect(status).toBe(400);
    expect(text).toMatch(says);
    expect(text).toContain('"credits_charged":0');
  });

  it('with too many parts is a 400, not a merge of some of them', async () => {
    const files = `${PART('a.pdf')}%PDF-1.4\r\n`.repeat(22);
    const many = await send('merge-compress', `${files}--XX--\r\n`);
    expect(many.status).toBe(400);
    expect(many.text).toMatch(/at most 21 file parts|2 to 20/);
    const fields = '--XX\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n'.repeat(100);
    expect((await send('rotate', `${fields}--XX--\r\n`)).status).toBe(400);
  });

  it('with a field of megabytes is refused', async () => {
    const body = `--XX\r\nContent-Disposition: form-data; name="angle"\r\n\r\n${'9'.repeat(200_000)}\r\n--XX--\r\n`;
    expect((await send('rotate', body)).status).toBe(413);
  });

  it('never makes a path of a name', async () => {
    for (const name of ['../../../../tmp/pwned.pdf', 'C:\\\\x.pdf', '/etc/passwd', 'a\u0000b.pdf', '..']) {
      const { status, text } = await send(
        'rotate',
        `${PART(name)}not a PDF\r\n--XX\r\nContent-Disposition: form-data; name="angle"\r\n\r\n90\r\n--XX--\r\n`,
      );
      expect([name, status]).toEqual([name, 400]);
      expect(text).not.toMatch(/etc\/|\.\.\//);
    }
  });
});

describe('a file over the limit', () => {
  it('is refused before a byte of it is read, where its length is announced', async () => {
    const { status, sent } = await raw(head('rotate', `${FORM}\nContent-Length: 500000000`));
    expect([status, sent]).toEqual([413, 0]);
  });

  it('is refused when the limit is passed, not when all has been read', async () => {
    const megabyte = Buffer.alloc(64 * 1024, 'x');
    async function* endless() {
      const chunk = (bytes: Buffer | string) =>
        Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), Buffer.from(bytes), Buffer.from('\r\n')]);
      yield chunk(PART('a.pdf'));
      for (let i = 0; i < 10_000; i += 1) {
        yield chunk(megabyte);
        await sleep(1);
      }
    }
    const { status, text, sent } = await raw(head('rotate', `${FORM}\nTransfer-Encoding: chunked`), endless());
    expect(status).toBe(413);
    expect(text).toMatch(/at most 300000 bytes/);
    expect(sent).toBeLessThan(20 * 1024 ** 2);
  });

  it('of exactly the limit is taken, of one byte more is not', async () => {
    const of = (size: number) =>
      form({ 'a.pdf': Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(size - 9, ' ')]) });
    expect((await rig.send('/api/v1/extract-text', of(200_000))).status).toBe(400);
    const over = await rig.send('/api/v1/extract-text', of(200_001));
    expect([over.status, ((await over.json()) as { error: string }).error]).toEqual([
      413,
      expect.stringMatching(/200000 bytes/),
    ]);
  });
});

describe('a sender', () => {
  it('that is too slow is given up, with an answer', async () => {
    async function* drip() {
      yield PART('a.pdf');
      for (let i = 0; i < 100; i += 1) {
        yield 'x';
        await sleep(100);
      }
    }
    const { status, text } = await raw(head('rotate', `${FORM}\nContent-Length: 100000`), drip());
    expect(status).toBe(400);
    expect(text).toMatch(/too slow/);
  });

  it('that leaves in the middle leaves nothing', async () => {
    const socket = connect(rig.server.port, '127.0.0.1');
    socket.write(
      head('rotate', `${FORM}\nContent-Length: 100000`).replaceAll('\n', '\r\n') + PART('a.pdf') + 'x'.repeat(5000),
    );
    await until(() => (readdirSync(rig.server.service.folders.requests).length === 1 ? true : undefined));
    socket.destroy();
  });

  it('that is refused while it sends gets to read why', async () => {
    const answer = await fetch(`${rig.url}/api/v1/compress`, form({ 'a.pdf': Buffer.alloc(8 * 1024 ** 2) }));
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ ok: false });
  });
});

describe('a client', () => {
  it('that never reads its answer is given up, and its place is free again', async () => {
    const stalled = await startRig({ settings: { stall_seconds: 1 } });
    const body = formBytes(noisyPdf(8 * 1024 ** 2), { angle: '90' });
    const socket = connect(stalled.server.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.pause();
    socket.write(
      `POST /api/v1/rotate HTTP/1.1\r\nHost: x\r\nX-API-Key: ${stalled.key}\r\n${FORM}\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    socket.write(body);
    const { gate, folders, store } = stalled.server.service;
    await until(async () => ((await store.audit()).entries.reserve === 1 ? true : undefined));
    expect(gate.inside).toBe(1);
    await until(() => (gate.inside === 0 ? true : undefined));
    expect(await store.audit()).toMatchObject({ entries: { charge: 0, release: 1 }, reserved: 0, mismatches: [] });
    expect(readdirSync(folders.requests)).toEqual([]);
    socket.destroy();
    await stalled.close();
  });
});

describe('a ZIP', () => {
  const python = async (script: string) => {
    using here = folder();
    writeFileSync(here.at('a.pdf'), LOREM);
    const prelude =
      'import sys,zipfile,os\nos.chdir(sys.argv[1])\nz=zipfile.ZipFile("out.zip","w",zipfile.ZIP_DEFLATED)\n';
    await execa('python3', ['-W', 'ignore', '-c', `${prelude}${script}\nz.close()`, here.path]);
    return readFileSync(here.at('out.zip'));
  };
  const LINK = 'i=zipfile.ZipInfo("link.pdf")\ni.external_attr=0o120777<<16\nz.writestr(i,"/etc/passwd")';

  it.each([
    ['that is a bomb', 'z.writestr("bomb.pdf", b"0"*200_000_000)', /unpacks to more than 200 times/],
    ['that climbs out', 'z.write("a.pdf","../../evil.pdf")', /unsafe|invalid relative path|cannot be read/],
    ['with an absolute name', 'i=zipfile.ZipInfo("/tmp/evil.pdf")\nz.writestr(i,"x")', /unsafe|absolute path/],
    [
      'with a backslash',
      'z.write("a.pdf","a.pdf")\nz.filelist[-1].filename="..\\\\evil.pdf"',
      /unsafe|invalid|cannot be/,
    ],
    ['with a link', LINK, /unsafe/],
    ['with one name twice', 'z.write("a.pdf","a.pdf")\nz.write("a.pdf","A.PDF")', /twice/],
    ['with too many files', 'for i in range(101): z.writestr(f"{i}.pdf","x")', /at most 100 files/],
    ['without a PDF', 'z.writestr("a.txt","x")', /no PDF/],
  ])('%s fails with a reason', async (_, script, says) => {
    const zip = await python(script);
    const body = { workflow: 'folder', inputBytes: zip.length, options: {}, maxCredits: 100 };
    const json = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
    const job = (await (await rig.send('/api/v1/workflow-jobs', json)).json()) as {
      jobId: string;
      uploadId: string;
      upload: { session_uri: string };
    };
    await fetch(job.upload.session_uri, { method: 'PUT', body: new Uint8Array(zip) });
    await rig.send(`/api/v1/workflow-jobs/${job.uploadId}`, { method: 'POST' });
    const ended = await until(async () => {
      const told = (await (await rig.send(`/api/v1/workflow-jobs/${job.jobId}`)).json()) as Record<string, string>;
      return told.status === 'failed' || told.status === 'succeeded' ? told : undefined;
    });
    expect(ended.status).toBe('failed');
    expect(ended.error_message).toMatch(says);
    const [uploads, work, results] = ['uploads', 'work', 'results'].map((name) => join(rig.data, name)) as [
      string,
      string,
      string,
    ];
    await until(() => (readdirSync(work).length === 0 ? true : undefined));
    expect([uploads, results].flatMap((path) => readdirSync(path))).toEqual([]);
  });
});

describe('a worker', () => {
  it('that is killed under its task costs nothing, and another takes the next', async () => {
    const slow = await startRig();
    const body = form({ 'a.pdf': readFileSync(join(import.meta.dirname, '../fixtures/guide.pdf')) });
    const asked = slow.send('/api/v1/compress', body);
    await until(() => {
      if (statSync(slow.server.service.folders.requests).nlink < 3) return undefined;
      const [pid] = slow.server.workers().requests;
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
      return true;
    });
    const answer = await asked;
    if (answer.status !== 200) {
      expect(answer.status).toBe(500);
      expect(await answer.json()).toMatchObject({ ok: false, _meta: { code: 'internal', credits_charged: 0 } });
    }
    expect((await slow.send('/api/v1/compress', body)).status).toBe(200);
    expect((await slow.server.service.store.audit()).mismatches).toEqual([]);
    await slow.close();
  });

  it.each([
    ['time', { request_seconds: 1 }, /longer than the 1 s/],
    ['memory', { memory_bytes: 30_000_000 }, /more memory/],
  ])('that oversteps its %s is killed, and the request told', async (_, settings, says) => {
    const bounded = await startRig({ settings });
    const guide = readFileSync(join(import.meta.dirname, '../fixtures/guide.pdf'));
    const files = Object.fromEntries(Array.from({ length: 20 }, (_each, i) => [`${i}.pdf`, guide]));
    const slow = 'request_seconds' in settings;
    // A worker is ready when this is answered, which costs nothing.
    if (slow) expect((await bounded.send('/api/v1/extract-text', form({ 'a.pdf': 'x' }))).status).toBe(400);
    const asked = bounded.send('/api/v1/merge-compress', form(files));
    // However fast the machine is: a stopped worker never ends its task.
    if (slow) {
      await until(() => (statSync(bounded.server.service.folders.requests).nlink < 3 ? undefined : true));
      for (const pid of bounded.server.workers().requests) process.kill(pid, 'SIGSTOP');
    }
    const answer = await asked;
    expect(answer.status).toBe(413);
    expect(((await answer.json()) as { error: string }).error).toMatch(says);
    expect(await bounded.server.service.store.audit()).toMatchObject({ entries: { charge: 0 }, reserved: 0 });
    await bounded.close();
  });
});
