import type { ContentOperation } from '../../content/scanner.ts';
import { apply, boundsOf, contains, grown, holds, meets, overlap, type Point } from '../../page/geometry.ts';
import { Unreadable } from '../../syntax/damage.ts';
import type { OpenContent } from './page-edit.ts';

interface Subpath {
  readonly operations: { readonly op: ContentOperation; readonly exact: boolean }[];
  /** All its points on the page, control points included. */
  readonly points: Point[];
  curved: boolean;
}

const FILLS = new Set(['f', 'F', 'f*', 'B', 'B*', 'b', 'b*']);
const STROKES = new Set(['S', 's', 'B', 'B*', 'b', 'b*']);
const BUILDS = new Set(['m', 'l', 'c', 'v', 'y', 'h', 're']);

/** Paths of up to this many points are backgrounds, frames and rules: illegible where they cross a region. */
const SIMPLE = 8;
/** The largest outlined letter in points; it is removed whole where a region covers ENOUGH of it. */
const LETTER = 60;
/** Smaller shapes are illegible. */
const SMALLEST = 2.5;
const ENOUGH = 0.3;
/** Points by which outlines may stand out of their region. */
const SLACK = 0.75;

/** Buffers paths (ISO 32000-1, 8.5) until they are painted, and removes the subpaths in regions. */
export class PathEditor {
  private readonly content: OpenContent;
  private subpaths: Subpath[] = [];
  private clip: { readonly op: ContentOperation; readonly exact: boolean } | undefined;

  constructor(content: OpenContent) {
    this.content = content;
  }

  /** Takes the operators of paths; false for all others. */
  take(op: ContentOperation, exact: boolean): boolean {
    if (BUILDS.has(op.name)) this.build(op, exact);
    else if (op.name === 'W' || op.name === 'W*') this.clip = { op, exact };
    else if (op.name === 'n' || FILLS.has(op.name) || STROKES.has(op.name)) this.paint(op, exact);
    else return false;
    return true;
  }

  abandon(): void {
    this.subpaths = [];
    this.clip = undefined;
  }

  private build(op: ContentOperation, exact: boolean): void {
    const { ctm } = this.content.state.now;
    const n = op.operands.filter((value) => typeof value === 'number');
    const points: Point[] = [];
    if (op.name === 're') {
      const [x = 0, y = 0, w = 0, h = 0] = n;
      points.push(apply(ctm, x, y), apply(ctm, x + w, y), apply(ctm, x + w, y + h), apply(ctm, x, y + h));
    } else for (let i = 0; i + 1 < n.length; i += 2) points.push(apply(ctm, n[i]!, n[i + 1]!));
    const last = this.subpaths.at(-1);
    if (op.name === 'm' || op.name === 're' || last === undefined) {
      this.subpaths.push({ operations: [{ op, exact }], points, curved: false });
    } else {
      // After a rectangle or a closed subpath, lines continue from its start.
      last.operations.push({ op, exact });
      last.points.push(...points);
      if (op.name === 'c' || op.name === 'v' || op.name === 'y') last.curved = true;
    }
    if (last !== undefined && last.points.length > 2_000_000) throw new Unreadable('a path with too many points');
  }

  private paint(op: ContentOperation, exact: boolean): void {
    const { content, subpaths, clip } = this;
    const { edit, state, writer } = content;
    const [fill, stroke] = [FILLS.has(op.name), STROKES.has(op.name)];
    this.abandon();
    const bounds = boundsOf(subpaths.flatMap(({ points }) => points));
    if (subpaths.some(({ points }) => points.some(([x, y]) => !Number.isFinite(x) || !Number.isFinite(y))))
      throw new Unreadable('a path at an invalid position');
    const { lineWidth, ctm } = state.now;
    const reach = stroke ? (Math.max(0, lineWidth) * Math.hypot(ctm[0], ctm[1], ctm[2], ctm[3])) / 2 : 0;
    const paints = fill || stroke;
    const unseen = paints && (content.isHidden || (subpaths.length > 0 && !meets(grown(bounds, reach), edit.shown)));
    if (unseen) content.changed ||= !content.isHidden;
    const kept = subpaths.filter((subpath) => this.stays(subpath, reach));
    if (kept.length < subpaths.length) content.changed = true;
    if (paints && !unseen && kept.length > 0) this.notePaint(kept, fill, stroke);
    if (kept.length > 0 || subpaths.length === 0) {
      for (const operation of kept.flatMap(({ operations }) => operations)) content.pass(operation.op, operation.exact);
      if (clip !== undefined) content.pass(clip.op, clip.exact);
      if (unseen) writer.write([], 'n');
      else content.pass(op, exact);
    } else if (clip !== undefined) {
      // The whole clipping path was removed: clip everything that follows.
      writer.write([0, 0, 0, 0], 're');
      writer.write([], 'W');
      writer.write([], 'n');
    }
    if (clip !== undefined && subpaths.length > 0) state.clipTo(bounds);
  }

  /** Whether a subpath may stay. Throws where only part of it would have to be removed. */
  private stays(subpath: Subpath, reach: number): boolean {
    const { regions } = this.content.edit.removal;
    if (regions.length === 0) return true;
    const bounds = boundsOf(subpath.points);
    const box = grown(bounds, reach);
    for (const region of regions) {
      if (!meets(region, box)) continue;
      if (contains(grown(region, SLACK), bounds)) return false;
      const { across, down } = overlap(bounds, region);
      const small = bounds.x1 - bounds.x0 < LETTER && bounds.y1 - bounds.y0 < LETTER;
      if (small && across * down >= ENOUGH) return false;
      const simple = !subpath.curved && subpath.points.length <= SIMPLE;
      if (!simple && subpath.points.some((point) => holds(region, point)))
        throw new Unreadable('a drawing with details in a region and around it');
    }
    return true;
  }

  private notePaint(kept: readonly Subpath[], fill: boolean, stroke: boolean): void {
    const { edit, state } = this.content;
    const { removal, findings } = edit;
    const { now } = state;
    for (const { points, curved } of kept) {
      const box = boundsOf(points);
      const [wide, high] = [box.x1 - box.x0, box.y1 - box.y0];
      const isShape = fill && points.length > 5 && wide < LETTER && high < LETTER && Math.max(wide, high) > SMALLEST;
      if (isShape) findings.shapes.push(box);
      const met = removal.regions.filter((region) => meets(region, box));
      if (met.length === 0) continue;
      // A background that covers the whole region leaves it plain.
      const isGround = fill && !curved && points.length <= 5 && met.every((region) => contains(box, grown(region, 1)));
      if (!isGround) findings.crossing.push(box);
      if ((fill && now.fill === 'pattern') || (stroke && now.stroke === 'pattern'))
        throw new Unreadable('a pattern in a region');
    }
    const [only] = kept;
    const isBox = kept.length === 1 && only !== undefined && !only.curved && only.points.length <= 5;
    if (fill && isBox && !now.translucent && now.fill === 'plain')
      findings.covers.push({ box: boundsOf(only.points), at: findings.at++, by: 'area' });
  }
}
