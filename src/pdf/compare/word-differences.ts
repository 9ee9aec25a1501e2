export interface WordDifferences {
  /** Words of the first text that the second has not, in their order; and the other way round. */
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** More edits than this are another text: its words are counted, and their order is not looked at. */
const MOST_EDITS = 2000;

/** The words to delete and to insert to get from one text to the other (E. W. Myers, An O(ND) difference algorithm). */
export function wordDifferences(first: string, second: string): WordDifferences {
  const [a, b] = [wordsIn(first), wordsIn(second)];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail])
    tail += 1;
  const [x, y] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
  if (x.length === 0 || y.length === 0) return { removed: x, added: y };
  return shortest(x, y) ?? counted(x, y);
}

function wordsIn(text: string): string[] {
  return text
    .normalize('NFC')
    .split(/\s+/)
    .filter((word) => word !== '');
}

function shortest(a: readonly string[], b: readonly string[]): WordDifferences | undefined {
  const most = Math.min(MOST_EDITS, a.length + b.length);
  const reach = new Int32Array(2 * most + 3);
  const middle = most + 1;
  const at = (k: number): number => reach[middle + k] ?? 0;
  const steps: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits++) {
    steps.push(reach.slice(middle - edits - 1, middle + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && at(k - 1) < at(k + 1));
      let x = down ? at(k + 1) : at(k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      reach[middle + k] = x;
      if (x >= a.length && x - k >= b.length) return traced(a, b, steps);
    }
  }
  return undefined;
}

/** Back from the end along the steps that led there. */
function traced(a: readonly string[], b: readonly string[], steps: readonly Int32Array[]): WordDifferences {
  const removed: string[] = [];
  const added: string[] = [];
  let [x, y] = [a.length, b.length];
  for (const [edits, reach] of [...steps.entries()].slice(1).reverse()) {
    const at = (k: number): number => reach[k + edits + 1] ?? 0;
    const k = x - y;
    const down = k === -edits || (k !== edits && at(k - 1) < at(k + 1));
    const before = down ? k + 1 : k - 1;
    const [fromX, fromY] = [at(before), at(before) - before];
    if (down) added.push(b[fromY] ?? '');
    else removed.push(a[fromX] ?? '');
    [x, y] = [fromX, fromY];
  }
  return { removed: removed.reverse(), added: added.reverse() };
}

function counted(a: readonly string[], b: readonly string[]): WordDifferences {
  const without = (all: readonly string[], others: readonly string[]): string[] => {
    const left = new Map<string, number>();
    for (const word of others) left.set(word, (left.get(word) ?? 0) + 1);
    return all.filter((word) => {
      const count = left.get(word) ?? 0;
      left.set(word, count - 1);
      return count <= 0;
    });
  };
  return { removed: without(a, b), added: without(b, a) };
}
