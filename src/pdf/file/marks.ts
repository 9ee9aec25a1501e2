// Owns the names a pass looks out for, so that objects without them need not be parsed. Knows only how names are spelt.
import { decodeName } from './parse.ts';
import { at, HASH, latin1 } from './syntax.ts';

/** Names a pass can look out for, as bits: an object without them need not be parsed to know that nothing in it changes. */
export const MARK = {
  Dest: 1,
  GoTo: 2,
  StructParent: 4,
  JavaScript: 8,
  Launch: 16,
  DA: 32,
  ID: 64,
  Headers: 128,
  S: 256,
  Fields: 512,
  Hide: 1024,
  SE: 2048,
} as const;

/** By the first character of a name, a bit for each length that it has with a mark, slash included: most names have none. */
export const MARKED = new Int32Array(256);
for (const name of [...Object.keys(MARK), 'StructParents']) MARKED[name.charCodeAt(0)]! |= 1 << (name.length + 1);

// Who has something to hide writes a letter of its name as #xx, which is two longer: the first one, or any of a script's. To
// look at more names takes a twentieth of the time of a merge.
MARKED[HASH] = -1;
MARKED['J'.charCodeAt(0)]! |= 1 << ('/JavaScript'.length + 2);

function hiddenMark(buf: Uint8Array, start: number, length: number): number {
  let pos = start + 1;
  while (pos < start + length && buf[pos] !== HASH) pos++;
  if (pos === start + length) return 0;
  const name = decodeName(latin1(buf, start + 1, start + length));
  return name.includes('#') ? 0 : markOf(Buffer.from(`/${name}`, 'latin1'), 0, name.length + 1);
}

/** The mark of the name at `start`, slash included; told apart by its length first. */
export function markOf(buf: Uint8Array, start: number, length: number): number {
  const first = buf[start + 1]!;
  if (first === HASH) return hiddenMark(buf, start, length);
  switch (length) {
    case 2:
      return first === 0x53 ? MARK.S : 0;
    case 3:
      return first === 0x44 && buf[start + 2] === 0x41
        ? MARK.DA
        : first === 0x49 && buf[start + 2] === 0x44
          ? MARK.ID
          : first === 0x53 && buf[start + 2] === 0x45
            ? MARK.SE
            : 0;
    case 5:
      return first === 0x44 && at(buf, start, '/Dest')
        ? MARK.Dest
        : first === 0x47 && at(buf, start, '/GoTo')
          ? MARK.GoTo
          : first === 0x48 && at(buf, start, '/Hide')
            ? MARK.Hide
            : 0;
    case 7:
      return first === 0x4c && at(buf, start, '/Launch')
        ? MARK.Launch
        : first === 0x46 && at(buf, start, '/Fields')
          ? MARK.Fields
          : 0;
    case 8:
      return first === 0x48 && at(buf, start, '/Headers') ? MARK.Headers : 0;
    case 11:
      return first === 0x4a && at(buf, start, '/JavaScript') ? MARK.JavaScript : 0;
    case 13:
    case 14:
      if (first === 0x4a) return hiddenMark(buf, start, length);
      return first === 0x53 && at(buf, start, '/StructParent') ? MARK.StructParent : 0;
    default:
      return 0;
  }
}
