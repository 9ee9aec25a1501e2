// Owns the media types that go in and out. Knows no operation.
export const PDF = 'application/pdf';
export const PNG = 'image/png';
export const JPEG = 'image/jpeg';
export const ZIP = 'application/zip';
export const JSON_TYPE = 'application/json';
export const MARKDOWN = 'text/markdown';
export const NDJSON = 'application/x-ndjson';
/** @public for the description of the service (derive/openapi). */
export const TEXT = 'text/plain';
export const MP3 = 'audio/mpeg';
export const WAV = 'audio/wav';
const M4B = 'audio/mp4';
export const MP4 = 'video/mp4';

/** File name extensions, without the dot, of what a file argument may hold. The first is the one we write. */
export const EXTENSIONS: Record<string, readonly [string, ...string[]]> = {
  [PDF]: ['pdf'],
  [PNG]: ['png'],
  [JPEG]: ['jpg', 'jpeg'],
  [ZIP]: ['zip'],
  [JSON_TYPE]: ['json'],
  [MARKDOWN]: ['md'],
  [NDJSON]: ['jsonl'],
  [TEXT]: ['txt'],
  [MP3]: ['mp3'],
  [WAV]: ['wav'],
  [M4B]: ['m4b'],
  [MP4]: ['mp4'],
};
