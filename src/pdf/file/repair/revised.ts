import { PdfFile } from '../read/pdf-file.ts';
import type { Source } from '../read/source.ts';
import { Windows } from '../read/windows.ts';
import type { XrefTable } from '../read/xref-table.ts';
import { Revision } from './revision.ts';

/** The source with objects in a revision behind its end. `put` enters them unencrypted and returns their numbers. */
export function revised(source: Source, put: (revision: Revision, table: XrefTable) => readonly number[]): Source {
  const { file } = source;
  const revision = new Revision(file.source);
  const table = file.xref.copy();
  const nums = put(revision, table);
  const changed = revision.source();
  const again = new PdfFile(changed, new Windows(changed), table);
  again.decryption = file.decryption?.withPlain(nums);
  again.password = file.password;
  again.promised = file.promised;
  again.guessed = file.guessed;
  again.mended = file.mended;
  for (const repair of file.repairs) again.repairs.add(repair);
  return {
    ...source,
    file: again,
    revision: { base: source.revision?.base ?? file, nums: [...(source.revision?.nums ?? []), ...nums] },
  };
}
