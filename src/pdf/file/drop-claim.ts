import { Dict, Name } from '../syntax/values.ts';
import { packetWithoutArchive } from './read/claims.ts';
import type { Source } from './read/source.ts';
import { revised } from './repair/revised.ts';

/**
 * The source as a document that does not claim PDF/A, for work after which the claim would be false; undefined where it claims
 * none.
 */
export function withoutArchiveClaim(source: Source): Source | undefined {
  const packet = packetWithoutArchive(source.file);
  if (packet === undefined) return undefined;
  return revised(source, (revision, table) => {
    const bytes = Buffer.from(packet.text);
    const entries: [string, Name | number][] = [
      ['Type', new Name('Metadata')],
      ['Subtype', new Name('XML')],
      ['Length', bytes.length],
    ];
    revision.put(table, packet.num, new Dict(entries), bytes);
    return [packet.num];
  });
}
