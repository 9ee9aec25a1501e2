import type { PdfFile } from '../file/read/pdf-file.ts';
import { pushAll } from '../syntax/arrays.ts';
import { unlessDamaged } from '../syntax/damage.ts';
import { Dict, Ref, samePlain, type Value } from '../syntax/values.ts';

/** Values compared before two structures count as different: a font has some dozens. */
const MAX_VALUES = 2000;
const MAX_STREAM = 1 << 20;

/** Whether two values are equal, with all they refer to. Values that cannot be compared count as different. */
export function equalValues(fileA: PdfFile, a: Value, fileB: PdfFile, b: Value): boolean {
  const todo: [Value, Value][] = [[a, b]];
  const seen = new Set<string>();
  for (let pair = todo.pop(), count = 0; pair !== undefined; pair = todo.pop()) {
    if (++count > MAX_VALUES) return false;
    const [left, right] = pair;
    if (left instanceof Ref && right instanceof Ref) {
      if (fileA === fileB && left.num === right.num) continue;
      const both = `${left.num} ${right.num}`;
      if (seen.has(both)) continue;
      seen.add(both);
      if (!sameStream(fileA, left.num, fileB, right.num)) return false;
    }
    const inner = level(fileA.resolve(left), fileB.resolve(right));
    if (inner === undefined) return false;
    pushAll(todo, inner);
  }
  return true;
}

/** Pairs of inner values still to compare; undefined where the outer values differ. */
function level(a: Value, b: Value): [Value, Value][] | undefined {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length ? a.map((item, i) => [item, b[i] ?? null]) : undefined;
  }
  if (a instanceof Dict && b instanceof Dict) {
    if (a.size !== b.size || [...a.keys()].some((key) => !b.has(key))) return undefined;
    return [...a].map(([key, item]) => [item, b.get(key) ?? null]);
  }
  return samePlain(a, b) ? [] : undefined;
}

/** Whether both are streams of the same bytes, or neither is a stream. */
function sameStream(fileA: PdfFile, a: number, fileB: PdfFile, b: number): boolean {
  const left = bytesOf(fileA, a);
  const right = bytesOf(fileB, b);
  if (left === undefined || right === undefined) return left === right;
  return left !== TOO_LONG && Buffer.compare(left, right) === 0;
}

const TOO_LONG = new Uint8Array(0);

function bytesOf(file: PdfFile, num: number): Uint8Array | undefined {
  const scan = file.scanObject(num);
  if (scan?.isStream !== true) return undefined;
  return unlessDamaged(TOO_LONG, () => {
    const { length } = file.streamPlace(num, scan);
    return length > MAX_STREAM ? TOO_LONG : file.rawStream(num, MAX_STREAM).raw;
  });
}
