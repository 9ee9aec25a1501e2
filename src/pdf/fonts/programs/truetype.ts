/** The tables that PDF asks of an embedded program (ISO 32000-1, 9.9), and those that place and hint glyphs. */
const KEPT = 'OS/2,cmap,cvt ,fpgm,gasp,glyf,head,hhea,hmtx,loca,maxp,post,prep,vhea,vmtx'.split(',');
/** Glyphs that are drawn from other tables than `glyf`. Bitmaps for screens (`EBDT`) are not among them: pages are outlines. */
const OTHER_GLYPHS = ['CBDT', 'COLR', 'SVG ', 'gvar', 'sbix'];

const CHECKSUM = 0xb1b0afba;
const MOST_DEPTH = 16;
/** Flags of a component of a composite glyph. */
const [WORDS, SCALE, MORE, TWO_SCALES, MATRIX] = [0x01, 0x08, 0x20, 0x40, 0x80];

export interface TrueType {
  readonly glyphs: number;
  readonly tables: SfntTables;
  /** The start of each glyph's outline in `glyf`, and the end of the last one. */
  readonly places: readonly number[];
}

export type SfntTables = ReadonlyMap<string, DataView>;

/** The tables of a TrueType or OpenType program; undefined for other programs, and for one that is cut off. */
export function sfntTables(program: Uint8Array): SfntTables | undefined {
  const view = new DataView(program.buffer, program.byteOffset, program.length);
  if (program.length < 12 || ![0x00010000, 0x74727565, 0x4f54544f].includes(view.getUint32(0))) return undefined;
  const tables = new Map<string, DataView>();
  const count = view.getUint16(4);
  for (let at = 12; at < 12 + 16 * count; at += 16) {
    if (at + 16 > program.length) return undefined;
    const tag = Buffer.from(program.subarray(at, at + 4)).toString('latin1');
    const [from, length] = [view.getUint32(at + 8), view.getUint32(at + 12)];
    if (from + length > program.length) return undefined;
    tables.set(tag, new DataView(program.buffer, program.byteOffset + from, length));
  }
  return tables;
}

/** Undefined where the program is not one whose glyphs all lie in `glyf`. */
export function openTrueType(program: Uint8Array, forMetrics = false): TrueType | undefined {
  const tables = sfntTables(program);
  if (tables === undefined || program[0] === 0x4f) return undefined;
  if (OTHER_GLYPHS.some((tag) => tables.has(tag))) return undefined;
  const [head, maxp, loca, glyf] = ['head', 'maxp', 'loca', 'glyf'].map((tag) => tables.get(tag));
  if (head === undefined || maxp === undefined || loca === undefined || glyf === undefined) return undefined;
  if (head.byteLength < 54 || maxp.byteLength < 6) return undefined;
  const glyphs = maxp.getUint16(4);
  const long = head.getInt16(50) === 1;
  const told = Math.floor(loca.byteLength / (long ? 4 : 2));
  if (told < glyphs + 1 && !forMetrics) return undefined;
  const places = Array.from({ length: Math.min(told, glyphs + 1) }, (_, i) =>
    long ? loca.getUint32(i * 4) : loca.getUint16(i * 2) * 2,
  );
  const sound = forMetrics || places.every((place, i) => place <= glyf.byteLength && place >= (places[i - 1] ?? 0));
  return sound ? { glyphs, tables, places } : undefined;
}

/**
 * The program with the outlines of these glyphs, of what they are composed of, and of glyph 0; all others are empty.
 * `named`: something looks glyphs up by their names.
 */
export function withGlyphs(font: TrueType, wanted: Iterable<number>, named: boolean): Uint8Array {
  const kept = closure(font, wanted);
  const { glyphs, places, tables } = font;
  const source = bytesOf(tables.get('glyf'));
  const sizes = Array.from({ length: glyphs }, (_, i) => (kept.has(i) ? (places[i + 1] ?? 0) - (places[i] ?? 0) : 0));
  const total = sizes.reduce((sum, size) => sum + size + (size & 1), 0);
  const glyf = new Uint8Array(total);
  const long = total > 0x1fffe;
  const loca = new DataView(new ArrayBuffer((glyphs + 1) * (long ? 4 : 2)));
  let to = 0;
  for (let i = 0; i <= glyphs; i++) {
    if (long) loca.setUint32(i * 4, to);
    else loca.setUint16(i * 2, to / 2);
    const size = sizes[i] ?? 0;
    const from = places[i] ?? 0;
    glyf.set(source.subarray(from, from + size), to);
    to += size + (size & 1);
  }
  const head = new DataView(Uint8Array.from(bytesOf(tables.get('head'))).buffer);
  head.setInt16(50, long ? 1 : 0);
  head.setUint32(8, 0);
  const made = new Map<string, Uint8Array>([
    ['glyf', glyf],
    ['loca', bytesOf(loca)],
    ['head', bytesOf(head)],
    ['hmtx', metricsOf(font, kept)],
  ]);
  if (!named) made.set('post', withoutNames(bytesOf(tables.get('post'))));
  return assemble(KEPT.flatMap((tag) => (tables.has(tag) ? [[tag, made.get(tag) ?? bytesOf(tables.get(tag))]] : [])));
}

function closure({ glyphs, tables, places }: TrueType, wanted: Iterable<number>): ReadonlySet<number> {
  const glyf = tables.get('glyf') ?? new DataView(new ArrayBuffer(0));
  const kept = new Set<number>();
  const meet = (glyph: number, depth: number) => {
    if (glyph >= glyphs || kept.has(glyph) || depth > MOST_DEPTH) return;
    kept.add(glyph);
    const end = places[glyph + 1] ?? 0;
    let at = places[glyph] ?? 0;
    if (end - at < 10 || glyf.getInt16(at) >= 0) return;
    at += 10;
    for (let flags = MORE; (flags & MORE) !== 0 && at + 4 <= end; ) {
      flags = glyf.getUint16(at);
      meet(glyf.getUint16(at + 2), depth + 1);
      at += 4 + (flags & WORDS ? 4 : 2) + (flags & SCALE ? 2 : flags & TWO_SCALES ? 4 : flags & MATRIX ? 8 : 0);
    }
  };
  meet(0, 0);
  for (const glyph of wanted) meet(glyph, 0);
  return kept;
}

/** Widths and bearings; those of glyphs that are not there are nothing. */
function metricsOf({ tables, glyphs }: TrueType, kept: ReadonlySet<number>): Uint8Array {
  const out = Uint8Array.from(bytesOf(tables.get('hmtx')));
  const hhea = tables.get('hhea');
  const full = hhea === undefined || hhea.byteLength < 36 ? 0 : hhea.getUint16(34);
  for (let glyph = 0; glyph < glyphs; glyph++) {
    if (kept.has(glyph)) continue;
    // The last full entry's width holds for all glyphs behind it.
    if (glyph < full - 1) out.fill(0, glyph * 4, glyph * 4 + 4);
    else if (glyph >= full) out.fill(0, full * 4 + (glyph - full) * 2, full * 4 + (glyph - full) * 2 + 2);
  }
  return out;
}

/** Advance widths of glyphs, in units of the font. */
export function advanceOf(tables: SfntTables, glyph: number): number {
  const [hhea, hmtx] = [tables.get('hhea'), tables.get('hmtx')];
  if (hhea === undefined || hmtx === undefined || hhea.byteLength < 36) return 0;
  const full = Math.min(hhea.getUint16(34), hmtx.byteLength >> 2);
  return full === 0 ? 0 : hmtx.getUint16(4 * Math.min(glyph, full - 1));
}

/**
 * The program with other widths for some glyphs, by glyph, in units of the font. `codes`: the glyph of each code of one
 * byte, which then is the one map of the program.
 */
export function withMetrics(
  { tables, glyphs }: TrueType,
  widths: ReadonlyMap<number, number>,
  codes?: ReadonlyMap<number, number>,
): Uint8Array {
  const made = new Map<string, Uint8Array>();
  const [hhea, hmtx] = [tables.get('hhea'), tables.get('hmtx')];
  if (widths.size > 0 && hhea !== undefined && hmtx !== undefined) {
    const full = Math.min(hhea.getUint16(34), hmtx.byteLength >> 2);
    const out = new DataView(new ArrayBuffer(4 * glyphs));
    for (let glyph = 0; glyph < glyphs; glyph++) {
      const bearing = glyph < full ? 4 * glyph + 2 : 4 * full + 2 * (glyph - full);
      out.setUint16(4 * glyph, widths.get(glyph) ?? advanceOf(tables, glyph));
      out.setInt16(4 * glyph + 2, bearing + 2 <= hmtx.byteLength ? hmtx.getInt16(bearing) : 0);
    }
    const head = new DataView(Uint8Array.from(bytesOf(hhea)).buffer);
    head.setUint16(34, glyphs);
    made.set('hmtx', bytesOf(out)).set('hhea', bytesOf(head));
  }
  if (codes !== undefined) made.set('cmap', macintoshMap(codes));
  const kept = new Map([...tables].map(([tag, view]) => [tag, made.get(tag) ?? bytesOf(view)]));
  const head = Uint8Array.from(bytesOf(tables.get('head')));
  new DataView(head.buffer).setUint32(8, 0);
  return assemble(new Map([...kept, ...made, ['head', head] as const]));
}

/** A table `cmap` with one map, of codes of one byte (format 6 for the platform Macintosh). */
function macintoshMap(codes: ReadonlyMap<number, number>): Uint8Array {
  const out = new DataView(new ArrayBuffer(12 + 10 + 512));
  [0, 1, 1, 0, 0, 12, 6, 522, 0, 0, 256].forEach((value, i) => {
    out.setUint16(2 * i, value);
  });
  for (const [code, glyph] of codes) out.setUint16(22 + 2 * code, glyph);
  return bytesOf(out);
}

/** The table `post` of version 3, which has no names. */
function withoutNames(post: Uint8Array): Uint8Array {
  const out = new Uint8Array(32);
  out.set(post.subarray(0, 32));
  out.set([0, 3, 0, 0]);
  return out;
}

function assemble(given: Iterable<readonly [string, Uint8Array]>): Uint8Array {
  const tables = [...given].sort(([a], [b]) => (a < b ? -1 : 1));
  const count = tables.length;
  const start = 12 + 16 * count;
  const out = new Uint8Array(tables.reduce((sum, [, bytes]) => sum + ((bytes.length + 3) & ~3), start));
  const view = new DataView(out.buffer);
  const power = Math.floor(Math.log2(count));
  view.setUint32(0, 0x00010000);
  view.setUint16(4, count);
  view.setUint16(6, 16 * 2 ** power);
  view.setUint16(8, power);
  view.setUint16(10, 16 * (count - 2 ** power));
  let at = start;
  let head = 0;
  for (const [i, [tag, bytes]] of tables.entries()) {
    const row = 12 + 16 * i;
    out.set(bytes, at);
    out.set(Buffer.from(tag, 'latin1'), row);
    const end = at + ((bytes.length + 3) & ~3);
    view.setUint32(row + 4, checksum(view, at, end));
    view.setUint32(row + 8, at);
    view.setUint32(row + 12, bytes.length);
    if (tag === 'head') head = at;
    at = end;
  }
  view.setUint32(head + 8, (CHECKSUM - checksum(view, 0, out.length)) >>> 0);
  return out;
}

function checksum(view: DataView, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at += 4) sum = (sum + view.getUint32(at)) >>> 0;
  return sum;
}

export function bytesOf(view: DataView | undefined): Uint8Array {
  return view === undefined ? new Uint8Array(0) : new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}
