// Reading by another thread: the bytes, the end of the file, and a descriptor that is closed meanwhile.
import { pbkdf2 } from 'node:crypto';
import { readdirSync, readlinkSync, realpathSync, truncateSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Descriptors } from '../../src/runtime/files/system/descriptors.ts';
import { folder } from '../e2e/pdftool.ts';

const THREADS = 4;

it('fills what it is given, and says how much there was', async () => {
  using here = folder();
  writeFileSync(here.at('a'), 'abcdefgh');
  const descriptors = new Descriptors();
  const file = descriptors.open(here.at('a'), 'a');
  const into = new Uint8Array(6);
  expect(await descriptors.readAside(file, into, 0)).toBe(6);
  expect(Buffer.from(into).toString()).toBe('abcdef');
  expect(await descriptors.readAside(file, into, 6)).toBe(2);
  expect(Buffer.from(into).toString()).toBe('ghcdef');
  expect(await descriptors.readAside(file, into, 8)).toBe(0);
  descriptors.close();
});

it('refuses a file that was cut since it was opened, and does not wait for what is gone', async () => {
  using here = folder();
  writeFileSync(here.at('a'), 'abcdefgh');
  const descriptors = new Descriptors();
  const file = descriptors.open(here.at('a'), 'a');
  truncateSync(here.at('a'), 4);
  expect(descriptors.read(file, new Uint8Array(4), 0)).toBe(4);
  expect(() => descriptors.read(file, new Uint8Array(4), 2)).toThrow('a changed while it was being read');
  await expect(descriptors.readAside(file, new Uint8Array(4), 2)).rejects.toThrow('a changed while it was being read');
  descriptors.close();
});

it.runIf(process.platform === 'linux')(
  'a descriptor is open until the reads under way have ended, and no longer',
  async () => {
    using here = folder();
    writeFileSync(here.at('a'), 'abcdefgh');
    const descriptors = new Descriptors();
    const file = descriptors.open(here.at('a'), 'a');
    // No thread is free before these are done, so both reads still wait when everything is closed.
    for (let thread = 0; thread < THREADS; thread += 1) pbkdf2('', '', 100_000, 64, 'sha512', () => {});
    const [left, right] = [new Uint8Array(4), new Uint8Array(4)];
    const reads = [descriptors.readAside(file, left, 0), descriptors.readAside(file, right, 4)];
    descriptors.close();
    expect(isOpen(here.at('a'))).toBe(true);
    expect(await Promise.all(reads)).toEqual([4, 4]);
    expect(Buffer.concat([left, right]).toString()).toBe('abcdefgh');
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOpen(here.at('a'))).toBe(false);
  },
);

function isOpen(path: string): boolean {
  const real = realpathSync(path);
  return readdirSync('/proc/self/fd').some((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === real;
    } catch {
      return false; // closed since the folder was read
    }
  });
}
