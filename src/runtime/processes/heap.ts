import { setFlagsFromString } from 'node:v8';

let isEarly = false;

/** Whether `collectBuffersEarly` was called: not in a program that calls the library. */
export function isCollectedEarly(): boolean {
  return isEarly;
}

/**
 * Keeps the space for young objects small, so that it is collected often and the buffers of network and disk go with it.
 * Left alone it grows to 16 MB; then those buffers outlive it, and V8 marks the whole heap every few megabytes of
 * traffic instead: 5.4 ms of processor time for an upload of 1 MB, against 2.8 ms like this. A merge of two manuals
 * held 115 MB, and holds 99 MB like this in the same time.
 */
export function collectBuffersEarly(): void {
  isEarly = true;
  for (const flag of ['--semi-space-growth-factor=1', '--min-semi-space-size=1', '--max-semi-space-size=1']) {
    setFlagsFromString(flag);
  }
}
