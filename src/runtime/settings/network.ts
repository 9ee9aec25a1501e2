import { readFileSync } from 'node:fs';
import { readFailure } from '../files/system/file-failure.ts';
import type { Environment } from '../folders/user-folders.ts';

/** Proxy addresses by their usual names; the lower-case ones come first, as curl has it. */
export function readProxies(environment: Environment = process.env): { http?: string; https?: string; no?: string } {
  const given = (name: string) => environment[name.toLowerCase()] || environment[name] || undefined;
  const [http, https, no] = [given('HTTP_PROXY'), given('HTTPS_PROXY'), given('NO_PROXY')];
  return {
    ...(http === undefined ? {} : { http }),
    ...(https === undefined ? {} : { https }),
    ...(no === undefined ? {} : { no }),
  };
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
  return [caCert, ...(extra === undefined || extra === '' ? [] : [extra])].map((path) => {
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      throw readFailure(error, path);
    }
  });
}
