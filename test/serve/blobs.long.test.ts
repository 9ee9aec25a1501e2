import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { makePrivate } from '../../src/runtime/files/stores/blobs.ts';
import { folderBlobs } from '../../src/serve/blobs/folder.ts';
import { openS3 } from '../../src/serve/blobs/s3.ts';
import { folder } from '../e2e/pdftool.ts';
import { blobsContract } from './blobs-contract.ts';
import { BUCKET, KEY, REGION, type S3Server, startS3 } from './s3.ts';

describe('blobs in a folder', () => {
  const here = folder();
  blobsContract(async () => {
    for (const name of ['uploads', 'results']) await makePrivate(here.at(name));
    return folderBlobs(here.at('.'));
  });
});

describe('blobs in a bucket', () => {
  let s3: S3Server;
  beforeAll(async () => {
    s3 = await startS3();
  });
  afterAll(() => s3.remove());
  const place = () => ({
    ...{ address: `s3://${BUCKET}/some/prefix`, key: KEY, endpoint: s3.endpoint, region: REGION, isDirect: true },
  });
  const open = (other: Partial<Parameters<typeof openS3>[0]> = {}, clock = systemClock) =>
    openS3({ ...place(), ...other }, 'mark', clock);

  blobsContract(() => open());

  it('follows pieces that overlap, as two servers leave them that were sent the same bytes', async () => {
    const here = folder();
    const blobs = await open();
    const of = async function* (text: string) {
      yield Buffer.from(text);
    };
    await blobs.append('uploads/up_3', 0, of('abcd'));
    await blobs.append('uploads/up_3', 0, of('abcdefgh'));
    await blobs.append('uploads/up_3', 4, of('efghijkl'));
    expect(await blobs.size('uploads/up_3')).toBe(12);
    expect(readFileSync(await blobs.fetch('uploads/up_3', here.at('copy')), 'utf8')).toBe('abcdefghijkl');
    await blobs.remove('uploads/up_3');
    expect(s3.objects()).toEqual(['some/prefix/store-id']);
  });

  it('gives addresses that clients fetch, for a while', async () => {
    const here = folder();
    const blobs = await open();
    writeFileSync(here.at('out'), 'a result');
    await blobs.promote(here.at('out'), 'results/job_2.1.txt');
    const shown = { mediaType: 'text/plain', fileName: 'compress.txt' };
    const address = String(await blobs.address('results/job_2.1.txt', 8, 3_600, shown));
    const answer = await fetch(address);
    expect([answer.status, await answer.text()]).toEqual([200, 'a result']);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="compress.txt"');
    expect((await fetch(address.replace('job_2', 'job_3'))).status).toBe(403);
    const soon = String(await blobs.address('results/job_2.1.txt', 8, 1, shown));
    await sleep(2_500);
    expect((await fetch(soon)).status).toBe(403);
    await blobs.remove('results/job_2.1.txt');
  });

  it('waits while the storage is away, and goes on', async () => {
    const here = folder();
    const blobs = await open();
    writeFileSync(here.at('out'), 'kept');
    await s3.stop();
    const placed = blobs.promote(here.at('out'), 'results/job_4.1.txt');
    await sleep(1_500);
    await s3.start();
    await placed;
    s3.refuse();
    const sized = blobs.size('results/job_4.1.txt');
    await sleep(500);
    s3.accept();
    expect([await sized, s3.refused() > 0]).toEqual([4, true]);
    await blobs.remove('results/job_4.1.txt');
  });

  it('are listed whole where they are more than a page of the list', { timeout: 120_000 }, async () => {
    const blobs = await open();
    const names = Array.from({ length: 1_050 }, (_, index) => `uploads/up_${index}` as const);
    const left = names.values();
    const put = async () => {
      for (const name of left)
        await blobs.append(
          name,
          0,
          (async function* () {
            yield Buffer.from('x');
          })(),
        );
    };
    await Promise.all([put(), put(), put(), put()]);
    expect((await blobs.list()).sort()).toEqual([...names].sort());
    const taken = names.values();
    const remove = async () => {
      for (const name of taken) await blobs.remove(name);
    };
    await Promise.all([remove(), remove(), remove(), remove()]);
    expect(await blobs.list()).toEqual([]);
  });

  it('are reached with a key that is good for a while, whose token is signed too', async () => {
    const strict = await startS3('a token');
    try {
      const here = folder();
      const other = { endpoint: strict.endpoint };
      const blobs = await open({ ...other, token: 'a token' });
      writeFileSync(here.at('out'), 'a result');
      await blobs.promote(here.at('out'), 'results/job_5.1.txt');
      const shown = { mediaType: 'text/plain', fileName: 'compress.txt' };
      const answer = await fetch(String(await blobs.address('results/job_5.1.txt', 8, 3_600, shown)));
      expect([answer.status, await answer.text()]).toEqual([200, 'a result']);
      blobs.close();
      await expect(open({ ...other, token: 'another' })).rejects.toThrow(
        /does not take the token of the access key S3RVER/,
      );
      await expect(open(other)).rejects.toThrow(/does not take the token/);
    } finally {
      await strict.remove();
    }
  });

  it('are refused with a sentence that says what is wrong', async () => {
    await open();
    await expect(open({ address: 's3://nowhere-else' })).rejects.toThrow(/there is no bucket nowhere-else at 127/);
    await expect(open({ key: 'OTHER:S3RVER' })).rejects.toThrow(/does not know the access key OTHER/);
    await expect(open({ key: 'S3RVER:wrong' })).rejects.toThrow(/the secret of the access key S3RVER is wrong/);
    await expect(open({ region: 'us-east-1' })).rejects.toThrow(/papers is in region eu-west-1, not in us-east-1/);
    await expect(open({ key: undefined })).rejects.toThrow(/needs an access key, as ID:SECRET/);
    await expect(open({ address: 'papers' })).rejects.toThrow(/expected a storage such as s3:/);
    await expect(open({ endpoint: 'http://127.0.0.1:9' })).rejects.toThrow(/cannot be reached: ECONNREFUSED/);
    await expect(openS3(place(), 'another', systemClock)).rejects.toThrow(/belong to another database/);
    const late = (seconds: number) => ({ ...systemClock, now: () => systemClock.now() - seconds * 1000 });
    await expect(open({}, late(300))).rejects.toThrow(/clock of this machine is (299|300|301) s behind/);
    await expect(open({}, late(3_600))).rejects.toThrow(/clock of this machine is minutes away/);
  });
});
