// Interprets Type 1 charstrings (Adobe Type 1 Font Format, chapters 6 and 8): commands in, steps of a glyph out.
import type { GlyphOutline, PathStep, Stem, StemHints } from './glyph.ts';
import { Unconvertible } from './type1.ts';

/** More than any real glyph runs; mutually recursive subroutines could otherwise run for ever. */
const MOST_COMMANDS = 200_000;
const MOST_NESTED = 10;

/** Runs a decrypted charstring. Throws Unconvertible for what the format does not define or Type 2 cannot express. */
export function runCharstring(code: Uint8Array, subrs: readonly (Uint8Array | undefined)[]): GlyphOutline {
  const run = new Run(subrs);
  run.execute(code, 0);
  return run.glyph();
}

/** The state of a running charstring. */
class Run {
  private readonly subrs: readonly (Uint8Array | undefined)[];
  private readonly steps: PathStep[] = [];
  private stack: number[] = [];
  /** Values that other subroutines left for `pop`, the next one last. */
  private results: number[] = [];
  private width: number | undefined;
  private sideX = 0;
  private sideY = 0;
  private x = 0;
  private y = 0;
  /** The point at which the steps so far end. */
  private penX = 0;
  private penY = 0;
  private open = false;
  private flex: [x: number, y: number][] | undefined;
  private readonly hints = new StemList();
  private composite: GlyphOutline['composite'];
  private commands = 0;

  constructor(subrs: readonly (Uint8Array | undefined)[]) {
    this.subrs = subrs;
  }

  glyph(): GlyphOutline {
    if (this.width === undefined) throw new Unconvertible('a glyph has no width');
    if (this.flex !== undefined) throw new Unconvertible('a glyph ends within a flex');
    const glyph = { width: this.width, steps: this.steps };
    return this.composite === undefined ? glyph : { ...glyph, composite: this.composite };
  }

  /** Returns true at the end of the glyph. */
  execute(code: Uint8Array, depth: number): boolean {
    if (depth > MOST_NESTED) throw new Unconvertible('its subroutines are nested too deep');
    for (let at = 0; at < code.length; ) {
      if (++this.commands > MOST_COMMANDS) throw new Unconvertible('a glyph runs too long');
      const byte = code[at++] ?? 0;
      if (byte >= 32) {
        at = this.pushNumber(code, at, byte);
        continue;
      }
      if (byte === 11) return false;
      if (byte === 10) {
        const number = this.pop();
        const subr = this.subrs[number];
        if (subr === undefined) throw new Unconvertible(`it calls subroutine ${number}, which it does not have`);
        if (this.execute(subr, depth + 1)) return true;
        continue;
      }
      if (byte === 14) {
        this.take(0);
        return true;
      }
      if (byte === 12) this.escaped(code[at++]);
      else this.command(byte);
    }
    return false;
  }

  private pushNumber(code: Uint8Array, at: number, byte: number): number {
    if (byte <= 246) this.stack.push(byte - 139);
    else if (byte <= 250) this.stack.push((byte - 247) * 256 + (code[at++] ?? 0) + 108);
    else if (byte <= 254) this.stack.push(-(byte - 251) * 256 - (code[at++] ?? 0) - 108);
    else {
      const [a = 0, b = 0, c = 0, d = 0] = code.subarray(at, at + 4);
      this.stack.push((a << 24) | (b << 16) | (c << 8) | d);
      at += 4;
    }
    return at;
  }

  /** A one-byte command. */
  private command(byte: number): void {
    switch (byte) {
      case 1:
        return void this.hints.add('horizontal', this.sideY, ...this.take(2));
      case 3:
        return void this.hints.add('vertical', this.sideX, ...this.take(2));
      case 4:
        return void this.move(0, this.take(1)[0]);
      case 5:
        return void this.line(...this.take(2));
      case 6:
        return void this.line(this.take(1)[0], 0);
      case 7:
        return void this.line(0, this.take(1)[0]);
      case 8:
        return void this.curve(...this.take(6));
      case 9:
        this.take(0);
        this.open = false;
        return;
      case 13: {
        const [side, width] = this.take(2);
        return void this.begin(side, 0, width);
      }
      case 15:
        // In old programs of Adobe, and told nowhere: interpreters skip it with its two operands.
        return void this.take(2);
      case 21:
        return void this.move(...this.take(2));
      case 22:
        return void this.move(this.take(1)[0], 0);
      case 30: {
        const [dy1, dx2, dy2, dx3] = this.take(4);
        return void this.curve(0, dy1, dx2, dy2, dx3, 0);
      }
      case 31: {
        const [dx1, dx2, dy2, dy3] = this.take(4);
        return void this.curve(dx1, 0, dx2, dy2, 0, dy3);
      }
      default:
        throw new Unconvertible(`a glyph has the unknown command ${byte}`);
    }
  }

  private escaped(byte: number | undefined): void {
    switch (byte) {
      case 0:
        return void this.take(0);
      case 1:
        return void this.hints.addThree('vertical', this.sideX, this.take(6));
      case 2:
        return void this.hints.addThree('horizontal', this.sideY, this.take(6));
      case 6: {
        const [side, dx, dy, base, accent] = this.take(5);
        if (this.steps.length > 0 || this.sideY !== 0) throw new Unconvertible('an accented glyph also draws');
        this.composite = { base, accent, dx: this.sideX + dx - side, dy };
        return;
      }
      case 7: {
        const [sideX, sideY, width, height] = this.take(4);
        if (height !== 0) throw new Unconvertible('it is written vertically');
        return void this.begin(sideX, sideY, width);
      }
      case 12: {
        const divisor = this.pop();
        const dividend = this.pop();
        if (divisor === 0) throw new Unconvertible('a glyph divides by zero');
        // Interpreters hold numbers as 16.16, so rounding as they do loses nothing.
        this.stack.push(Math.round((dividend / divisor) * 65536) / 65536);
        return;
      }
      case 16:
        return void this.callOther();
      case 17: {
        const value = this.results.pop();
        if (value === undefined) throw new Unconvertible('a glyph pops what nothing pushed');
        this.stack.push(value);
        return;
      }
      case 33: {
        const [x, y] = this.take(2);
        // Follows a flex, whose end it repeats. Other uses are undefined, and interpreters disagree about them.
        if (x !== this.x || y !== this.y) throw new Unconvertible('a flex ends where it does not');
        return;
      }
      default:
        throw new Unconvertible(`a glyph has the unknown command 12 ${byte}`);
    }
  }

  /** The standard OtherSubrs (sections 8.3 and 8.1): flex and hint replacement. */
  private callOther(): void {
    const number = this.pop();
    const count = this.pop();
    const args = count > 0 ? this.stack.splice(-count) : [];
    if (args.length !== Math.max(count, 0)) throw new Unconvertible('a glyph calls with too few numbers');
    const [first = 0, second = 0, third = 0] = args;
    if (number === 0 && count === 3) this.endFlex(first, second, third);
    else if (number === 1 && count === 0) this.flex = [];
    else if (number === 2 && count === 0 && this.flex !== undefined) this.flex.push([this.x, this.y]);
    else if (number === 3 && count === 1) {
      this.hints.clear();
      this.results = [first];
    } else throw new Unconvertible(`it uses procedure ${number}, which has no counterpart`);
  }

  private endFlex(depth: number, x: number, y: number): void {
    const points = this.flex;
    this.flex = undefined;
    if (points?.length !== 7) throw new Unconvertible('a flex has not seven points');
    this.prepare();
    const by: number[] = [];
    // The first point is only the reference for the second.
    for (const [px, py] of points.slice(1)) {
      by.push(px - this.penX, py - this.penY);
      this.penX = px;
      this.penY = py;
    }
    this.steps.push({ kind: 'flex', by: by as Numbers<12>, depth }); // six points were counted above
    this.results = [y, x];
  }

  private begin(sideX: number, sideY: number, width: number): void {
    if (this.width !== undefined) throw new Unconvertible('a glyph has two widths');
    this.width = width;
    this.x = this.sideX = sideX;
    this.y = this.sideY = sideY;
  }

  private move(dx: number, dy: number): void {
    this.x += dx;
    this.y += dy;
    // Within a flex a move only leads to its next point.
    if (this.flex !== undefined) return;
    this.showHints();
    const last = this.steps.at(-1);
    // Consecutive moves are combined.
    const [beforeX, beforeY] = last?.kind === 'move' ? last.by : [0, 0];
    if (last?.kind === 'move') this.steps.pop();
    this.steps.push({ kind: 'move', by: [beforeX + this.x - this.penX, beforeY + this.y - this.penY] });
    this.penX = this.x;
    this.penY = this.y;
    this.open = true;
  }

  private line(dx: number, dy: number): void {
    this.prepare();
    this.steps.push({ kind: 'line', by: [dx, dy] });
    this.x = this.penX += dx;
    this.y = this.penY += dy;
  }

  private curve(dx1: number, dy1: number, dx2: number, dy2: number, dx3: number, dy3: number): void {
    this.prepare();
    this.steps.push({ kind: 'curve', by: [dx1, dy1, dx2, dy2, dx3, dy3] });
    this.x = this.penX += dx1 + dx2 + dx3;
    this.y = this.penY += dy1 + dy2 + dy3;
  }

  /** Checks the state before anything is drawn, and notes new hints. */
  private prepare(): void {
    if (this.width === undefined) throw new Unconvertible('a glyph draws before its width is known');
    if (this.flex !== undefined) throw new Unconvertible('a glyph draws within a flex');
    this.showHints();
    // Interpreters disagree about where such a path begins.
    if (!this.open) throw new Unconvertible('a path has no start');
  }

  private showHints(): void {
    const hints = this.hints.changed();
    if (hints === undefined) return;
    // Drops hints under which nothing was drawn.
    if (this.steps.at(-1)?.kind === 'hints') this.steps.pop();
    this.steps.push({ kind: 'hints', hints });
  }

  private pop(): number {
    const value = this.stack.pop();
    if (value === undefined) throw new Unconvertible('a glyph lacks a number');
    return value;
  }

  /** All numbers on the stack, exactly as many as the command takes. */
  private take<N extends number>(count: N): Numbers<N> {
    const values = this.stack;
    if (values.length !== count) throw new Unconvertible(`a command found ${values.length} numbers for ${count}`);
    this.stack = [];
    // The length was compared just now.
    return values as Numbers<N>;
  }
}

type Numbers<N extends number, List extends number[] = []> = List['length'] extends N
  ? List
  : Numbers<N, [...List, number]>;

type Direction = 'horizontal' | 'vertical';

/** Widths that mark a single edge, top or bottom, instead of a stem (Type 1 Font Format, section 5.9). */
const SINGLE_EDGE = new Set([-20, -21]);

/** Collects stems until they are cleared. */
class StemList {
  private stems: Record<Direction, Stem[]> = { horizontal: [], vertical: [] };
  private counters: Record<Direction, Stem[]> = { horizontal: [], vertical: [] };
  private told = true;

  /** `from`: the glyph's origin, to which `side` is relative. */
  add(direction: Direction, from: number, side: number, width: number): void {
    const start = from + side;
    const stem = width >= 0 || SINGLE_EDGE.has(width) ? { start, width } : { start: start + width, width: -width };
    this.stems[direction].push(stem);
    this.told = false;
  }

  /** Three stems whose spacing must stay equal; `six`: start and width of each. */
  addThree(direction: Direction, side: number, six: readonly number[]): void {
    const before = this.stems[direction].length;
    for (let i = 0; i < 6; i += 2) this.add(direction, side, six[i] ?? 0, six[i + 1] ?? 0);
    this.counters[direction].push(...this.stems[direction].slice(before));
  }

  clear(): void {
    this.stems = { horizontal: [], vertical: [] };
    this.counters = { horizontal: [], vertical: [] };
    this.told = false;
  }

  /** The current stems, if they changed since the last call. */
  changed(): StemHints | undefined {
    if (this.told) return undefined;
    this.told = true;
    const copy = ({ horizontal, vertical }: Record<Direction, Stem[]>) => ({
      horizontal: [...horizontal],
      vertical: [...vertical],
    });
    return { ...copy(this.stems), counters: copy(this.counters) };
  }
}
