// Owns the arrays that writers fill, handed from one writer to the next. Knows nothing of what is in them.
import { Rows } from './xref-rows.ts';

/** Where there is no array. */
export const NOTHING = new Uint8Array(0);

/** Arrays grow with what is written; made anew for each of 500 outputs, they cost a split more time than the copying. */
export class Staging {
  private readonly free: Uint8Array[] = [];
  private readonly freeRows: Rows[] = [];

  /** An array of some size, with anything in it. */
  take(): Uint8Array {
    return this.free.pop() ?? new Uint8Array(64 * 1024);
  }

  give(array: Uint8Array): void {
    this.free.push(array);
  }

  /** Rows with room for that many, none of them in use. */
  takeRows(room: number): Rows {
    const rows = this.freeRows.pop() ?? new Rows(room);
    rows.reserve(room);
    return rows;
  }

  /** `count`: how many were in use at most. */
  giveRows(rows: Rows, count: number): void {
    rows.kind.fill(0, 0, count);
    this.freeRows.push(rows);
  }
}
