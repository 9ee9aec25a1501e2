import { Failure } from '../../contract/base/failure.ts';
import type { Box } from '../page/space.ts';

/** One entry of regions.json: a box of a displayed page, from 1. It never holds the text inside. */
export interface Region extends Box {
  readonly page: number;
  readonly kind: string;
  readonly id: string;
}

export const BY_HAND = 'manual';

/** Rounding errors of coordinates stay below this. */
const SLACK = 1e-6;

/** @throws Failure that names the entry. */
export function readRegions(value: unknown, pages: number): Region[] {
  if (!Array.isArray(value)) throw new Failure('usage', 'regions: expected a list');
  return value.map((entry: unknown, i) => readRegion(entry, i + 1, pages));
}

function readRegion(entry: unknown, at: number, pages: number): Region {
  const values = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<string, unknown>; // an object, just checked
  const { page, x, y, w, h, kind, id } = values;
  const named = `region ${at}`;
  if (typeof page !== 'number' || !Number.isInteger(page) || page < 1)
    throw new Failure('usage', `${named}: expected page to be a whole number from 1`);
  if (page > pages) throw new Failure('usage', `${named}: there is no page ${page}; the document has ${pages}`);
  const inside = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
  if (!inside(x) || !inside(y) || !inside(w) || !inside(h))
    throw new Failure('usage', `${named}: expected x, y, w and h to be numbers`);
  if (!(w > 0 && h > 0)) throw new Failure('usage', `${named}: its width and height must be more than 0`);
  if (x < -SLACK || y < -SLACK || x + w > 1 + SLACK || y + h > 1 + SLACK)
    throw new Failure('usage', `${named} lies outside page ${page}: x, y, x + w and y + h must be 0 to 1`);
  return {
    page,
    x,
    y,
    w,
    h,
    kind: typeof kind === 'string' ? kind : BY_HAND,
    id: typeof id === 'string' ? id : `r${at}`,
  };
}
