import { Failure } from '../../../contract/base/failure.ts';
import { field, say } from '../../../contract/base/wording.ts';
import { boundsOf, inTurn, type Matrix, quadOf, scaling, shift, turning } from '../../page/geometry.ts';

export interface PaperSize {
  readonly width: number;
  readonly height: number;
}

export interface Spot {
  /** Such as bottom-right; center. */
  readonly position: string;
  /** Points to the edges of the page: as requested, or `usual` ones, which shrink on small pages. */
  readonly margin: number | { readonly usual: number };
  /** Degrees counter-clockwise. */
  readonly rotation: number;
}

/** A default margin takes at most this share of the shorter side. */
const MOST_MARGIN = 0.125;

/** The matrix that puts a box of this size on a page; it is reduced to fit inside the margins. */
export function placeOn(page: PaperSize, box: PaperSize, { position, margin: asked, rotation }: Spot): Matrix {
  const margin =
    typeof asked === 'number' ? asked : Math.min(asked.usual, MOST_MARGIN * Math.min(page.width, page.height));
  const room = { width: page.width - 2 * margin, height: page.height - 2 * margin };
  if (room.width <= 0 || room.height <= 0) {
    const size = `${Math.round(page.width)} by ${Math.round(page.height)} points`;
    throw new Failure('usage', say`${field('margin', margin)} leaves no room on a page of ${size}`, {
      hint: say`Give a smaller ${field('margin')}.`,
    });
  }
  const { x0, y0, x1, y1 } = boundsOf(quadOf({ x0: 0, y0: 0, x1: box.width, y1: box.height }, turning(rotation)));
  const factor = Math.min(1, room.width / (x1 - x0), room.height / (y1 - y0));
  const words = position.split('-');
  const share = (low: string, high: string): number => (words.includes(low) ? 0 : words.includes(high) ? 1 : 0.5);
  const x = margin + share('left', 'right') * (room.width - factor * (x1 - x0));
  const y = margin + share('bottom', 'top') * (room.height - factor * (y1 - y0));
  return inTurn(turning(rotation), shift(-x0, -y0), scaling(factor), shift(x, y));
}
