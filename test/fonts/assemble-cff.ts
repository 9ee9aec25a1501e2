const OPERATORS: Record<string, readonly number[]> = {
  hstem: [1], vstem: [3], vmoveto: [4], rlineto: [5], hlineto: [6], vlineto: [7], rrcurveto: [8], callsubr: [10],
  return: [11], endchar: [14], hstemhm: [18], hintmask: [19], rmoveto: [21], vstemhm: [23], callgsubr: [29],
  add: [12, 10],
}; // biome-ignore format: a table

/** A charstring in the words of TN 5177; `mask:` is followed by the bytes of a mask in hexadecimal digits. */
function type2(text: string): number[] {
  return text
    .trim()
    .split(/\s+/)
    .flatMap((word) => {
      if (word.startsWith('mask:')) return [...Buffer.from(word.slice(5), 'hex')];
      return OPERATORS[word] ?? [28, (Number(word) >> 8) & 255, Number(word) & 255];
    });
}

interface Numbered {
  readonly charstrings: readonly string[];
  /** Number (CID) of each glyph. */
  readonly numbers: readonly number[];
  readonly globals: readonly string[];
  /** Subroutines of each dictionary. */
  readonly locals: readonly (readonly string[])[];
  /** The dictionary of each glyph. */
  readonly select: readonly number[];
}

/** The program of a font for /CIDFontType0C. */
export function assembleNumbered({ charstrings, numbers, globals, locals, select }: Numbered): Buffer {
  const front = [Buffer.from([1, 0, 4, 4]), index([Buffer.from('Test')])];
  const strings = index([Buffer.from('Adobe'), Buffer.from('Identity')]);
  const globalSubrs = index(globals.map(type2));
  const charset = Buffer.from([0, ...numbers.slice(1).flatMap(two)]);
  const chosen = Buffer.from([0, ...select]);
  const glyphs = index(charstrings.map(type2));
  // Subroutines follow their dictionary, whose only entry says how far away they are.
  const PRIVATE = 6;
  const privates = locals.map((subrs) => Buffer.concat([Buffer.from([...far(PRIVATE), 19]), index(subrs.map(type2))]));
  const dictionaries = (base: number) => {
    let at = base;
    return index(
      privates.map((bytes) => {
        const entry = [...far(PRIVATE), ...far(at), 18];
        at += bytes.length;
        return entry;
      }),
    );
  };
  const top = (places: readonly number[]) => {
    const [charsetAt = 0, selectAt = 0, glyphsAt = 0, arrayAt = 0] = places;
    const ros = [...far(391), ...far(392), ...far(0), 12, 30];
    const parts = [...far(charsetAt), 15, ...far(selectAt), 12, 37, ...far(glyphsAt), 17, ...far(arrayAt), 12, 36];
    return index([[...ros, ...parts]]);
  };
  const start = Buffer.concat([...front, top([]), strings, globalSubrs]).length;
  const selectAt = start + charset.length;
  const glyphsAt = selectAt + chosen.length;
  const arrayAt = glyphsAt + glyphs.length;
  const array = dictionaries(arrayAt + dictionaries(0).length);
  return Buffer.concat([
    ...front,
    top([start, selectAt, glyphsAt, arrayAt]),
    strings,
    globalSubrs,
    charset,
    chosen,
    glyphs,
    array,
    ...privates,
  ]);
}

function index(items: readonly (readonly number[] | Buffer)[]): Buffer {
  if (items.length === 0) return Buffer.from([0, 0]);
  let offset = 1;
  const offsets = [offset, ...items.map(({ length }) => (offset += length))];
  const head = [...two(items.length), 4, ...offsets.flatMap((each) => [...two(each >> 16), ...two(each)])];
  return Buffer.concat([Buffer.from(head), ...items.map((item) => Buffer.from(item))]);
}

function two(value: number): [number, number] {
  return [(value >> 8) & 255, value & 255];
}

/** A number in five bytes, whatever it is: places do not move when they are known. */
function far(value: number): number[] {
  return [29, ...two(value >> 16), ...two(value)];
}
