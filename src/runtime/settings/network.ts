import { present } from '../../contract/present.ts';
import { readNow } from '../files/system/file-source.ts';
import type { Environment } from '../folders/user-folders.ts';

/** Proxy addresses by their usual names; the lower-case ones come first, as curl has it. */
export function readProxies(environment: Environment = process.env): { http?: string; https?: string; no?: string } {
  const given = (name: string) => environment[name.toLowerCase()] || environment[name] || undefined;
  return present({ http: given('HTTP_PROXY'), https: given('HTTPS_PROXY'), no: given('NO_PROXY') });
}

/**
 * The PEM text of `caCert`, and with it that of NODE_EXTRA_CA_CERTS: Node itself drops the latter as soon as
 * authorities are named. Undefined without `caCert`: then Node's own list holds.
 */
export function readAuthorities(
  caCert: string | undefined,
  environment: Environment = process.env,
): string[] | undefined {
  if (caCert === undefined) return undefined;
  const extra = environment.NODE_EXTRA_CA_CERTS;
  return [caCert, ...(extra === undefined || extra === '' ? [] : [extra])].map(readNow);
}
