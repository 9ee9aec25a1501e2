// Hostile ZIPs, written by hand: entries that lie about their names, sizes and places.
import { crc32, deflateRawSync } from 'node:zlib';

interface Entry {
  readonly name: string;
  readonly data?: Buffer;
  readonly method?: number;
  readonly size?: number;
  readonly packedSize?: number;
  readonly crc?: number;
  readonly flags?: number;
  readonly attributes?: number;
  readonly offset?: number;
  readonly extra?: Buffer;
}

function zip(entries: readonly Entry[], { count = entries.length, start = -1, comment = '' } = {}): Buffer {
  const parts: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const entry of entries) {
    const { name, data = Buffer.from('x'), method = 8, flags = 0x800, extra = Buffer.alloc(0) } = entry;
    const packed = method === 8 ? deflateRawSync(data) : data;
    const sums = Buffer.alloc(12);
    sums.writeUInt32LE(entry.crc ?? crc32(data), 0);
    sums.writeUInt32LE(entry.packedSize ?? packed.length, 4);
    sums.writeUInt32LE(entry.size ?? data.length, 8);
    const named = Buffer.from(name);
    const common = Buffer.alloc(10);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(method, 4);
    const lengths = Buffer.alloc(4);
    lengths.writeUInt16LE(named.length, 0);
    lengths.writeUInt16LE(extra.length, 2);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, sums, lengths, named, extra, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(entry.attributes ?? 0, 6);
    rest.writeUInt32LE(entry.offset ?? at, 10);
    central.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, sums, lengths, rest, named, extra]),
    );
    parts.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(start < 0 ? at : start, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...parts, directory, end, Buffer.from(comment)]);
}

const NAMES = [
  '../../evil.pdf',
  '/etc/evil.pdf',
  'C:\\evil.pdf',
  '..\\evil.pdf',
  'a/../../b.pdf',
  'a\u0000.pdf',
  'a\u001b[31m\n.pdf',
  '',
  '.',
  `${'n'.repeat(5_000)}.pdf`,
  `${'d/'.repeat(2_000)}a.pdf`,
  '\u202efdp.exe.pdf',
  'CON.pdf',
];

export const ARCHIVES: Readonly<Record<string, () => Buffer>> = {
  ...Object.fromEntries(
    NAMES.map((name, index) => [`name ${index}: ${JSON.stringify(name.slice(0, 20))}`, () => zip([{ name }])]),
  ),
  'nothing at all': () => Buffer.alloc(0),
  'an end alone': () => zip([]),
  'no PDF': () => zip([{ name: 'a.txt' }]),
  'a bomb of 200 MB': () => zip([{ name: 'a.pdf', data: Buffer.alloc(200_000_000) }]),
  'a size that is too small': () => zip([{ name: 'a.pdf', data: Buffer.alloc(10_000_000), size: 9 }]),
  'a size of 4 GB': () => zip([{ name: 'a.pdf', size: 0xfffffffe }]),
  'a packed size of 4 GB': () => zip([{ name: 'a.pdf', packedSize: 0xfffffffe }]),
  'a wrong sum': () => zip([{ name: 'a.pdf', crc: 7 }]),
  'an unknown method': () => zip([{ name: 'a.pdf', method: 99 }]),
  'a method that is stored with a lie': () => zip([{ name: 'a.pdf', method: 0, size: 99 }]),
  'an encrypted entry': () => zip([{ name: 'a.pdf', flags: 0x801 }]),
  'a link': () => zip([{ name: 'a.pdf', data: Buffer.from('/etc/passwd'), attributes: (0o120777 << 16) >>> 0 }]),
  'a device': () => zip([{ name: 'a.pdf', attributes: (0o020666 << 16) >>> 0 }]),
  'one name twice': () => zip([{ name: 'a.pdf' }, { name: 'A.PDF' }]),
  'entries on top of each other': () =>
    zip(Array.from({ length: 50 }, (_, i) => ({ name: `${i}.pdf`, data: Buffer.alloc(1_000_000), offset: 0 }))),
  '101 files': () => zip(Array.from({ length: 101 }, (_, i) => ({ name: `${i}.pdf` }))),
  '20,000 files': () => zip(Array.from({ length: 20_000 }, (_, i) => ({ name: `${i}.pdf` }))),
  'a count that is too high': () => zip([{ name: 'a.pdf' }], { count: 65_534 }),
  'a directory behind the end': () => zip([{ name: 'a.pdf' }], { start: 0xfffffff0 }),
  'a comment of 60,000': () => zip([{ name: 'a.pdf' }], { comment: 'PK\x05\x06'.repeat(15_000) }),
  'ZIP64 of 2^63': () =>
    zip([{ name: 'a.pdf', size: 0xffffffff, extra: Buffer.from('01001000ffffffffffffff7fffffffffffffff7f', 'hex') }]),
  'a ZIP in a ZIP': () => zip([{ name: 'a.zip', data: zip([{ name: 'a.pdf' }]) }]),
  'cut off': () => zip([{ name: 'a.pdf', data: Buffer.alloc(100_000, 'x') }]).subarray(0, 100),
};
