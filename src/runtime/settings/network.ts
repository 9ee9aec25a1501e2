import { present } from '../../contract/base/present.ts';
import { readNow } from '../files/system/file-source.ts';

/** Proxy addresses by their usual names; the lower-case ones come first, as curl has it. */
export function readProxies(): { http?: string; https?: string; no?: string } {
  const given = (name: string) => process.env[name.toLowerCase()] || process.env[name] || undefined;
  return present({ http: given('HTTP_PROXY'), https: given('HTTPS_PROXY'), no: given('NO_PROXY') });
}

/**
 * The PEM text of `caCert`, and with it that of NODE_EXTRA_CA_CERTS: Node itself drops the latter as soon as
 * authorities are named. Undefined without `caCert`: then Node's own list holds.
 */
export function readAuthorities(caCert: string | undefined): string[] | undefined {
  if (caCert === undefined) return undefined;
  const extra = process.env.NODE_EXTRA_CA_CERTS;
  return [caCert, ...(extra === undefined || extra === '' ? [] : [extra])].map(readNow);
}
