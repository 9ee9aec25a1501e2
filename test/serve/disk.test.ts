// The room on the disk is promised once: refused with a sentence before anything is read, never in the middle without one.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { folder } from '../e2e/pdftool.ts';
import { form, type Rig, startRig, until } from './rig.ts';

const MB = 1024 ** 2;
/** A file system in memory, which few others write to. */
const SHM = '/dev/shm';
const places: string[] = [];
afterAll(() => {
  for (const path of places) rmSync(path, { recursive: true, force: true });
});

function hasShm(): boolean {
  try {
    return statfsSync(SHM).bavail * statfsSync(SHM).bsize > 600 * MB;
  } catch {
    return false;
  }
}

/** A file system of so many bytes; undefined where this process may not make one. */
function smallDisk(bytes: number): { path: string; end(): void } | undefined {
  const here = folder();
  try {
    mkdirSync(here.at('disk'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=700`, 'pdftool-test', here.at('disk')], {
      stdio: 'ignore',
    });
  } catch {
    here[Symbol.dispose]();
    return undefined;
  }
  return {
    path: here.at('disk'),
    end() {
      execFileSync('umount', ['-l', here.at('disk')]);
      here[Symbol.dispose]();
    },
  };
}

const create = (rig: Rig, inputBytes: number) =>
  rig.send('/api/v1/workflow-jobs', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ workflow: 'compress', inputBytes, options: {}, maxCredits: 1 }),
  });

describe.runIf(hasShm())('room', () => {
  it('that an open session was promised is not promised again', async () => {
    const at = mkdtempSync(join(SHM, 'pdftool-test-'));
    places.push(at);
    const { bavail, bsize } = statfsSync(at);
    const rig = await startRig({ at, settings: { reserve_disk_bytes: bavail * bsize - 400 * MB } });
    const before = await rig.credits();
    // Once for the upload, once for what is made of it.
    const first = await create(rig, 150 * MB);
    expect(first.status).toBe(200);
    const second = await create(rig, 150 * MB);
    expect([second.status, second.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await second.json()).toMatchObject({
      ok: false,
      error: expect.stringMatching(/no room on its disk for \d+ bytes/),
    });
    expect(await rig.credits()).toBe(before - 1);
    expect((await rig.send('/api/v1/pdf-info', form({ 'a.pdf': 'x' }))).status).toBe(400);
    await rig.close();
  });

  it('of a request is promised before its body is read, and given back', async () => {
    const at = mkdtempSync(join(SHM, 'pdftool-test-'));
    places.push(at);
    const { bavail, bsize } = statfsSync(at);
    const limits = { rotate: { inputBytes: 200 * MB } };
    const rig = await startRig({ at, settings: { reserve_disk_bytes: bavail * bsize - 400 * MB, limits } });
    const begin = () =>
      new Promise<{ text: string; leave(): void }>((resolve) => {
        const socket = connect(rig.server.port, '127.0.0.1', () =>
          socket.write(
            `POST /api/v1/rotate HTTP/1.1\r\nHost: x\r\nX-API-Key: ${rig.key}\r\nExpect: 100-continue\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: ${140 * MB}\r\n\r\n`,
          ),
        );
        socket.on('data', (chunk) => resolve({ text: String(chunk), leave: () => socket.destroy() }));
      });
    const first = await begin();
    expect(first.text).toMatch(/^HTTP\/1\.1 100/);
    const second = await begin();
    expect(second.text).toMatch(/^HTTP\/1\.1 503 [\s\S]*no room/);
    first.leave();
    second.leave();
    await until(() => (rig.server.service.gate.inside === 0 ? true : undefined));
    const third = await begin();
    expect(third.text).toMatch(/^HTTP\/1\.1 100/);
    third.leave();
    await rig.close();
  });
});

const disk = smallDisk(24 * MB);
afterAll(() => disk?.end());

describe.runIf(disk !== undefined)('a disk that somebody else fills', () => {
  it('is told with 507 in the middle of an upload, which goes on when there is room again', async () => {
    const rig = await startRig({ at: join(String(disk?.path), 'data'), settings: { reserve_disk_bytes: 1 } });
    const body = new Uint8Array(8 * MB);
    const job = (await (await create(rig, body.length)).json()) as {
      uploadId: string;
      upload: { session_uri: string };
    };
    const filler = join(String(disk?.path), 'filler');
    const { bavail, bsize } = statfsSync(String(disk?.path));
    writeFileSync(filler, new Uint8Array(bavail * bsize - 4 * MB));
    const put = await fetch(job.upload.session_uri, { method: 'PUT', body });
    expect([put.status, await put.json()]).toEqual([
      507,
      expect.objectContaining({ error: expect.stringMatching(/disk of the server is full/) }),
    ]);
    const request = await rig.send('/api/v1/pdf-info', form({ 'a.pdf': new Uint8Array(8 * MB) }));
    expect([503, 507]).toContain(request.status);
    expect((await fetch(`${rig.url}/livez`)).status).toBe(200);
    rmSync(filler);
    const asked = await fetch(job.upload.session_uri, {
      method: 'PUT',
      headers: { 'Content-Range': `bytes */${body.length}` },
    });
    const have = Number(/bytes=0-(\d+)/.exec(asked.headers.get('range') ?? '')?.[1] ?? -1) + 1;
    expect(have).toBeGreaterThan(0);
    const headers = { 'Content-Range': `bytes ${have}-${body.length - 1}/${body.length}` };
    const rest = await fetch(job.upload.session_uri, { method: 'PUT', body: body.subarray(have), headers });
    expect(await rest.json()).toMatchObject({ complete: true });
    expect((await rig.server.service.store.audit()).mismatches).toEqual([]);
    await rig.close();
  });
});
