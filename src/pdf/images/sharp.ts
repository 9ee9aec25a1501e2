import { createRequire } from 'node:module';

type SharpFactory = typeof import('sharp').default;

/**
 * Loads sharp, for one thread and without its cache, which would keep pixels that are never asked for again: pictures run
 * in parallel, and threads within one would only hold more memory. Its ES modules take Node 20 another 60 ms, and would
 * not be found beside a single executable. Throws where it is not installed.
 */
export function loadSharp(): SharpFactory {
  const sharp: SharpFactory = createRequire(import.meta.url)('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}
