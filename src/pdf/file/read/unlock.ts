// Unlocks an encrypted file: the empty password opens most files for reading; else the password is asked for.

import { Failure } from '../../../contract/base/failure.ts';
import { say, setting } from '../../../contract/base/wording.ts';
import { KeyLost } from '../../syntax/damage.ts';
import { Dict } from '../../syntax/values.ts';
import { numberAt } from './entries.ts';
import { lostEncryption } from './lost-encryption.ts';
import type { PdfFile } from './pdf-file.ts';

/** Asks for the password of a file; undefined when nobody can give one. `attempt` counts from 1. */
export type AskPassword = (name: string, attempt: number) => Promise<string | undefined>;

const MAX_ATTEMPTS = 3;

/** Sets the decryption of a file that is encrypted. Throws a Failure where no password opens it, KeyLost where none can. */
export async function unlock(file: PdfFile, password: AskPassword | undefined): Promise<void> {
  const { trailer } = file.xref;
  const named = file.dict(trailer.get('Encrypt'));
  const encrypt = named ?? lostEncryption(file);
  if (encrypt === undefined) return;
  if (encrypt.number('V') === undefined && !encrypt.has('O') && !encrypt.has('Recipients')) {
    throw new KeyLost('what says how it is encrypted is lost');
  }
  // Before revision 5 the key also depends on the trailer's /ID: without it no password helps.
  const keyLost = named === undefined && !trailer.has('ID') && (numberAt(file, encrypt, 'R') ?? 0) < 5;
  const { decryptionWith, firstId, readHandler, UnknownHandler } = await import('../crypt/decryption.ts');
  try {
    const handler = readHandler(resolved(file, encrypt), firstId(file.resolve(trailer.get('ID'))));
    file.decryption = decryptionWith(handler, '');
    for (let attempt = 1; file.decryption === undefined; attempt++) {
      if (keyLost) throw new KeyLost('it is encrypted, and its key is lost with its trailer');
      const given = attempt > MAX_ATTEMPTS ? undefined : await password?.(file.name, attempt);
      if (given === undefined) throw locked(file.name, attempt > 1);
      file.decryption = decryptionWith(handler, given);
      file.password = given;
    }
    if (named === undefined) file.repairs.add('its trailer does not say that it is encrypted');
  } catch (error) {
    if (!(error instanceof UnknownHandler)) throw error;
    throw new Failure('password', `${file.name} is encrypted by ${error.message}, which pdftool does not know`, {
      kind: 'encrypted',
      cause: error,
      hint: 'Decrypt it with the program it was made for.',
    });
  }
}

function locked(name: string, wrong: boolean): Failure {
  return new Failure('password', wrong ? `${name}: the password is wrong` : `${name} needs a password`, {
    kind: 'encrypted',
    hint: say`Give it with ${setting('password-file', 'FILE')}, or in PDFTOOL_PDF_PASSWORD.`,
  });
}

/** Levels of dictionaries in an encryption dictionary: /CF, and the filters in it (ISO 32000-1, 7.6.5). */
const MOST_LEVELS = 3;

function resolved(file: PdfFile, dict: Dict, level = 1): Dict {
  const plain = new Dict();
  for (const [key, value] of dict) {
    const target = file.resolve(value);
    if (!(target instanceof Dict)) plain.set(key, target);
    else if (level < MOST_LEVELS) plain.set(key, resolved(file, target, level + 1));
  }
  return plain;
}
