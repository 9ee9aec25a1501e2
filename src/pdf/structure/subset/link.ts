// Owns reading a link as nearly all are written, without values for what it is made of. Knows nothing of the output.
import { readable } from '../../file/entries.ts';
import { isKey, KEYS, Scan } from '../../file/scan.ts';
import { skipSpace } from '../../file/syntax.ts';
import { StringReader } from '../string-reader.ts';
import { goesByName } from './action.ts';
import type { Targets } from './targets.ts';

const scan = new Scan();
const string = new StringReader();

/** A link that leads to no page of the document. */
export const NOWHERE = -1;

/**
 * The page that the link which is object `num` leads to by name, NOWHERE where it has no action. Undefined where it is
 * something else or is written in another way: it must be looked at as any other. A manual has ten of them a page.
 */
export function pageOfLink(targets: Targets, num: number): number | undefined {
  const { file } = targets;
  if (!readable(file, num) || !file.scanObject(num, scan, KEYS)) return undefined;
  const { buf } = file;
  const { keys } = scan;
  let link = false;
  let action = -1;
  for (let i = 0; i < scan.keyCount; i += 3) {
    const start = keys[i]!;
    const end = keys[i + 1]!;
    const after = keys[i + 2]!;
    if (isKey(buf, start, end, 'Subtype')) link = isKey(buf, skipSpace(buf, end, after), after, 'Link');
    else if (isKey(buf, start, end, 'Dest') || isKey(buf, start, end, 'AA')) return undefined;
    else if (isKey(buf, start, end, 'A')) {
      // Of a key given twice the last one counts; that nobody does.
      if (action >= 0) return undefined;
      action = i;
    }
  }
  if (!link) return undefined;
  if (action < 0) return NOWHERE;
  return goesByName(buf, keys[action + 1]!, keys[action + 2]!, string)
    ? (targets.pageNamed(string) ?? NOWHERE)
    : undefined;
}
