import { createHash } from 'node:crypto';
import { strToU8, unzipSync } from 'fflate/browser';
import { Failure } from '../../contract/base/failure.ts';
import { CHUNKER, type Chunk, jsonLines } from './output/chunks.ts';
import { zipped } from './output/zipped.ts';

const NAMES = ['README.txt', 'document.md', 'chunks.jsonl', 'manifest.json'] as const;
type Files = Record<(typeof NAMES)[number], Uint8Array>;

const README = `Source pack
===========

document.md    the text of the document as Markdown, an anchor at the start of each page
chunks.jsonl   the same text in bounded chunks, one JSON object per line
manifest.json  SHA-256 and size of the files above

The pack was made from the document's text layer. The document itself and its file name are not part of it.
The hashes show that the files are unchanged and belong together; they prove nothing about the document's content.
`;

/** Writes the pack, opens it again and compares its files. Limits on its contents are checked by reading the archive. */
export function sourcePack(markdown: string, chunks: readonly Chunk[], pageCount: number): Uint8Array {
  const files: Files = {
    'README.txt': strToU8(README),
    'document.md': strToU8(markdown),
    'chunks.jsonl': strToU8(jsonLines(chunks)),
    'manifest.json': new Uint8Array(),
  };
  const listed = NAMES.slice(0, 3).map((name) => ({
    name,
    bytes: files[name].length,
    sha256: createHash('sha256').update(files[name]).digest('hex'),
  }));
  const manifest = {
    schema_version: 1,
    mode: 'rag',
    extraction_mode: 'pdfjs_text_layer',
    chunker: CHUNKER,
    page_count: pageCount,
    chunk_count: chunks.length,
    files: listed,
  };
  files['manifest.json'] = strToU8(`${JSON.stringify(manifest, null, 2)}\n`);
  const zip = zipped(files);
  verify(zip, files);
  return zip;
}

function verify(zip: Uint8Array, files: Files): void {
  const entries = unzipSync(zip);
  const names = Object.keys(entries);
  const same =
    names.join() === NAMES.join() &&
    NAMES.every((name) => Buffer.compare(entries[name] ?? new Uint8Array(), files[name]) === 0);
  if (!same) throw new Failure('internal', `the source pack did not read back as it was written: ${names.join(', ')}`);
}
