// Archives no service should send, made by Python's zipfile: each is refused, and only page files come out of a good one.
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { PDF } from '../../src/contract/media.ts';
import { ArchiveError, unpack } from '../../src/wire/archive.ts';
import { bytesSource, createContext, textOf } from '../faults/context.ts';

/** `entries`: Python source of a list of (name, bytes) pairs; `after`: Python source that may change `data`. */
function zip(entries: string, after = ''): Buffer {
  const program = `
import io, sys, warnings, zipfile
warnings.simplefilter('ignore')
out = io.BytesIO()
with zipfile.ZipFile(out, 'w', zipfile.ZIP_DEFLATED) as z:
    for name, body in ${entries}:
        z.writestr(name, body)
data = bytearray(out.getvalue())
${after}
sys.stdout.buffer.write(data)`;
  return execFileSync('python3', ['-c', program], { maxBuffer: 64 * 1024 ** 2 });
}

async function open(bytes: Uint8Array, maxFiles = 150) {
  const context = createContext();
  return unpack(bytesSource('answer.zip', bytes), [PDF], context.temp, maxFiles, context.signal);
}

describe('a split archive', () => {
  it('gives its page files in order, deflated or stored', async () => {
    const { files, skipped } = await open(
      zip("[('page-001.pdf', b'one'), ('folder/', b''), ('notes.txt', b'x'), ('page-002.pdf', b'2' * 100000)]"),
    );
    expect(files.map(({ name }) => name)).toEqual(['page-001.pdf', 'page-002.pdf']);
    expect(await textOf(files[1]?.body ?? bytesSource('', ''))).toBe('2'.repeat(100_000));
    expect(skipped).toEqual(['notes.txt']);
  });

  it.each([
    ['a climbing name', zip("[('../page-001.pdf', b'x')]"), /invalid relative path|unsafe/],
    ['a climbing name inside', zip("[('a/../../page-001.pdf', b'x')]"), /invalid relative path|unsafe/],
    ['an absolute name', zip("[('/etc/page.pdf', b'x')]"), /absolute path|unsafe/],
    ['a drive', zip("[('C:page.pdf', b'x')]"), /absolute path|unsafe/],
    ['a backslash', zip("[('a\\\\\\\\page.pdf', b'x')]"), /invalid characters|unsafe/],
    [
      'a symbolic link',
      zip(
        "[((lambda i: (setattr(i, 'external_attr', 0o120777 << 16), i)[1])(zipfile.ZipInfo('page-001.pdf')), b'/etc')]",
      ),
      /unsafe/,
    ],
    ['the same name twice', zip("[('page-001.pdf', b'x'), ('PAGE-001.pdf', b'y')]"), /twice/],
    ['too many files', zip("[('page-%03d.pdf' % n, b'x') for n in range(151)]"), /at most 150/],
    ['too many other files', zip("[('note-%03d.txt' % n, b'x') for n in range(301)]"), /at most 150/],
    ['a wrong sum', zip("[('page-001.pdf', b'x')]", 'i = data.rfind(b"PK\\x01\\x02"); data[i+16] ^= 1'), /damaged/],
    [
      'a size that lies',
      zip(
        "[('page-001.pdf', b'x' * 5000)]",
        'i = data.rfind(b"PK\\x01\\x02"); data[i+24:i+28] = (10).to_bytes(4, "little")',
      ),
      /too many bytes|cannot be read/,
    ],
    [
      'an encrypted entry',
      zip("[('page-001.pdf', b'x')]", 'i = data.rfind(b"PK\\x01\\x02"); data[i+8] |= 1'),
      /encrypted/,
    ],
    ['a truncated archive', zip("[('page-001.pdf', b'x')]").subarray(0, 60), /cannot be read/],
    ['no archive', Buffer.from('PK\u0003\u0004 and then nothing of the kind'), /cannot be read/],
  ])('is refused with %s', async (_what, bytes, message) => {
    const error = await open(bytes).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ArchiveError);
    expect(String(error)).toMatch(message);
  });

  it('is refused when it would inflate to more than 1 GiB', async () => {
    const bomb = zip(
      "[('page-%03d.pdf' % n, b'') for n in range(3)]",
      `
at = 0
while (at := data.find(b"PK\\x01\\x02", at + 1)) > 0: data[at+24:at+28] = (400 * 1024 * 1024).to_bytes(4, "little")
i = data.find(b"PK\\x01\\x02"); data[i+24:i+28] = (1024 ** 3 + 1).to_bytes(4, "little")`,
    );
    await expect(open(bomb)).rejects.toThrow(/inflates to more/);
  });
});
