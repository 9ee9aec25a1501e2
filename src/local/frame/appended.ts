import { Failure } from '../../contract/base/failure.ts';
import type { RandomAccess } from '../../contract/base/ports.ts';
import { field, say } from '../../contract/base/wording.ts';
import type { Source } from '../../pdf/file/open.ts';
import { openSound } from '../../pdf/file/read/open-by-table.ts';
import { judgeUpdate } from '../../pdf/sign/permissions.ts';

const MOST_NAMED = 5;

/**
 * Compares a document with its updated output, as `verify` does, and says whether its signatures allow the changes.
 * @throws Failure where a certification or a lock forbids it
 */
export async function updateWarnings({ file, revision }: Source, body: RandomAccess): Promise<string[]> {
  const after = await openSound(body, async () => file.password);
  const { changes, unwelcome, forbidden } = judgeUpdate(revision?.base ?? file, after);
  const [first] = forbidden;
  if (first !== undefined) {
    throw new Failure('unprocessable', `${file.name}: ${first.what} must not change, by ${first.by}`, {
      hint: say`Nothing was written. Leave ${field('incremental')} out for a file without valid signatures.`,
    });
  }
  if (changes.length === 0) return [];
  const named = (all: readonly string[]): string =>
    all.length > MOST_NAMED
      ? `${all.slice(0, MOST_NAMED).join(', ')} and ${all.length - MOST_NAMED} more`
      : all.join(', ');
  return unwelcome.length === 0
    ? [`${file.name} is signed; its signatures stay valid and allow the change: ${named(changes)}`]
    : [
        `${file.name} is signed; the signature holds for what was signed, and viewers say that it was changed since: ${named(unwelcome)}`,
      ];
}
