// Owns what goes into many outputs as a whole: an object with all that only it leads to, under the same numbers in each of
// them, its bytes written once. Sees it by what is copied again and again (replay.ts). Knows no pages.
import type { Copier } from './copier.ts';
import type { PdfFile } from './reader.ts';
import { type Kept, type Replay, refsOf } from './replay.ts';
import { Writer } from './writer.ts';
import type { Fragment } from './writer-options.ts';

/** Bytes of a block from which on it takes less time, and 3 % more space at most, than its objects one by one. */
const LEAST = 4096;
/** Where all of it is streams, nothing is lost by it. */
const LEAST_STREAMS = 256;
/** Longer streams are copied from the file as quickly. */
const LONG_STREAM = 128 * 1024;
/** Of one block: what goes into its object stream, and all of it. */
const MOST_PACKED = 64 * 1024;
const MOST_BYTES = 512 * 1024;
const MOST_MEMBERS = 256;
/** Memory for all of them. */
const MOST_HELD = 8 << 20;
/** Numbers given: outputs have room for each of them in their tables. */
const MOST_NUMBERS = 1 << 14;
/** Once for all outputs: some more time for some fewer bytes in each. */
const LEVEL = 9;
/** How long a chain of objects is followed, each of which only the one before it leads to. */
const MOST_DEEP = 32;
const SEVERAL = -1;

export interface Block {
  /** Objects of the source; the first one is that which others refer to. */
  readonly members: readonly number[];
  /** What these refer to besides. */
  readonly others: readonly number[];
  /** The number of their object stream; 0 where they need none. */
  readonly pack: number;
  fragment: Fragment | undefined;
}

export class Blocks {
  private readonly file: PdfFile;
  private readonly settled: Int32Array;
  private readonly replay: Replay;
  /** Numbers of source objects in every output that has them; below 0 those of members, which their block alone leads to. */
  private readonly numbers: Int32Array;
  private given = 0;
  /** Of a member that is not the first of its block, what refers to it. */
  private readonly owners = new Map<number, number>();
  /** Numbers of object streams, by the first object of a block. */
  private readonly packs = new Map<number, number>();
  /** Kept objects that are in no block. */
  private readonly loose = new Set<number>();
  private readonly strays: number[] = [];
  private room = MOST_HELD;

  /** `settled`: the map that outputs begin with; what is in it is different in each. */
  constructor(file: PdfFile, settled: Int32Array, replay: Replay) {
    this.file = file;
    this.settled = settled;
    this.replay = replay;
    this.numbers = new Int32Array(settled.length);
  }

  /** The number that an object has in every output; 0 where it has none, less than 0 where only its block leads to it. */
  numberOf(num: number): number {
    return this.numbers[num]!;
  }

  /** Notes that more than its block leads to an object. */
  promoteLater(num: number): void {
    this.strays.push(num);
  }

  /** Makes blocks of what was met more than once. Returns how many numbers were given. */
  gather(): number {
    const { fresh } = this.replay;
    const todo = new Set<number>();
    for (const num of this.strays.splice(0)) this.promote(num, todo);
    // Not for each new object: all that is in no block is looked at.
    if (fresh.length * 8 > this.loose.size) {
      for (const num of fresh.splice(0)) this.loose.add(num);
      if (this.given < MOST_NUMBERS) this.find(todo);
    }
    for (const num of todo) this.make(num, todo);
    return this.given;
  }

  /** Writes a block into the output of a copier, or asks for its objects one by one where some of them have other numbers. */
  write(block: Block, copier: Copier): Promise<void> | undefined {
    const { members, others } = block;
    const first = members[0]!;
    const whole = this.fits(block, copier.map);
    for (let i = 1; i < members.length; i++) {
      const num = members[i]!;
      if (copier.map[num] !== 0) continue;
      if (whole) copier.assign(num, -this.numbers[num]!);
      else copier.copy(num, -this.numbers[num]!);
    }
    if (!whole) return copier.again(this.replay.find(first)!, copier.map[first]!);
    for (let i = 0; i < others.length; i++) copier.ref(others[i]!);
    if (block.fragment === undefined) return this.begin(block, copier);
    copier.writer.insert(block.fragment);
    return undefined;
  }

  /** Whether all that a block holds and refers to has its usual number, or none yet. */
  private fits({ members, others }: Block, map: Int32Array): boolean {
    const { numbers } = this;
    if (map[members[0]!] !== numbers[members[0]!]) return false;
    for (let i = 1; i < members.length; i++) if (map[members[i]!] !== 0) return false;
    for (let i = 0; i < others.length; i++) {
      const num = others[i]!;
      if (map[num] !== 0 && map[num] !== numbers[num]) return false;
    }
    return true;
  }

  /** Writes a block for the first time. */
  private async begin(block: Block, copier: Copier): Promise<void> {
    const { writer } = copier;
    const pieces: Uint8Array[] = [];
    const draft = { write: (bytes: Uint8Array) => void pieces.push(bytes.slice()) };
    copier.writer = new Writer(draft, { version: undefined, packed: true, level: LEVEL, reserved: block.pack - 1 });
    copier.writer.rows.reserve(this.given + 1);
    for (const num of block.members) await copier.again(this.replay.find(num)!, copier.map[num]!);
    await copier.writer.close();
    const { kind, place, index } = copier.writer.rows;
    copier.writer = writer;
    const nums = Int32Array.from(block.members, (num) => copier.map[num]!);
    const all = block.pack === 0 ? nums : Int32Array.of(...nums, block.pack);
    block.fragment = {
      bytes: pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces),
      nums: all,
      entries: {
        kind: Uint8Array.from(all, (num) => kind[num]!),
        place: Float64Array.from(all, (num) => place[num]!),
        index: Uint16Array.from(all, (num) => index[num]!),
      },
    };
    writer.insert(block.fragment);
  }

  /** Looks through what is in no block for what is worth one. */
  private find(todo: Set<number>): void {
    const { loose, numbers, replay } = this;
    const owners = this.ownersOf(loose);
    const ownerOf = (num: number): number => {
      const kept = numbers[num] === 0 && loose.has(num) ? replay.find(num) : undefined;
      const alone = kept === undefined || kept.length > LONG_STREAM || !this.closed(kept);
      return alone ? SEVERAL : (owners.get(num) ?? SEVERAL);
    };
    for (const num of loose) {
      let above = ownerOf(num);
      for (let deep = 1; above !== SEVERAL && above !== num && deep < MOST_DEEP; deep++) above = ownerOf(above);
      // Of objects that lead to each other in a circle, one is the first.
      if (above !== SEVERAL) owners.set(num, SEVERAL);
    }
    for (const first of loose) {
      if (ownerOf(first) !== SEVERAL || !this.closed(replay.find(first)!)) continue;
      const members = this.membersOf(first, ownerOf);
      const bytes = this.worth(members);
      if (bytes === 0 || bytes > this.room) continue;
      this.room -= bytes;
      for (const num of members) {
        loose.delete(num);
        if (numbers[num] === 0) numbers[num] = ++this.given * (num === first ? 1 : -1);
        if (num !== first) this.owners.set(num, owners.get(num)!);
      }
      if (members.some((num) => replay.find(num)!.start < 0)) this.packs.set(first, ++this.given);
      todo.add(first);
    }
  }

  /** What refers to each object, where that is a single one that always reads the same. */
  private ownersOf(nums: Iterable<number>): Map<number, number> {
    const owners = new Map<number, number>();
    for (const num of nums) {
      const kept = this.replay.find(num)!;
      const closed = this.closed(kept);
      for (const ref of refsOf(kept)) {
        const owner = owners.get(ref) ?? num;
        if (ref !== num) owners.set(ref, closed && owner === num ? num : SEVERAL);
      }
    }
    return owners;
  }

  /** An object and what only it leads to, as far as that makes a block. */
  private membersOf(first: number, ownerOf: (num: number) => number): number[] {
    const members = new Set([first]);
    for (const num of members) {
      for (const ref of refsOf(this.replay.find(num)!)) if (ownerOf(ref) === num) members.add(ref);
      if (members.size > MOST_MEMBERS) break;
    }
    return [...members];
  }

  /** Whether all that an object refers to may have the same number in every output. */
  private closed(kept: Kept): boolean {
    const { file, settled } = this;
    return refsOf(kept).every((num) => file.has(num) && settled[num] === 0);
  }

  /** The bytes of a block of these; 0 where one object after the other is better. */
  private worth(members: readonly number[]): number {
    let inPack = 0;
    let bytes = 0;
    let longest = 0;
    for (const num of members) {
      const kept = this.replay.find(num)!;
      if (kept.start < 0) inPack += kept.bytes.length;
      else longest = Math.max(longest, kept.length);
      bytes += kept.bytes.length + Math.max(kept.length, 0);
    }
    if (members.length > MOST_MEMBERS || inPack > MOST_PACKED || longest > LONG_STREAM) return 0;
    return bytes <= MOST_BYTES && bytes >= (inPack > 0 ? LEAST : LEAST_STREAMS) ? bytes : 0;
  }

  /** Makes the block that begins with an object, or makes it anew. */
  private make(first: number, todo: Set<number>): void {
    const { numbers, replay } = this;
    const members = this.membersOf(first, (num) => (numbers[num]! < 0 ? this.owners.get(num)! : SEVERAL));
    const others = new Set(members.flatMap((num) => refsOf(replay.find(num)!)));
    for (const num of members) others.delete(num);
    for (const num of others) {
      this.promote(num, todo);
      if (numbers[num] === 0) numbers[num] = ++this.given;
    }
    const kept = replay.find(first)!;
    if (this.worth(members) === 0) {
      // What is left of one that others led into.
      kept.block = undefined;
      for (const num of members) numbers[num] = Math.abs(numbers[num]!);
      return;
    }
    let pack = 0;
    if (members.some((num) => replay.find(num)!.start < 0)) {
      pack = this.packs.get(first) ?? ++this.given;
      this.packs.set(first, pack);
    }
    kept.block = { members, others: [...others], pack, fragment: undefined };
  }

  /** Makes a member one that others may refer to, with a block of its own. */
  private promote(num: number, todo: Set<number>): void {
    const { numbers, owners } = this;
    if (numbers[num]! >= 0) return;
    let first = owners.get(num)!;
    while (numbers[first]! < 0) first = owners.get(first)!;
    numbers[num] = -numbers[num]!;
    owners.delete(num);
    for (const one of [first, num]) {
      todo.delete(one);
      todo.add(one);
    }
  }
}
