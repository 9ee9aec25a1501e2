import { Failure } from '../contract/base/failure.ts';
import { command, say, setting } from '../contract/base/wording.ts';
import type { KeyHeader } from './settings.ts';

const FORM = /^sk_(live|test)_[\x21-\x7e]{1,500}$/;

/** A valid key. Its text never appears in a message. */
export function checkKey(key: string | undefined): string {
  if (key === undefined || key === '') {
    throw new Failure('unauthenticated', 'no API key is configured', {
      hint: say`Run ${command('auth login')}, set PDFTOOL_API_KEY, or work here with ${setting('local')}.`,
    });
  }
  if (!FORM.test(key)) {
    throw new Failure('unauthenticated', `the API key is malformed: ${reason(key)}`, {
      hint: 'Copy the whole key again: pdftool auth login',
    });
  }
  return key;
}

export function isWellFormedKey(key: string): boolean {
  return FORM.test(key);
}

/** `live` or `test`, as the key's beginning says. */
export function kindOf(key: string): 'live' | 'test' {
  return key.startsWith('sk_live_') ? 'live' : 'test';
}

/** A key in displayable form: its beginning, and its last four characters where enough stays hidden. */
export function maskKey(key: string): string {
  const secret = key.replace(/^sk_(?:live|test)_/, '');
  const start = key.slice(0, key.length - secret.length);
  return `${start}…${secret.length >= 12 ? secret.slice(-4) : ''}`;
}

export function keyHeaders(key: string, header: KeyHeader = 'bearer'): Record<string, string> {
  return header === 'bearer' ? { authorization: `Bearer ${key}` } : { 'x-api-key': key };
}

function reason(key: string): string {
  if (/\s/.test(key)) return 'it holds white space';
  if (/^sk_(live|test)_/.test(key)) return 'it holds characters a key cannot have, or nothing after its beginning';
  return `expected it to begin with sk_live_ or sk_test_ (found ${key.length} characters that do not)`;
}
