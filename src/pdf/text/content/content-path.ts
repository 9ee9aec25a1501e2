import type { Drawing } from './drawing.ts';
import { OP } from './operators.ts';

/** Longer paths are drawings and are not looked at. */
const MOST_PATH = 4_096;

const PAINTS: ReadonlyMap<number, { readonly as: number; readonly closes: boolean }> = new Map([
  [0x53, { as: OP.stroke, closes: false }], // S
  [0x73, { as: OP.closeStroke, closes: true }], // s
  [0x66, { as: OP.fill, closes: false }], // f
  [0x46, { as: OP.fill, closes: false }], // F
  [0x2a66, { as: OP.eoFill, closes: false }], // f*
  [0x42, { as: OP.fillStroke, closes: false }], // B
  [0x2a42, { as: OP.eoFillStroke, closes: false }], // B*
  [0x62, { as: OP.closeFillStroke, closes: true }], // b
  [0x2a62, { as: OP.closeEOFillStroke, closes: true }], // b*
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
  build(operator: number, numbers: readonly number[]): boolean {
    const count = numbers.length;
    switch (operator) {
      case 0x6d: // m
        if (count >= 2) this.point(0, numbers[count - 2]!, numbers[count - 1]!);
        return true;
      case 0x6c: // l
        if (count >= 2) this.point(1, numbers[count - 2]!, numbers[count - 1]!);
        return true;
      case 0x63: // c
        if (count >= 6) this.curve(numbers.slice(-6));
        return true;
      case 0x76: // v
        if (count >= 4) this.curve([this.x, this.y, ...numbers.slice(-4)]);
        return true;
      case 0x79: // y
        if (count >= 4) this.curve([...numbers.slice(-4), ...numbers.slice(-2)]);
        return true;
      case 0x68: // h
        if (this.data.length < MOST_PATH) this.data.push(4);
        return true;
      case 0x6572: // re
        if (count >= 4)
          this.rectangle(numbers[count - 4]!, numbers[count - 3]!, numbers[count - 2]!, numbers[count - 1]!);
        return true;
      case 0x6e: // n
        this.data = [];
        return true;
      default:
        return false;
    }
  }

  /** Paints the path, where that is what the operator does. */
  paint(operator: number): boolean {
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
    [this.x, this.y] = [points[4]!, points[5]!];
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
