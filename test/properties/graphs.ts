import {
  ParseSpeeds,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFNull,
  type PDFObject,
  type PDFPage,
  PDFRawStream,
  PDFRef,
  PDFStream,
} from 'pdf-lib';

export function load(bytes: Uint8Array): Promise<PDFDocument> {
  return PDFDocument.load(bytes, { updateMetadata: false, parseSpeed: ParseSpeeds.Fastest });
}

/** Pairs of objects that stand for each other, both ways. */
export class Pairs {
  readonly ours = new Map<string, string>();
  readonly theirs = new Map<string, string>();

  /** Whether the two may be the same; a pair not met yet is noted, and `fresh` told. */
  take(a: PDFRef, b: PDFRef, fresh: () => void): boolean {
    const known = this.ours.get(a.tag);
    if (known === undefined && !this.theirs.has(b.tag)) {
      this.ours.set(a.tag, b.tag);
      this.theirs.set(b.tag, a.tag);
      fresh();
      return true;
    }
    return known === b.tag && this.theirs.get(b.tag) === a.tag;
  }
}

/**
 * Where two values differ, followed through all references; undefined where they do not. An object met twice on one side
 * must be one on the other. `gone`: objects of the first that are null in the second.
 */
export function difference(
  a: PDFObject | undefined,
  b: PDFObject | undefined,
  of: readonly [PDFDocument, PDFDocument],
  pairs: Pairs,
  gone: ReadonlySet<string> = new Set(),
): string | undefined {
  const todo: [PDFObject | undefined, PDFObject | undefined, string][] = [[a, b, '']];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const [one, other, path] = next;
    if (one instanceof PDFRef && gone.has(one.tag)) {
      // A dictionary's entry of null is as none (7.3.7).
      if (other !== PDFNull && other !== undefined) return `${path}: ${one} is still there, as ${other}`;
    } else if (one instanceof PDFRef && other instanceof PDFRef) {
      const there = pairs.take(one, other, () =>
        todo.push([of[0].context.lookup(one), of[1].context.lookup(other), `${path} ${one}`]),
      );
      if (!there) return `${path}: ${one} and ${other} stand for others`;
    } else if (one instanceof PDFDict && other instanceof PDFDict) {
      const keys = [...new Set([...one.keys(), ...other.keys()])];
      for (const key of keys) todo.push([one.get(key), other.get(key), `${path}${key}`]);
    } else if (one instanceof PDFArray && other instanceof PDFArray) {
      if (one.size() !== other.size()) return `${path}: ${one} and ${other}`;
      for (let i = 0; i < one.size(); i++) todo.push([one.get(i), other.get(i), `${path}[${i}]`]);
    } else if (one instanceof PDFRawStream && other instanceof PDFRawStream) {
      if (Buffer.compare(one.contents, other.contents) !== 0) return `${path}: other data`;
      todo.push([one.dict, other.dict, path]);
    } else if (one?.toString() !== other?.toString()) return `${path}: ${one} and ${other}`;
  }
  return undefined;
}

/** How many objects a document has besides its catalog, its pages and their root, and what holds objects. */
export function ownObjects(pdf: PDFDocument): number {
  const holds = (object: PDFObject): boolean =>
    object instanceof PDFStream && /^\/(ObjStm|XRef)$/.test(String(object.dict.get(PDFName.of('Type'))));
  const objects = pdf.context.enumerateIndirectObjects().filter(([, object]) => !holds(object));
  return objects.length - 2 - pdf.getPageCount();
}

export function entry(page: PDFPage, key: string): PDFObject | undefined {
  return page.node.get(PDFName.of(key));
}
