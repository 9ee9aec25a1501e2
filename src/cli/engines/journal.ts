import { resolve } from 'node:path';
import type { ByteSource, RandomAccess } from '../../contract/base/ports.ts';
import type { JobFile, JournalPorts } from '../../flow/job-ports.ts';
import { openJournal } from '../../flow/journal.ts';
import { systemClock } from '../../runtime/clock.ts';
import { systemEntropy } from '../../runtime/entropy.ts';
import { digest, fingerprint, isWhole, stampOf } from '../../runtime/files/inputs/fingerprint.ts';
import { LineFiles } from '../../runtime/files/stores/line-files.ts';
import { stateFolder } from '../../runtime/folders/user-folders.ts';
import type { Settings } from '../../runtime/settings/settings.ts';

export function openJournalPorts({ baseUrl, profile }: Pick<Settings, 'baseUrl' | 'profile'>): JournalPorts {
  return {
    journal: openJournal(new LineFiles(stateFolder()), systemClock, systemEntropy.token),
    // Without a trailing slash: two other spellings of one address count as two services.
    service: (baseUrl ?? '').replace(/\/+$/, ''),
    profile,
    fraction: systemEntropy.fraction,
    token: systemEntropy.token,
    digest,
  };
}

/** Identifies a file by its content; undefined where it is not on disk. */
export function identify(source: ByteSource): JobFile | undefined {
  const { size, read } = source;
  if (size === undefined || read === undefined) return undefined;
  // Checked above; the methods of a source may live on a prototype.
  const whole = source as RandomAccess;
  const print = fingerprint(whole);
  return { source: whole, fingerprint: print, ...(isWhole(whole) ? { sha256: print } : {}), isUnchanged: () => true };
}

/** The same for a named file, which may change until it is opened again. */
export function identifyNamed(source: RandomAccess, name: string): JobFile {
  const path = name === '-' ? undefined : resolve(name);
  const stamp = path === undefined ? undefined : stampOf(path);
  const file = identify(source);
  if (file === undefined) throw new TypeError(`${name} is not on disk`);
  return { ...file, path, isUnchanged: () => path === undefined || stampOf(path) === stamp };
}
