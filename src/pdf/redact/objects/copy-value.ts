import type { PdfFile } from '../../file/read/pdf-file.ts';
import { Damage } from '../../syntax/damage.ts';
import { Dict, Name, Ref, type Value } from '../../syntax/values.ts';
import { type OutputDocument, OutputStream } from './output-document.ts';
import { withoutMetadata } from './picture-metadata.ts';

/**
 * Entries that say something besides what is drawn, wherever they stand, and those that lead from what is drawn to the rest
 * of the document.
 */
const PRIVATE = new Set(
  `Metadata PieceInfo LastModified StructParent StructParents OC AF Alternates OPI Name Measure PtData ID Ref P Pg Parent
  Page DPart UniqueID XUID Private Thumb`.split(/\s+/),
);
/** What a stream's dictionary says about its data, which may be in another file, and is written anew. */
const OF_STREAM = new Set(['Length', 'F', 'FFilter', 'FDecodeParms', 'DL']);
const NO_PART_OF_A_PAGE = new Set(
  'Page Pages Catalog Annot StructElem StructTreeRoot OCG OCMD Filespec Action'.split(' '),
);
/** More than any stream of a document that fits in memory. */
const MOST_STREAM = 1 << 30;
const MOST_DEPTH = 100;

/** Copies values and the objects they refer to from the source into the output, without private entries. */
export class ValueCopier {
  private readonly file: PdfFile;
  private readonly output: OutputDocument;
  private readonly copied = new Map<number, Ref>();

  constructor(file: PdfFile, output: OutputDocument) {
    this.file = file;
    this.output = output;
  }

  /** `value` of the source, with references to the output. `without`: entries of its outermost dictionary to leave behind. */
  copy(value: Value | undefined, depth = 0): Value {
    if (depth > MOST_DEPTH) throw new Damage('values are nested too deep');
    if (value === undefined) return null;
    if (value instanceof Ref) return this.object(value, depth);
    if (Array.isArray(value)) return value.map((item) => this.copy(item, depth + 1));
    if (value instanceof Dict) return this.dict(value, depth);
    return value;
  }

  isStream(num: number): boolean {
    return this.file.has(num) && this.file.scanObject(num)?.isStream === true;
  }

  /** A stream with its data as it is, decrypted. Its dictionary is given, in terms of the output. */
  stream(num: number, dict: Dict): OutputStream {
    const { file } = this;
    return new OutputStream(dict, () => withoutMetadata(dict, file.rawStream(num, MOST_STREAM).raw));
  }

  /** The filters of a stream as they are to be written: without encryption, which is undone. */
  filters(dict: Dict): [string, Value][] {
    const filters = this.file.filters(dict).filter(({ name }) => name !== 'Crypt');
    if (filters.length === 0) return [];
    const parms = filters.map(({ parms }) => (parms === undefined ? null : this.copy(parms)));
    return [
      ['Filter', filters.length === 1 ? new Name(filters[0]!.name) : filters.map(({ name }) => new Name(name))],
      ...(parms.some((each) => each !== null)
        ? [['DecodeParms', parms.length === 1 ? parms[0]! : parms] as [string, Value]]
        : []),
    ];
  }

  private object(ref: Ref, depth: number): Value {
    const { num } = ref;
    const known = this.copied.get(num);
    if (known !== undefined) return known;
    const value = this.file.resolve(ref);
    if (value === null) return null;
    if (value instanceof Dict && NO_PART_OF_A_PAGE.has(value.name('Type') ?? '')) return null;
    const made = this.output.reserve();
    this.copied.set(num, made);
    if (value instanceof Dict && this.isStream(num)) {
      const dict = new Dict(
        [...this.dict(value, depth, OF_STREAM)].filter(([key]) => !/^(Filter|DecodeParms)$/.test(key)),
      );
      for (const [key, item] of this.filters(value)) dict.set(key, item);
      this.output.set(made, this.stream(num, dict));
    } else this.output.set(made, this.copy(value, depth + 1));
    return made;
  }

  private dict(value: Dict, depth: number, without: ReadonlySet<string> = NONE): Dict {
    if (NO_PART_OF_A_PAGE.has(value.name('Type') ?? '')) return new Dict();
    const copied = new Dict();
    for (const [key, item] of value) {
      if (PRIVATE.has(key) || without.has(key)) continue;
      copied.set(key, this.copy(item, depth + 1));
    }
    return copied;
  }
}

const NONE: ReadonlySet<string> = new Set();
