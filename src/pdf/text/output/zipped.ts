import { zipSync } from 'fflate/browser';

/** A reproducible archive. fflate deflates in JavaScript: zlib's bytes differ between builds of Node. */
export function zipped(files: Record<string, Uint8Array>): Uint8Array {
  // The time of a ZIP entry is local time; a local date is the same there in every zone.
  const mtime = new Date(1980, 0, 1);
  return zipSync(files, { level: 6, mtime, os: 3, attrs: 0o100644 << 16 });
}
