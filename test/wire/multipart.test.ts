// File names as they travel, judged by another parser (Node's own FormData reader), and the announced length.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeBaseName } from '../../src/wire/filename.ts';
import { multipart } from '../../src/wire/multipart.ts';
import { bytesSource } from '../faults/context.ts';

describe('base names', () => {
  it.each([
    ['/home/me/Geheim/a.pdf', 'a.pdf'],
    ['..\\..\\secret\\b.pdf', 'b.pdf'],
    ['C:\\Users\\me\\c.pdf', 'c.pdf'],
    ['-', '-'],
    ['/', 'file'],
    ['..', 'file'],
    ['a\u0000\u001b[31m.pdf', 'a__[31m.pdf'],
    ['x\r\nX-Evil: 1.pdf', 'x__X-Evil: 1.pdf'],
    ['Übergröße "final" 100%.pdf', 'Übergröße "final" 100%.pdf'],
  ])('%j travels as %j', (name, expected) => {
    expect(safeBaseName(name)).toBe(expected);
  });
});

describe('a multipart body', () => {
  it('holds any name and any bytes, in order, with the length it announces', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.string({ unit: 'binary', maxLength: 40 }), fc.uint8Array({ maxLength: 300 })), {
          maxLength: 5,
        }),
        fc.string({ unit: 'grapheme', maxLength: 40 }),
        async (files, value) => {
          const body = multipart(
            [
              ...files.map(([name, bytes]) => {
                const source = bytesSource(name, bytes);
                return { name: 'file', filename: safeBaseName(name), mediaType: 'application/pdf', source };
              }),
              { name: 'pages "x"\r\n', text: value },
            ],
            'pdftool-0123456789abcdef0123456789abcdef',
          );
          const chunks: Uint8Array[] = [];
          for await (const chunk of body.open(new AbortController().signal)) chunks.push(chunk);
          const whole = Buffer.concat(chunks);
          expect(whole.length).toBe(body.length);
          const form = await new Response(whole, { headers: { 'content-type': body.contentType } }).formData();
          const read = form.getAll('file') as File[];
          expect(read.map((file) => file.name)).toEqual(
            files.map(([name]) => Buffer.from(safeBaseName(name)).toString()),
          );
          for (const [index, [, bytes]] of files.entries()) {
            expect(Buffer.from((await read[index]?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(Buffer.from(bytes));
          }
          expect([...form.keys()].at(-1)).toBe('pages "x"\r\n');
        },
      ),
      { numRuns: 200 },
    );
  });
});
