// Adjusts destinations (ISO 32000-1, 12.3.2.2) on pages whose content moved: in bookmarks, links, names and actions.

import { decimal } from '../../content/operands.ts';
import type { Copier } from '../../file/copy/copier.ts';
import type { NewEntries, ObjectChange } from '../../file/copy/new-entries.ts';
import { apply, type Matrix } from '../../page/geometry.ts';
import { valueText } from '../../structure/input.ts';
import { encodeName } from '../../syntax/serialize.ts';
import { Dict, Name, Ref, type Value } from '../../syntax/values.ts';
import { WATCHED } from '../../syntax/watched-names.ts';

/** The operands behind the name: 0 counts from the left, 1 from the bottom. */
const AXES: ReadonlyMap<string, readonly (0 | 1)[]> = new Map([
  ['XYZ', [0, 1]],
  ['FitR', [0, 1, 0, 1]],
  ['FitH', [1]],
  ['FitBH', [1]],
  ['FitV', [0]],
  ['FitBV', [0]],
]);

/** The move of each page's content, by its object: no rotations, so that the axes are independent. */
export type Moves = ReadonlyMap<number, Matrix>;

export class MovedDestinations implements ObjectChange {
  readonly names = WATCHED.XYZ;
  private readonly copier: Copier;
  private readonly moves: Moves;

  constructor(copier: Copier, moves: Moves) {
    this.copier = copier;
    this.moves = moves;
  }

  change(num: number): NewEntries | (() => void) | undefined {
    const { copier, moves } = this;
    const value = copier.file.object(num);
    if (value instanceof Dict) {
      const entries = [...value].map(([key, item]) => [encodeName(key), item, moved(item, moves)] as const);
      const changed = entries.filter(([, before, after]) => before !== after);
      return new Map(changed.map(([key, , after]) => [key, valueText(after, copier)]));
    }
    const text = valueText(moved(value, moves), copier);
    return () => copier.writer.text(text);
  }
}

/** The value with direct inner values adjusted; the same object where nothing changes. The parser bounds nesting. */
export function moved(value: Value, moves: Moves): Value {
  if (value instanceof Dict) {
    const fresh = new Dict([...value].map(([key, item]) => [key, moved(item, moves)]));
    return [...value].some(([key, item]) => fresh.get(key) !== item) ? fresh : value;
  }
  if (!Array.isArray(value)) return value;
  const [page, view] = value;
  const matrix = page instanceof Ref ? moves.get(page.num) : undefined;
  const axes = view instanceof Name ? AXES.get(view.value) : undefined;
  if (matrix === undefined || axes === undefined) {
    const fresh = value.map((item) => moved(item, moves));
    return fresh.some((item, i) => item !== value[i]) ? fresh : value;
  }
  return value.map((item, i) => {
    const axis = axes[i - 2];
    // Null or missing: the viewer keeps its position.
    if (axis === undefined || typeof item !== 'number') return item;
    return Number(decimal(apply(matrix, item, item)[axis]));
  });
}
