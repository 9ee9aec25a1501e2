import type { PdfFile } from '../../file/read/pdf-file.ts';
import { readLayers } from '../../structure/layers.ts';
import { Name, Ref, type Value } from '../../syntax/values.ts';

/** Which content of a document is hidden because its layer is (ISO 32000-1, 8.11). */
export class LayerView {
  private readonly file: PdfFile;
  private readonly hidden: ReadonlySet<number>;
  /** Viewers ignore groups that the catalog does not list. */
  private readonly known: ReadonlySet<number>;
  readonly count: number;

  constructor(file: PdfFile) {
    this.file = file;
    const catalog = file.dict(file.xref.trailer.get('Root'));
    const set = catalog === undefined ? undefined : readLayers(file, catalog);
    this.hidden = new Set(set?.hidden.map(({ num }) => num));
    this.known = new Set(set?.groups.map(({ num }) => num));
    this.count = this.known.size;
  }

  get hiddenCount(): number {
    return this.hidden.size;
  }

  /** Whether content with this /OC is shown when the document is opened. */
  shows(value: Value | undefined): boolean {
    if (value === undefined || value === null || this.count === 0) return true;
    if (value instanceof Ref && this.hidden.has(value.num)) return false;
    const dict = this.file.dict(value);
    if (dict?.name('Type') !== 'OCMD') return true;
    if (dict.has('VE')) return this.evaluates(dict.get('VE'), 0);
    const listed = this.file.resolve(dict.get('OCGs'));
    const groups = Array.isArray(listed) ? listed : [dict.get('OCGs') ?? null];
    const on = groups.flatMap((group) =>
      group instanceof Ref && this.known.has(group.num) ? [!this.hidden.has(group.num)] : [],
    );
    if (on.length === 0) return true;
    const policy = dict.name('P');
    if (policy === 'AllOn') return on.every(Boolean);
    if (policy === 'AnyOff') return !on.every(Boolean);
    if (policy === 'AllOff') return !on.some(Boolean);
    return on.some(Boolean);
  }

  private evaluates(value: Value | undefined, depth: number): boolean {
    if (value instanceof Ref && !Array.isArray(this.file.resolve(value))) return !this.hidden.has(value.num);
    const list = this.file.resolve(value);
    if (!Array.isArray(list) || depth > 32) return true;
    const [operator, ...rest] = list;
    const kind = operator instanceof Name ? operator.value : '';
    if (kind === 'Not') return !this.evaluates(rest[0], depth + 1);
    const operands = rest.map((item) => this.evaluates(item, depth + 1));
    return kind === 'Or' ? operands.some(Boolean) : operands.every(Boolean);
  }
}
