// What holds on Windows and macOS, tried by functions that are told the system: nothing here runs on them.
import { writeFileSync } from 'node:fs';
import { sep, win32 } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../src/contract/base/text.ts';
import { isDeviceName } from '../../src/contract/media.ts';
import { readData } from '../../src/local/form/data.ts';
import { nameFiles } from '../../src/local/split-files.ts';
import { fileNamesOf } from '../../src/pdf/edit/document/attachments.ts';
import { expandList, expandWildcards } from '../../src/runtime/files/inputs/inputs.ts';
import { isFolderName, refuseDeviceName, withoutSlash } from '../../src/runtime/files/outputs/target.ts';
import { readFailure, writeFailure } from '../../src/runtime/files/system/file-failure.ts';
import { renameHeld } from '../../src/runtime/files/system/rename.ts';
import { childCommandLine } from '../../src/runtime/processes/programs.ts';
import { passwordFinder } from '../../src/runtime/terminal/passwords.ts';
import type { Streams } from '../../src/runtime/terminal/streams.ts';
import { folder } from '../e2e/pdftool.ts';
import { sourceOf } from '../properties/context.ts';

describe('names of files', () => {
  const devices = ['con', 'NUL.pdf', 'aux.tar.gz', 'com1.pdf', 'LPT¹', 'prn .pdf', 'conin$', 'CONOUT$.txt'];
  it.each(devices)('%s is a device of Windows', (name) => {
    expect(isDeviceName(name)).toBe(true);
    expect(() => refuseDeviceName(`C:\\out\\${name}`, 'win32')).toThrow(/device/);
    expect(() => refuseDeviceName(`//server/share/${name}`, 'win32')).toThrow(/device/);
    expect(() => refuseDeviceName(name, sep === '/' ? 'linux' : 'darwin')).not.toThrow();
  });

  it.each(['console.pdf', 'com10.pdf', 'nullable', 'a.con', 'lpt.pdf'])('%s is a file', (name) => {
    expect(isDeviceName(name)).toBe(false);
  });

  it('that a document gives become files everywhere', () => {
    const span = [1, 1] as const;
    const titles = ['Con', 'A', 'a', 'b\\c:d', 'NUL.x'];
    const segments = titles.map((title) => ({ span, title }));
    expect(nameFiles(segments, 9, 'x.pdf', '{title}')).toEqual([
      '_Con.pdf',
      'A.pdf',
      'a-2.pdf',
      'b_c_d.pdf',
      '_NUL.x.pdf',
    ]);
    const named = ['aux.txt', 'Data.csv', 'data.CSV', 'c:\\x\\nul'].map((name) => ({ name }));
    expect(fileNamesOf(named)).toEqual(['_aux.txt', 'Data.csv', 'data-2.CSV', '_nul']);
  });

  it('of folders may end in the separator of the system', () => {
    expect(['out/', 'out\\', 'out'].map((name) => isFolderName(name, '/'))).toEqual([true, false, false]);
    expect(['out/', 'out\\', 'out'].map((name) => isFolderName(name, '\\'))).toEqual([true, true, false]);
    const roots = ['out\\', 'C:\\', 'C:\\a\\\\', '\\\\server\\share\\', 'out//'];
    expect(roots.map((name) => withoutSlash(name, win32.sep))).toEqual([
      ...['out', 'C:\\', 'C:\\a', '\\\\server\\share', 'out'],
    ]);
    expect(['/', 'out//', 'a\\'].map((name) => withoutSlash(name, '/'))).toEqual(['/', 'out', 'a\\']);
  });
});

describe('text that a person wrote', () => {
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
  const { signal } = new AbortController();

  it('is UTF-8, or UTF-16 behind a byte order mark, as PowerShell and Excel write it', async () => {
    using here = folder();
    expect(decodeText(Buffer.from('\ufeffŁukasz'), 'a.csv')).toBe('Łukasz');
    expect(decodeText(utf16('Łukasz'), 'a.csv')).toBe('Łukasz');
    expect(decodeText(utf16('Łukasz').swap16(), 'a.csv')).toBe('Łukasz');
    writeFileSync(here.at('list.txt'), utf16('ä.pdf\r\n\r\nb.pdf\r\n'));
    const listed = await expandList(`@${here.at('list.txt')}`, signal);
    expect(listed.map(({ name }) => name)).toEqual(['ä.pdf', 'b.pdf']);
    writeFileSync(here.at('secret'), utf16('geheim ß\r\n'));
    const find = passwordFinder({ file: here.at('secret'), byFile: [] }, {} as Streams, signal);
    expect(await find('a.pdf', 1)).toBe('geheim ß');
  });

  it('of another code page is refused by its line: no letter becomes another in silence', () => {
    const latin = Buffer.from('name\nM\u00fcller\n', 'latin1');
    expect(() => decodeText(latin, 'a.csv')).toThrow(/^a\.csv: line 2 is no UTF-8 text$/);
    expect(() => readData(sourceOf('a.csv', latin))).toThrow(/^a\.csv: line 2 is no UTF-8 text$/);
  });
});

describe('patterns', () => {
  using here = folder();
  for (const name of ['b.pdf', 'A.PDF', 'a10.pdf', '.hidden.pdf', 'a+b.pdf', 'notes.txt'])
    writeFileSync(here.at(name), '');
  const expand = (pattern: string, between = '/') => expandWildcards(`${here.path}${between}${pattern}`, 'win32');
  const names = (pattern: string) => expand(pattern)?.map((path) => path.slice(here.path.length + 1));
  const found = {
    all: names('*.pdf'),
    one: names('?.PDF'),
    plus: names('a+*.pdf'),
    hidden: names('.*'),
    none: [expand('*.docx'), expand('b.pdf'), expandWildcards('no-such-folder/*', 'win32')],
    elsewhere: expandWildcards(`${here.path}/*.pdf`, 'linux'),
  };

  it('that cmd.exe and PowerShell leave to programs are expanded as shells do, whatever the case', () => {
    expect(found).toEqual({
      all: ['A.PDF', 'a+b.pdf', 'a10.pdf', 'b.pdf'],
      one: ['A.PDF', 'b.pdf'],
      plus: ['a+b.pdf'],
      hidden: ['.hidden.pdf'],
      none: [undefined, undefined, undefined],
      elsewhere: undefined,
    });
  });
});

describe('a file that another program has open', () => {
  const held = (tries: number, code: string) => {
    let calls = 0;
    const rename = () => {
      calls += 1;
      if (calls <= tries) throw Object.assign(new Error(`${code}: held`), { code });
    };
    return { rename, calls: () => calls };
  };

  it.each(['EBUSY', 'EPERM', 'EACCES'])('is replaced on Windows once it lets go, after %s', async (code) => {
    const { rename, calls } = held(2, code);
    await renameHeld('a', 'b', rename, 'win32');
    expect(calls()).toBe(3);
    const elsewhere = held(1, code);
    await expect(renameHeld('a', 'b', elsewhere.rename, 'linux')).rejects.toThrow(/held/);
    expect(elsewhere.calls()).toBe(1);
    const other = held(1, 'EXDEV');
    await expect(renameHeld('a', 'b', other.rename, 'win32')).rejects.toThrow(/held/);
  });

  it('is said where it never lets go', async () => {
    const { rename, calls } = held(99, 'EBUSY');
    const error = await renameHeld('a', 'b', rename, 'win32').catch((reason: unknown) => reason);
    expect(calls()).toBe(6);
    expect(writeFailure(error, 'out.pdf').message).toBe('out.pdf cannot be written: another program has it open');
    expect(readFailure(error, 'in.pdf').message).toBe('in.pdf cannot be read: another program has locked it');
  });
});

describe('programs', () => {
  it('that are batch files are started by the shell of Windows, each word quoted', () => {
    const path = 'C:\\Program Files\\nodejs\\npm.cmd';
    expect(childCommandLine(path, ['install', 'C:\\a b\\', 'x&y'], { comspec: 'C:\\cmd.exe' })).toEqual([
      'C:\\cmd.exe',
      ['/d', '/s', '/c', `""${path}" "install" "C:\\a b\\\\" "x&y""`],
      true,
    ]);
    expect(() => childCommandLine(path, ['%PATH%'], {})).toThrow(/batch file/);
    expect(() => childCommandLine(path, ['a" & calc "'], {})).toThrow(/batch file/);
    expect(childCommandLine('/usr/bin/npm', ['%a"'], {})).toEqual(['/usr/bin/npm', ['%a"'], false]);
  });
});
