import type { IncomingMessage } from 'node:http';
import { Failure } from '../../contract/failure.ts';

/** A header that may occur once. Of two, Node keeps the first, and a proxy may have checked the other. */
export function onlyHeader({ rawHeaders, headers }: IncomingMessage, name: string): string | undefined {
  const times = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name.toLowerCase()).length;
  if (times > 1) throw new Failure('usage', `expected one ${name} header, found ${times}`);
  const value = headers[name.toLowerCase()];
  return value === undefined ? undefined : String(value);
}
