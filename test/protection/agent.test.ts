// Holds that agents can protect a PDF and look into it: arguments, files and records of the tools.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Session } from '../mcp/client.ts';

it('an agent encrypts, decrypts, attaches and sets bookmarks', async () => {
  await using session = await Session.open({});
  session.bring('lorem-ipsum.pdf');
  writeFileSync(session.here.at('data.csv'), 'a,b\n');
  const none = await session.call('encrypt_pdf', { path: 'lorem-ipsum.pdf' });
  expect([none.isError, none.text]).toEqual([
    true,
    expect.stringMatching(/at least one of user_password, owner_password/),
  ]);
  const locked = await session.call('encrypt_pdf', {
    path: 'lorem-ipsum.pdf',
    user_password: 'u',
    output: 'locked.pdf',
  });
  expect(locked.isError, locked.text).toBe(false);
  execFileSync('qpdf', ['--password=u', '--check', locked.record.path], { stdio: 'ignore' });
  const open = await session.call('decrypt_pdf', { path: 'locked.pdf', file_password: 'u', output: 'open.pdf' });
  expect(open.isError, open.text).toBe(false);
  execFileSync('qpdf', ['--check', open.record.path], { stdio: 'ignore' });
  const full = await session.call('attach_files_to_pdf', { paths: ['open.pdf', 'data.csv'], output: 'full.pdf' });
  expect(full.isError, full.text).toBe(false);
  const listed = await session.call('pdf_attachments', { path: 'full.pdf' });
  expect(listed.record.attachments).toMatchObject([{ name: 'data.csv', bytes: 4 }]);
  const taken = await session.call('extract_pdf_attachments', { path: 'full.pdf' });
  expect(taken.isError, taken.text).toBe(false);
  expect(readFileSync(session.here.at('full-attachments/data.csv'), 'utf8')).toBe('a,b\n');
  const marked = await session.call('set_pdf_bookmarks', {
    path: 'full.pdf',
    bookmarks: 'One\t1\n  Two\t2',
    output: 'toc.pdf',
  });
  expect(marked.isError, marked.text).toBe(false);
  const shown = await session.call('pdf_bookmarks', { path: 'toc.pdf' });
  expect(shown.record.bookmarks).toEqual([
    { level: 1, title: 'One', page: 1 },
    { level: 2, title: 'Two', page: 2 },
  ]);
});
