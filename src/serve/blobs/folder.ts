import { pipeline } from 'node:stream/promises';
import {
  appendBlob,
  joinPath,
  listBlobs,
  placeBlob,
  pourBlob,
  removeBlob,
  sizeOf,
  syncBlob,
} from '../../runtime/files/stores/blobs.ts';
import type { Blobs } from './blobs.ts';

/** Blobs in a folder that has the folders `uploads` and `results`. */
export function folderBlobs(data: string): Blobs {
  const at = (blob: string) => joinPath(data, blob);
  return {
    isOnDisk: true,
    async size(blob) {
      const size = await sizeOf(at(blob));
      // Without its folder the whole disk is missing, not just one blob.
      if (size === undefined && (await sizeOf(at('uploads'))) === undefined) throw new Error(`${data} has no uploads`);
      return size ?? 0;
    },
    append: (blob, _offset, chunks) => pipeline(chunks, appendBlob(at(blob))),
    seal: (blob) => syncBlob(at(blob)),
    read: (blob, into, start, end) => pourBlob(at(blob), into, start, end),
    fetch: async (blob) => at(blob),
    promote: (path, blob) => placeBlob(path, at(blob)),
    remove: (blob) => removeBlob(at(blob)),
    async list() {
      const [uploads, results] = await Promise.all([listBlobs(at('uploads')), listBlobs(at('results'))]);
      return [
        ...uploads.map((name) => `uploads/${name}` as const),
        ...results.map((name) => `results/${name}` as const),
      ];
    },
    address: async () => undefined,
    close() {},
  };
}
