import type { PdfFile } from '../../file/read/pdf-file.ts';
import { Damage } from '../../syntax/damage.ts';
import { Dict, Name, Ref, type Value } from '../../syntax/values.ts';
import { type OutputDocument, OutputStream } from './output-document.ts';
import { withoutMetadata } from './picture-metadata.ts';

/** Entries that hold more than drawing needs or lead to the rest of the document, wherever they stand. */
const PRIVATE = new Set(
  `Metadata PieceInfo LastModified StructParent StructParents OC AF Alternates OPI Name Measure PtData ID Ref P Pg Parent
  Page DPart UniqueID XUID Private Thumb`.split(/\s+/),
);
/** Entries about a stream's data, which are written anew. */
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

  /** Copies a value of the source; references point to the output. */
  copy(value: Value | undefined, depth = 0): Value {
    if (depth > MOST_DEPTH) throw new Damage('values are nested too deep');
    if (value === undefined) return null;
    if (value instanceof Ref) return this.object(value, depth);
    if (Array.isArray(value)) return value.map((item) => this.copy(item, depth + 1));
    if (value instanceof Dict) return this.dict(value, depth);
    return value;
  }

  entries(dict: Dict, keys: readonly string[]): [string, Value][] {
    return keys.flatMap((key): [string, Value][] => (dict.has(key) ? [[key, this.copy(dict.get(key))]] : []));
  }

  /** A stream with its decrypted data and a dictionary of the output. */
  stream(num: number, dict: Dict): OutputStream {
    const { file } = this;
    return new OutputStream(dict, () => withoutMetadata(dict, file.rawStream(num, MOST_STREAM).raw));
  }

  filters(dict: Dict): [string, Value][] {
    const filters = this.file.filters(dict).filter(({ name }) => name !== 'Crypt');
    if (filters.length === 0) return [];
    const parms = filters.map(({ parms }) => (parms === undefined ? null : this.copy(parms)));
    const [one, ...others] = filters.map(({ name }) => new Name(name));
    const made: [string, Value][] = [['Filter', others.length === 0 ? one! : [one!, ...others]]];
    if (parms.some((entry) => entry !== null)) made.push(['DecodeParms', parms.length === 1 ? parms[0]! : parms]);
    return made;
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
    if (value instanceof Dict && this.file.isStream(num)) {
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
