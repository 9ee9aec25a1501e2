import type { Drawing } from './drawing.ts';
import { OP } from './operators.ts';

/** Longer paths are drawings and are not looked at. */
const MOST_PATH = 4_096;

const PAINTS: ReadonlyMap<string, { readonly as: number; readonly closes: boolean }> = new Map([
  ['S', { as: OP.stroke, closes: false }],
  ['s', { as: OP.closeStroke, closes: true }],
  ['f', { as: OP.fill, closes: false }],
  ['F', { as: OP.fill, closes: false }],
  ['f*', { as: OP.eoFill, closes: false }],
  ['B', { as: OP.fillStroke, closes: false }],
  ['B*', { as: OP.eoFillStroke, closes: false }],
  ['b', { as: OP.closeFillStroke, closes: true }],
  ['b*', { as: OP.closeEOFillStroke, closes: true }],
]);

export class ContentPath {
  private readonly drawing: Drawing;
  private data: number[] = [];
  private x = 0;
  private y = 0;

  constructor(drawing: Drawing) {
    this.drawing = drawing;
  }

  /** Does what the operator says, where it builds a path. `numbers`: its operands, last. */
  build(operator: string, numbers: readonly number[]): boolean {
    const count = numbers.length;
    switch (operator) {
      case 'm':
      case 'l': {
        const [x, y] = numbers.slice(-2);
        if (x !== undefined && y !== undefined) this.point(operator === 'm' ? 0 : 1, x, y);
        return true;
      }
      case 'c':
        if (count >= 6) this.curve(numbers.slice(-6));
        return true;
      case 'v':
        if (count >= 4) this.curve([this.x, this.y, ...numbers.slice(-4)]);
        return true;
      case 'y':
        if (count >= 4) this.curve([...numbers.slice(-4), ...numbers.slice(-2)]);
        return true;
      case 'h':
        if (this.data.length < MOST_PATH) this.data.push(4);
        return true;
      case 're': {
        const [x, y, width, height] = numbers.slice(-4);
        if (x !== undefined && y !== undefined && width !== undefined && height !== undefined)
          this.rectangle(x, y, width, height);
        return true;
      }
      case 'n':
        this.data = [];
        return true;
      default:
        return false;
    }
  }

  /** Paints the path, where that is what the operator does. */
  paint(operator: string): boolean {
    const found = PAINTS.get(operator);
    if (found === undefined) return false;
    if (found.closes) this.data.push(4);
    if (this.data.length > 0) this.drawing.path(found.as, this.data);
    this.data = [];
    return true;
  }

  private point(verb: number, x: number, y: number): void {
    [this.x, this.y] = [x, y];
    if (this.data.length < MOST_PATH) this.data.push(verb, x, y);
  }
  private curve(points: readonly number[]): void {
    [, , , , this.x = this.x, this.y = this.y] = points;
    if (this.data.length < MOST_PATH) this.data.push(2, ...points);
  }
  private rectangle(x: number, y: number, width: number, height: number): void {
    const [right, top] = [x + width, y + height];
    [this.x, this.y] = [x, y];
    if (this.data.length >= MOST_PATH) return;
    if (width === 0 || height === 0) this.data.push(0, x, y, 1, right, top, 4);
    else this.data.push(0, x, y, 1, right, y, 1, right, top, 1, x, top, 4);
  }
}
