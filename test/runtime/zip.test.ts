import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Draft } from '../../src/contract/base/ports.ts';
import { draftPath } from '../../src/runtime/files/outputs/drafts.ts';
import { Workspace } from '../../src/runtime/files/outputs/workspace.ts';
import { writeZip } from '../../src/runtime/files/outputs/zip.ts';

const signal = new AbortController().signal;

function filled(draft: Draft, text: string) {
  draft.write(Buffer.from(text));
  return draft.finish();
}

async function archive(workspace: Workspace, entries: Record<string, string>): Promise<string> {
  const temp = workspace.temp({ name: 'test' });
  const list = Object.entries(entries).map(([name, text], index) => ({
    name,
    body: filled(temp.create(`${index}`), text),
  }));
  const draft = temp.create('out.zip');
  await writeZip(list, draft, signal);
  return draftPath(draft.finish()) ?? '';
}

function python(code: string, path: string): string {
  return execFileSync('python3', ['-c', `import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1])\n${code}`, path], {
    encoding: 'utf8',
  });
}

it('is read by others: names, order, bytes, dates, checksums', async () => {
  const workspace = new Workspace();
  try {
    const path = await archive(workspace, { 'b.pdf': 'second', 'ä.pdf': 'x'.repeat(700_000), 'empty.pdf': '' });
    expect(
      python('print(z.testzip(),[(i.filename,i.file_size,i.date_time,i.flag_bits&8) for i in z.infolist()])', path),
    ).toBe(
      "None [('b.pdf', 6, (1980, 1, 1, 0, 0, 0), 0), ('ä.pdf', 700000, (1980, 1, 1, 0, 0, 0), 0), ('empty.pdf', 0, (1980, 1, 1, 0, 0, 0), 0)]\n",
    );
    expect(execFileSync('unzip', ['-tq', path], { encoding: 'utf8' })).toContain('No errors detected');
    expect(readFileSync(path).includes('second')).toBe(true);
  } finally {
    workspace.close();
  }
});

it('holds more entries than 16 bits count', async () => {
  const workspace = new Workspace();
  try {
    const temp = workspace.temp({ name: 'test' });
    const body = filled(temp.create('one'), 'tiny');
    const draft = temp.create('many.zip');
    await writeZip(
      Array.from({ length: 70_000 }, (_, index) => ({ name: `${index}.txt`, body })),
      draft,
      signal,
    );
    const path = draftPath(draft.finish()) ?? '';
    expect(python('print(len(z.infolist()),z.read("69999.txt"))', path)).toBe("70000 b'tiny'\n");
  } finally {
    workspace.close();
  }
});

it('holds an entry and an offset beyond 4 GiB (python reads the directory)', async () => {
  // A source of zeros: the reader's memory, not the disk, is what a test can spare. The draft counts and keeps the ends.
  const large = 4 * 1024 ** 3 + 5;
  const zeros = {
    name: 'zeros',
    size: large,
    read: (into: Uint8Array, position: number) => Math.max(0, Math.min(into.length, large - position)),
    async *open() {},
  };
  const small = {
    ...zeros,
    name: 'small',
    size: 3,
    read: (_: Uint8Array, position: number) => Math.max(0, 3 - position),
  };
  const workspace = new Workspace();
  try {
    const tail = workspace.temp({ name: 'test' }).create('tail');
    let size = 0;
    const sparse = {
      name: 'sparse',
      get size() {
        return size;
      },
      write(bytes: Uint8Array) {
        size += bytes.length;
        if (bytes.length < 200) tail.write(bytes);
      },
      finish: () => tail.finish(),
      discard: () => tail.discard(),
    };
    await writeZip(
      [
        { name: 'large', body: zeros },
        { name: 'small', body: small },
      ],
      sparse,
      signal,
    );
    const path = draftPath(sparse.finish()) ?? '';
    // A file with a hole where the zeros are, and the directory at its end.
    const code = `import os,sys,zipfile
tail=open(sys.argv[1],'rb').read(); path=sys.argv[2]; size=int(sys.argv[3])
cut=tail.index(b'PK\\x01\\x02')
with open(path,'wb') as f:
    f.truncate(size); f.seek(size-(len(tail)-cut)); f.write(tail[cut:])
print([(i.filename,i.file_size,i.header_offset>2**32) for i in zipfile.ZipFile(path).infolist()])`;
    const whole = join(path, '..', 'whole.zip');
    const listed = execFileSync('python3', ['-c', code, path, whole, String(size)], { encoding: 'utf8' });
    expect(listed).toBe(`[('large', ${large}, False), ('small', 3, True)]\n`);
  } finally {
    workspace.close();
  }
});
